//! The shapes of messages, for the decode budget of the runtime.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{Emit, ident, tokens};
use crate::backend::rust::lower::HIDDEN_MODULE;
use crate::backend::rust::lower::model::{RustLayout, RustShape, ShapeField, ShapeKind};
use crate::backend::rust::print::LINE_BREAK;

impl Emit<'_> {
    /// The hidden module of a package's shapes, and of its layout.
    pub(super) fn shapes(&self, shapes: &[RustShape], layout: Option<&RustLayout>) -> TokenStream {
        if shapes.is_empty() {
            return TokenStream::new();
        }
        let runtime = &self.runtime;
        let hidden = ident(HIDDEN_MODULE);
        let statics = shapes.iter().map(|shape| self.shape(shape));
        let layout = layout.map(|layout| self.layout(layout));
        let fields = || shapes.iter().flat_map(|shape| &shape.fields);
        // Short names: there may be thousands of shapes. Their own names are in capitals.
        let field = fields().next().map(|_| quote!(type Field = #runtime::__private::FieldShape;));
        let wire = fields()
            .any(|field| matches!(field.kind, ShapeKind::Scalar(_)))
            .then(|| quote!(type Wire = #runtime::__private::Wire;));
        quote! {
            #[doc(hidden)]
            mod #hidden {
                type Shape = #runtime::__private::MessageShape;
                #field
                #wire
                #(#statics)*
                #layout
            }
        }
    }

    fn shape(&self, shape: &RustShape) -> TokenStream {
        let name = ident(&shape.ident);
        let full_name = &shape.full_name;
        let line_break = ident(LINE_BREAK);
        let list = if shape.fields.is_empty() {
            quote!(&[])
        } else {
            let fields = shape.fields.iter().map(|field| self.shape_field(field));
            quote!(&[#line_break, #(#fields),*])
        };
        quote! {
            pub(super) static #name: Shape = Shape::new(#full_name, #list);
        }
    }

    fn shape_field(&self, field: &ShapeField) -> TokenStream {
        let number = Literal::u32_unsuffixed(field.number);
        let name = &field.schema_name;
        let head = match &field.kind {
            ShapeKind::Scalar(wire) => {
                let wire = ident(wire);
                quote!(scalar(#number, #name, Wire::#wire))
            }
            ShapeKind::Message(shape) => {
                let shape = ident(shape);
                quote!(message(#number, #name, &#shape))
            }
            ShapeKind::Group(shape) => {
                let shape = ident(shape);
                quote!(group(#number, #name, &#shape))
            }
        };
        let size = |text: &String| {
            let element = tokens(text);
            quote!(::core::mem::size_of::<#element>())
        };
        let repeated = field.repeated.as_ref().map(size).map(|size| quote!(.repeated(#size)));
        let boxed = field.boxed.as_ref().map(size).map(|size| quote!(.boxed(#size)));
        let required = field.required.then(|| quote!(.required()));
        quote!(Field::#head #repeated #boxed #required)
    }
}
