//! Enums: underlying type, numbers, flags.

use std::collections::HashMap;

use super::{
    super::syntax::{EnumDecl, EnumValueDecl, Extent, Item, literal},
    Builder, Here, attribute,
    resolve::scalar,
};
use crate::ir::{
    Diagnostic, Doc, Options, code,
    flat::{Enum, EnumId, EnumValue, Scalar},
};

impl Builder<'_> {
    pub(super) fn enumeration(&mut self, here: Here<'_>, item: &Item, decl: &EnumDecl) {
        let declaration = self.declaration(here, item, &decl.name, &decl.attributes);
        let underlying = self.underlying(here, decl);
        let flags = attribute::find(&decl.attributes, "bit_flags");
        if let Some(attribute) = attribute::find(&decl.attributes, "force_align") {
            let message = "`force_align` does not apply to enums";
            self.error(here, code::FBS_ATTRIBUTE, attribute.extent, message);
        }
        if let Some(flags) = flags.filter(|_| is_signed(underlying)) {
            let message = "flags in a signed type: its highest bit cannot be used";
            let place = here.parsed.span(flags.extent);
            self.report(Diagnostic::warning(code::FBS_ENUM, message).label(place, ""));
        }
        let mut values = self.values(here, decl, underlying, flags.is_some());
        if values.is_empty() {
            // As in flatc: there is always something that a field can hold.
            values.push(EnumValue {
                schema_name: "NONE".to_owned(),
                number: 0,
                options: Options::default(),
                doc: Doc::default(),
                span: declaration.span,
                name_span: declaration.name_span,
            });
        }
        values.sort_by_key(|value| value.number);
        let id = EnumId(self.schema.flat.enums.len() as u32);
        let names = values.iter().map(|value| (value.schema_name.clone(), value.number));
        self.enum_values.insert(id, names.collect());
        let bit_flags = flags.is_some();
        self.schema.flat.enums.push(Enum { declaration, underlying, bit_flags, values });
    }

    fn underlying(&mut self, here: Here<'_>, decl: &EnumDecl) -> Scalar {
        let name = &decl.name.value;
        let Some(ty) = &decl.underlying else {
            let message = format!("enum `{name}` has no underlying type");
            let place = here.parsed.span(decl.name.extent);
            self.report(
                Diagnostic::error(code::FBS_ENUM, message)
                    .label(place, "")
                    .help(format!("write `enum {name} : int`, or a smaller type")),
            );
            return Scalar::Int32;
        };
        match scalar(&ty.value) {
            Some(scalar) if !scalar.is_float() && scalar != Scalar::Bool => scalar,
            _ => {
                let message = format!("the underlying type of `{name}` is no integer type");
                self.error(here, code::FBS_ENUM, ty.extent, message);
                Scalar::Int64
            }
        }
    }

    fn values(
        &mut self,
        here: Here<'_>,
        decl: &EnumDecl,
        underlying: Scalar,
        bit_flags: bool,
    ) -> Vec<EnumValue> {
        let mut values = Vec::with_capacity(decl.values.len());
        let mut names: HashMap<&str, Extent> = HashMap::new();
        let mut numbers: HashMap<i128, &EnumValueDecl> = HashMap::new();
        let mut next = 0;
        for value in &decl.values {
            self.work += 1;
            let name = &value.name;
            if let Some(first) = names.insert(&name.value, name.extent) {
                let message = format!("`{}` has two values `{}`", decl.name.value, name.value);
                let places = ((name.extent, "and again here"), (first, "first here"));
                self.clash(here, code::FBS_ENUM, message, places.0, places.1);
                continue;
            }
            let Some(number) = self.number(here, value, next, underlying, bit_flags) else {
                continue;
            };
            next = number + 1;
            if let Some(first) = numbers.insert(number, value) {
                let (first_name, name) = (&first.name.value, &name.value);
                let message = format!("`{first_name}` and `{name}` are both {number}");
                let second = (value.extent, "and again here");
                self.clash(here, code::FBS_ENUM, message, second, (first.extent, "first here"));
                continue;
            }
            values.push(EnumValue {
                schema_name: name.value.clone(),
                number: if bit_flags { 1 << number } else { number },
                options: self.options(here, &value.attributes),
                doc: here.parsed.doc(&value.docs),
                span: here.parsed.span(value.extent),
                name_span: here.parsed.span(name.extent),
            });
        }
        values
    }

    /// The number as written or counted, in the range of the type; of a flag, the index of its bit.
    fn number(
        &mut self,
        here: Here<'_>,
        value: &EnumValueDecl,
        next: i128,
        underlying: Scalar,
        bit_flags: bool,
    ) -> Option<i128> {
        let number = match &value.number {
            None => Some(next),
            Some(text) => literal::integer(&text.value),
        };
        let bits = i128::from(underlying.size()) * 8 - i128::from(is_signed(underlying));
        let (least, most) = match bit_flags {
            true => (0, bits - 1),
            false => underlying.range().unwrap_or_default(),
        };
        let fits = number.filter(|number| (least..=most).contains(number));
        if fits.is_none() {
            let place = value.number.as_ref().map_or(value.extent, |text| text.extent);
            let what = if bit_flags { "the index of its bit" } else { "its number" };
            let message =
                format!("`{}` does not fit: {what} is from {least} to {most}", value.name.value);
            self.error(here, code::FBS_ENUM, place, message);
        }
        fits
    }
}

fn is_signed(scalar: Scalar) -> bool {
    scalar.range().is_some_and(|(least, _)| least < 0)
}
