//! Unions: numbered variants, each a table.

use std::collections::HashMap;

use super::{
    super::{
        limit,
        syntax::{Extent, Item, Text, UnionDecl, VariantDecl, literal},
    },
    Builder, Here,
    attribute::shown,
    resolve::Expected,
};
use crate::ir::{
    code,
    flat::{Union, UnionVariant},
};

const ONLY_TABLES: Expected = Expected {
    code: code::FBS_UNSUPPORTED,
    because: "and the FlatBuffers of Rust have unions of tables only",
};

impl Builder<'_> {
    pub(super) fn union(&mut self, here: Here<'_>, item: &Item, decl: &UnionDecl) {
        let declaration = self.declaration(here, item, &decl.name, &decl.attributes);
        if let Some(ty) = &decl.underlying {
            let message = "the FlatBuffers of Rust have no unions with an underlying type";
            self.error(here, code::FBS_UNSUPPORTED, ty.extent, message);
        }
        let mut variants = Vec::with_capacity(decl.variants.len());
        let mut names = HashMap::new();
        let mut numbers = HashMap::new();
        let mut next = 1;
        for variant in &decl.variants {
            self.work += 1;
            let Some(name) = self.variant_name(here, variant) else { continue };
            if !self.check_name(here, &name, &mut names) {
                continue;
            }
            let Some(number) = self.variant_number(here, variant, &name.value, next) else {
                continue;
            };
            next = u32::from(number) + 1;
            if let Some(first) = numbers.insert(number, variant.extent) {
                let message = format!("two variants have the number {number}");
                let second = (variant.extent, "and again here");
                self.clash(here, code::FBS_UNION, message, second, (first, "first here"));
                continue;
            }
            let Some(table) = self.resolve_table(here, &variant.ty, &ONLY_TABLES) else { continue };
            variants.push(UnionVariant {
                schema_name: name.value,
                number,
                table,
                options: self.options(here, &variant.attributes),
                doc: here.parsed.doc(&variant.docs),
                span: here.parsed.span(variant.extent),
                name_span: here.parsed.span(name.extent),
            });
        }
        variants.sort_by_key(|variant| variant.number);
        self.schema.flat.unions.push(Union { declaration, variants });
    }

    /// The alias, else the name of the table with `_` for its dots.
    fn variant_name(&mut self, here: Here<'_>, variant: &VariantDecl) -> Option<Text> {
        match &variant.alias {
            None => {
                let value = variant.ty.value.replace('.', "_");
                Some(Text { value, extent: variant.ty.extent })
            }
            Some(alias) if alias.value.contains('.') => {
                let message = "the alias of a variant is a name without dots";
                self.error(here, code::FBS_UNION, alias.extent, message);
                None
            }
            Some(alias) => Some(alias.clone()),
        }
    }

    fn check_name(
        &mut self,
        here: Here<'_>,
        name: &Text,
        names: &mut HashMap<String, Extent>,
    ) -> bool {
        if name.value == "NONE" {
            let message = "`NONE` is a variant of every union already";
            self.error(here, code::FBS_UNION, name.extent, message);
            return false;
        }
        let Some(first) = names.insert(name.value.clone(), name.extent) else { return true };
        let message = format!("two variants are named `{}`", name.value);
        let second = (name.extent, "and again here: give it an alias");
        self.clash(here, code::FBS_UNION, message, second, (first, "first here"));
        false
    }

    fn variant_number(
        &mut self,
        here: Here<'_>,
        variant: &VariantDecl,
        name: &str,
        next: u32,
    ) -> Option<u8> {
        let most = limit::UNION_VARIANTS;
        let (number, place) = match &variant.number {
            None => (u8::try_from(next).ok(), variant.extent),
            Some(text) => {
                let number = literal::integer(&text.value).and_then(|it| u8::try_from(it).ok());
                (number.filter(|number| *number > 0), text.extent)
            }
        };
        if number.is_none() {
            let message = match &variant.number {
                None => format!("`{name}` would be number {next}, and the highest is {most}"),
                Some(text) => {
                    let text = shown(&text.value);
                    format!("`{text}` is no number of a variant: those are from 1 to {most}")
                }
            };
            self.error(here, code::FBS_UNION, place, message);
        }
        number
    }
}
