//! Replaces neutral names inside types, `prost` attributes and the enums' own functions.

use proc_macro2::TokenTree;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Expr, ExprLit, Field, ItemImpl, Lit, LitStr, Meta, Path, Token, Type, Variant,
};

use super::Context;
use super::marker::{self, Marker};
use super::rewrite::raw_ident;
use crate::backend::rust::lower::model::{ModulePath, relative};
use crate::ir::EnumId;

/// Replaces what stands in one module.
pub(super) struct PathFixer<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) module: ModulePath,
    /// The variant that an enum field defaults to.
    pub(super) default: Option<String>,
}

impl PathFixer<'_> {
    pub(super) fn field(&mut self, field: &mut Field) {
        self.visit_type_mut(&mut field.ty);
        field.attrs.iter_mut().for_each(|attribute| self.prost_attribute(attribute));
    }

    pub(super) fn variant(&mut self, variant: &mut Variant) {
        variant.fields.iter_mut().for_each(|field| self.visit_type_mut(&mut field.ty));
        variant.attrs.iter_mut().for_each(|attribute| self.prost_attribute(attribute));
    }

    /// `as_str_name` and `from_str_name` of an enum.
    pub(super) fn implementation(&mut self, id: EnumId, item: &mut ItemImpl) {
        self.visit_type_mut(&mut item.self_ty);
        let mut body = BodyFixer { context: self.context, id };
        item.items.iter_mut().for_each(|item| body.visit_impl_item_mut(item));
    }

    /// The Rust type of a neutral name, as text.
    fn type_text(&self, marker: Marker) -> Option<String> {
        let names = self.context.names;
        match marker {
            Marker::Message(id) => Some(names.message_type(&self.module, id)),
            Marker::Enum(id) => Some(names.enum_type(&self.module, id)),
            Marker::Oneof(id, index) => {
                let names = &names.messages[id.0 as usize];
                Some(relative(&self.module, &names.nested, &names.oneofs[index].type_ident))
            }
            Marker::Field(_) | Marker::Value(_) => None,
        }
    }

    fn prost_attribute(&self, attribute: &mut Attribute) {
        if !attribute.path().is_ident("prost")
            || (self.default.is_none() && !names_a_type(attribute))
        {
            return;
        }
        let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
        let Ok(mut metas) = attribute.parse_args_with(parser) else { return };
        for meta in &mut metas {
            let Meta::NameValue(pair) = meta else { continue };
            let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &mut pair.value else { continue };
            let key = pair.path.get_ident().map(ToString::to_string).unwrap_or_default();
            if TYPE_KEYS.contains(&&*key) {
                *text = LitStr::new(&self.replace_paths(&text.value()), text.span());
            }
        }
        if let Some(default) = &self.default {
            metas.push(syn::parse_quote!(default = #default));
        }
        *attribute = syn::parse_quote!(#[prost(#metas)]);
    }

    /// Replaces the paths in an attribute's text, such as `string, enumeration(super::Swn3x)`.
    fn replace_paths(&self, text: &str) -> String {
        let part_of_path = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == ':';
        let mut out = String::new();
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.find(|char| !part_of_path(char)).unwrap_or(rest.len());
            let (path, tail) = rest.split_at(end);
            let last = path.rsplit("::").next().unwrap_or("");
            match marker::read(last).and_then(|marker| self.type_text(marker)) {
                Some(replaced) => out.push_str(&replaced),
                None => out.push_str(path),
            }
            let other = tail.find(part_of_path).unwrap_or(tail.len());
            out.push_str(&tail[..other]);
            rest = &tail[other..];
        }
        out
    }
}

/// True when a `prost` attribute may hold the name of a type.
fn names_a_type(attribute: &Attribute) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    let mut words = list.tokens.clone().into_iter();
    words.any(
        |token| matches!(token, TokenTree::Ident(word) if TYPE_KEYS.iter().any(|key| word == key)),
    )
}

/// The keys of a `prost` attribute whose text holds types.
const TYPE_KEYS: [&str; 5] = ["oneof", "enumeration", "map", "btree_map", "hash_map"];

impl VisitMut for PathFixer<'_> {
    fn visit_type_mut(&mut self, node: &mut Type) {
        if let Type::Path(path) = node {
            let last = path.path.segments.last().map(|segment| segment.ident.to_string());
            let text = last.and_then(|name| marker::read(&name)).and_then(|it| self.type_text(it));
            if let Some(Ok(replaced)) = text.map(|text| syn::parse_str::<Type>(&text)) {
                *node = replaced;
                return;
            }
        }
        visit_mut::visit_type_mut(self, node);
    }
}

struct BodyFixer<'a> {
    context: &'a Context<'a>,
    id: EnumId,
}

impl VisitMut for BodyFixer<'_> {
    fn visit_path_mut(&mut self, path: &mut Path) {
        // The prelude may be shadowed or absent.
        if path.is_ident("Some") {
            *path = syn::parse_quote!(::core::option::Option::Some);
        } else if path.is_ident("None") {
            *path = syn::parse_quote!(::core::option::Option::None);
        } else if let Some(last) = path.segments.last_mut()
            && let Some(Marker::Value(index)) = marker::read(&last.ident.to_string())
            && let Some(variant) = self.context.names.variants[self.id.0 as usize].get(index)
        {
            last.ident = raw_ident(variant);
        }
    }

    fn visit_lit_str_mut(&mut self, literal: &mut LitStr) {
        if let Some(Marker::Value(index)) = marker::read(&literal.value())
            && let Some(value) = self.context.schema.enumeration(self.id).values.get(index)
        {
            *literal = LitStr::new(&value.schema_name, literal.span());
        }
    }
}
