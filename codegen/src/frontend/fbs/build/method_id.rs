//! Ids of methods, by which FRPC addresses them: all explicit, or all by position with a warning,
//! since positions move.

use std::collections::HashMap;

use super::{
    super::{
        limit,
        syntax::{Attribute, AttributeValue, Extent, MethodDecl, ServiceDecl, literal},
    },
    Builder, Here, attribute,
};
use crate::ir::{Diagnostic, code};

impl Builder<'_> {
    /// The explicit id of each method.
    pub(super) fn method_ids(&mut self, here: Here<'_>, decl: &ServiceDecl) -> Vec<Option<u32>> {
        let with = decl.methods.iter().find(|it| id_of(it).is_some());
        let Some(with) = with else {
            self.warn(here, decl);
            return vec![None; decl.methods.len()];
        };
        let without: Vec<_> = decl.methods.iter().filter(|it| id_of(it).is_none()).collect();
        if !without.is_empty() {
            let name = &decl.name.value;
            let message = format!("either all methods of `{name}` have an id or none");
            let mut found = Diagnostic::error(code::FBS_METHOD_ID, message);
            for method in without.iter().take(limit::LABELS) {
                found = found.label(here.parsed.span(method.name.extent), "this one has none");
            }
            let place = here.parsed.span(with.name.extent);
            self.report(found.label(place, "this one has one"));
        }
        let mut taken: HashMap<u32, Extent> = HashMap::new();
        let mut ids = Vec::with_capacity(decl.methods.len());
        for method in &decl.methods {
            let id = id_of(method).and_then(|attribute| self.method_id(here, attribute));
            ids.push(id);
            let Some(id) = id else { continue };
            if let Some(first) = taken.insert(id, method.name.extent) {
                let message = format!("two methods of `{}` have the id {id}", decl.name.value);
                let second = (method.name.extent, "and again here");
                self.clash(here, code::FBS_METHOD_ID, message, second, (first, "first here"));
            }
        }
        ids
    }

    fn method_id(&mut self, here: Here<'_>, attribute: &Attribute) -> Option<u32> {
        let message = match &attribute.value {
            Some(AttributeValue::Integer(text)) => {
                let number = literal::integer(&text.value).and_then(|it| u32::try_from(it).ok());
                if let Some(id) = number.filter(|id| i32::try_from(*id).is_ok()) {
                    return Some(id);
                }
                format!("the id of a method is from 0 to {}", i32::MAX)
            }
            Some(AttributeValue::String(_)) => "the id of a method has no quotes".to_owned(),
            None => "`id` needs a number".to_owned(),
        };
        self.error(here, code::FBS_METHOD_ID, attribute.extent, message);
        None
    }

    /// Only for inputs: what is included belongs to somebody else.
    fn warn(&mut self, here: Here<'_>, decl: &ServiceDecl) {
        if !here.parsed.is_input || decl.methods.is_empty() {
            return;
        }
        let name = &decl.name.value;
        let message = format!("the methods of `{name}` have no ids, so their positions are taken");
        let mut found = Diagnostic::warning(code::FBS_METHOD_ID_MISSING, message);
        for (id, method) in decl.methods.iter().enumerate().take(limit::LABELS) {
            let place = here.parsed.span(method.name.extent);
            found = found.label(place, format!("add `(id: {id})`"));
        }
        let all = match decl.methods.len() > limit::LABELS {
            true => ", and so on up to the last",
            false => "",
        };
        let help = format!("positions move when methods do, and peers find methods by them{all}");
        self.report(found.help(help));
    }
}

fn id_of(method: &MethodDecl) -> Option<&Attribute> {
    attribute::find(&method.attributes, "id")
}
