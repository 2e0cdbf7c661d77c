//! Ids of fields: all explicit or all counted, without gaps.

use super::{
    super::syntax::{Attribute, AttributeValue, literal},
    Builder, Here, attribute,
    tables::Pending,
};
use crate::ir::{
    Diagnostic, code,
    flat::{Field, Type},
};

impl Builder<'_> {
    /// Gives every field its id and puts them in that order. `complete` is false when fields were
    /// left out for errors: then gaps say nothing.
    pub(super) fn number_fields(
        &mut self,
        here: Here<'_>,
        mut pending: Vec<Pending<'_>>,
        complete: bool,
    ) -> Vec<Field> {
        let own = |it: &Pending<'_>| !matches!(it.field.ty, Type::UnionType(_));
        let with = pending.iter().position(|it| own(it) && id_of(it).is_some());
        let without = pending.iter().position(|it| own(it) && id_of(it).is_none());
        if let (Some(with), Some(without)) = (with, without) {
            let message = "either all fields of a table have an id or none".to_owned();
            let second = (pending[without].decl.name.extent, "this one has none");
            let first = (pending[with].decl.name.extent, "this one has one");
            self.clash(here, code::FBS_FIELD_ID, message, second, first);
        } else if with.is_some() {
            self.explicit(here, &mut pending, complete);
        } else {
            for (id, it) in pending.iter_mut().enumerate() {
                it.field.id = id as u16;
            }
        }
        let mut fields: Vec<Field> = pending.into_iter().map(|it| it.field).collect();
        fields.sort_by_key(|field| field.id);
        for field in &mut fields {
            field.vtable_offset = field.id.saturating_mul(2).saturating_add(4);
        }
        fields
    }

    fn explicit(&mut self, here: Here<'_>, pending: &mut [Pending<'_>], complete: bool) {
        let total = pending.len();
        let mut slots: Vec<Option<usize>> = vec![None; total];
        let mut beyond: Option<(u16, usize)> = None;
        let mut complete = complete;
        for at in 0..total {
            let Some(attribute) = id_of(&pending[at]) else { continue };
            let is_union = matches!(pending[at].field.ty, Type::Union(_));
            let Some(id) = self.field_id(here, attribute, is_union, &pending[at].field.ty) else {
                complete = false;
                continue;
            };
            pending[at].field.id = id;
            match slots.get_mut(usize::from(id)) {
                None => beyond = beyond.max(Some((id, at))),
                Some(slot @ None) => *slot = Some(at),
                Some(Some(first)) => {
                    complete = false;
                    let (first, second) = (&pending[*first], &pending[at]);
                    let message = format!("two fields have the id {id}");
                    let second = (second.decl.name.extent, "and again here");
                    let first = (first.decl.name.extent, "first here");
                    self.clash(here, code::FBS_FIELD_ID, message, second, first);
                }
            }
        }
        let missing = slots.iter().position(Option::is_none);
        if let (Some(missing), Some((id, at)), true) = (missing, beyond, complete) {
            let message = format!("ids have no gaps: {missing} is missing below {id}");
            let place = here.parsed.span(pending[at].decl.name.extent);
            let found = Diagnostic::error(code::FBS_FIELD_ID, message).label(place, "");
            self.report(found.help("keep fields that are gone, and mark them `deprecated`"));
        }
    }

    /// The id of a field; the type field of a union has the one before.
    fn field_id(
        &mut self,
        here: Here<'_>,
        attribute: &Attribute,
        is_union: bool,
        ty: &Type,
    ) -> Option<u16> {
        let number = match &attribute.value {
            // As in flatc, quotes do no harm here.
            Some(AttributeValue::Integer(text) | AttributeValue::String(text)) => {
                literal::integer(text.value.trim())
            }
            None => None,
        };
        let id = number.and_then(|number| u16::try_from(number).ok());
        let is_type = matches!(ty, Type::UnionType(_));
        let Some(id) = id else {
            // Said at the union itself.
            if !is_type {
                let message = format!("the id of a field is from 0 to {}", u16::MAX);
                self.error(here, code::FBS_FIELD_ID, attribute.extent, message);
            }
            return None;
        };
        if is_union && id == 0 {
            let message =
                "a union takes two ids, the one before its own for its type: 0 is too low";
            self.error(here, code::FBS_FIELD_ID, attribute.extent, message);
            return None;
        }
        if is_type { id.checked_sub(1) } else { Some(id) }
    }
}

fn id_of<'t>(pending: &Pending<'t>) -> Option<&'t Attribute> {
    attribute::find(&pending.decl.attributes, "id")
}
