//! Text to syntax tree, without meaning: no name is looked up here.
//!
//! `lexer` cuts, `cursor` steps from token to token and recovers, `declaration`, `body` and `value`
//! read what their names say into the parts of `tree`. Nothing recurses, so that nesting costs no
//! stack.

mod body;
mod cursor;
mod declaration;
mod lexer;
pub(super) mod literal;
mod token;
mod tree;
mod value;

use std::sync::Arc;

pub use token::{Extent, Finding, Token, TokenKind};
pub use tree::{
    Atom, Attribute, AttributeValue, Bracket, EnumDecl, EnumValueDecl, FieldDecl, Item, ItemKind,
    MethodDecl, Record, ServiceDecl, Text, Tree, TypeRef, UnionDecl, ValueExpr, VariantDecl,
};

use self::cursor::Cursor;

/// Reads a text (at most 4 GiB). Whatever is wrong with it, there is a tree of what could be read,
/// and its tokens are the text.
pub fn parse(text: Arc<str>) -> (Tree, Vec<Finding>) {
    let (tokens, found) = lexer::lex(&text);
    let mut cursor = Cursor::new(&text, &tokens, found);
    let items = cursor.file();
    let mut found = cursor.into_findings();
    found.sort_by_key(|it| it.extent.start);
    (Tree { text, tokens, items }, found)
}
