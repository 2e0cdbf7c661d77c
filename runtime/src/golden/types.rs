//! Reads a layout text (`registry/layout.rs` has the grammar) into types by name.
//!
//! Total: a line that is not of the grammar is passed over, and what it would have named stays without a name.

use std::collections::{BTreeMap, HashMap};

/// A struct of this size fits no table, whose size has 16 bits.
const LARGEST_STRUCT: usize = 1 << 16;

/// Every type that a layout text describes. A message and a table may share a name, so the codecs are apart.
#[derive(Debug, Default)]
pub(super) struct Types {
    messages: HashMap<&'static str, Members>,
    proto_enums: HashMap<&'static str, Values>,
    tables: HashMap<&'static str, Members>,
    structs: HashMap<&'static str, Struct>,
    flat_enums: HashMap<&'static str, FlatEnum>,
    unions: HashMap<&'static str, Members>,
}

/// Fields by number: of a message, by vtable offset of a table, by offset of a struct, variants of a union.
pub(super) type Members = BTreeMap<u32, Member>;

/// Names by number.
pub(super) type Values = BTreeMap<i128, &'static str>;

#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) ty: Type,
    /// The root table in a vector of bytes.
    pub(super) nested: Option<&'static str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// A scalar, `string` or `bytes`.
    Plain(&'static str),
    /// A type of the text.
    Named(&'static str),
    Repeated(Box<Self>),
    Array(Box<Self>, u32),
    /// The number that says what a union holds.
    Which(&'static str),
}

#[derive(Debug, Default)]
pub(super) struct Struct {
    pub(super) size: usize,
    pub(super) fields: Members,
}

#[derive(Debug)]
pub(super) struct FlatEnum {
    pub(super) scalar: &'static str,
    pub(super) flags: bool,
    pub(super) values: Values,
}

/// The block whose members are being read.
enum Open {
    None,
    Message(&'static str),
    ProtoEnum(&'static str),
    Table(&'static str),
    Struct(&'static str),
    FlatEnum(&'static str),
    Union(&'static str),
}

impl Types {
    pub(super) fn parse(text: &'static str) -> Self {
        let mut types = Self::default();
        let mut open = Open::None;
        for line in text.lines() {
            let words: Vec<&'static str> = line.split(' ').collect();
            if line.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
                types.member(&open, &words);
            } else if !line.is_empty() {
                open = types.head(&words);
            }
        }
        types
    }

    fn head(&mut self, words: &[&'static str]) -> Open {
        match *words {
            ["message", name] => {
                self.messages.entry(name).or_default();
                Open::Message(name)
            }
            ["enum", name] => {
                self.proto_enums.entry(name).or_default();
                Open::ProtoEnum(name)
            }
            ["table", name] => {
                self.tables.entry(name).or_default();
                Open::Table(name)
            }
            ["struct", name, size, _] => {
                let size = size.parse().ok().filter(|size| *size <= LARGEST_STRUCT).unwrap_or(0);
                self.structs.insert(name, Struct { size, fields: Members::new() });
                Open::Struct(name)
            }
            [kind @ ("enum" | "flags"), name, scalar] => {
                let flags = kind == "flags";
                self.flat_enums.insert(name, FlatEnum { scalar, flags, values: Values::new() });
                Open::FlatEnum(name)
            }
            ["union", name] => {
                self.unions.entry(name).or_default();
                Open::Union(name)
            }
            _ => Open::None,
        }
    }

    fn member(&mut self, open: &Open, words: &[&'static str]) {
        let (number, name) = match *words {
            [number, name, ..] => (number, name),
            _ => return,
        };
        let value = |values: Option<&mut Values>| {
            if let (Some(values), Ok(number)) = (values, number.parse()) {
                // Of aliases the first is the number's name.
                values.entry(number).or_insert(name);
            }
        };
        let members = match open {
            Open::None => None,
            Open::Message(of) => self.messages.get_mut(of),
            Open::Table(of) => self.tables.get_mut(of),
            Open::Struct(of) => self.structs.get_mut(of).map(|it| &mut it.fields),
            Open::Union(of) => self.unions.get_mut(of),
            Open::ProtoEnum(of) => return value(self.proto_enums.get_mut(of)),
            Open::FlatEnum(of) => {
                return value(self.flat_enums.get_mut(of).map(|it| &mut it.values));
            }
        };
        let ty = words.get(2).and_then(|word| Type::parse(word));
        if let (Some(members), Ok(number), Some(ty)) = (members, number.parse(), ty) {
            let nested = words.get(3).and_then(|word| word.strip_prefix('.'));
            members.insert(number, Member { name, ty, nested });
        }
    }

    pub(super) fn message(&self, name: &str) -> Option<&Members> {
        self.messages.get(name)
    }

    pub(super) fn proto_enum(&self, name: &str) -> Option<&Values> {
        self.proto_enums.get(name)
    }

    pub(super) fn table(&self, name: &str) -> Option<&Members> {
        self.tables.get(name)
    }

    pub(super) fn structure(&self, name: &str) -> Option<&Struct> {
        self.structs.get(name)
    }

    pub(super) fn flat_enum(&self, name: &str) -> Option<&FlatEnum> {
        self.flat_enums.get(name)
    }

    pub(super) fn union(&self, name: &str) -> Option<&Members> {
        self.unions.get(name)
    }
}

impl Type {
    fn parse(word: &'static str) -> Option<Self> {
        if let Some(inner) = word.strip_prefix('[') {
            let inner = inner.strip_suffix(']')?;
            return match inner.split_once(':') {
                Some((of, count)) => {
                    Some(Self::Array(Box::new(Self::simple(of)), count.parse().ok()?))
                }
                None => Some(Self::Repeated(Box::new(Self::simple(inner)))),
            };
        }
        match word.strip_prefix("@.") {
            Some(union) => Some(Self::Which(union)),
            None => Some(Self::simple(word)),
        }
    }

    fn simple(word: &'static str) -> Self {
        match word.strip_prefix('.') {
            Some(name) => Self::Named(name),
            None => Self::Plain(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_reads_as_it_is_meant() {
        let types = Types::parse(
            "\nmessage a.M\n1 x [int32]\n2 e .a.E\nenum a.E\n-1 MINUS\n0 ZERO\n0 NAUGHT\n\
             table a.M\n4 u_type @.a.U\n6 u .a.U\n8 raw [ubyte] .a.M\n\
             struct a.S 24 8\n0 xs [double:3]\nflags a.F ubyte\n1 One\nunion a.U\n1 M .a.M\n",
        );
        let message = types.message("a.M").unwrap();
        assert_eq!(message[&1].ty, Type::Repeated(Box::new(Type::Plain("int32"))));
        assert_eq!(message[&2].ty, Type::Named("a.E"));
        assert_eq!(types.proto_enum("a.E").unwrap().get(&0), Some(&"ZERO"));
        let table = types.table("a.M").unwrap();
        assert_eq!((&table[&4].ty, table[&8].nested), (&Type::Which("a.U"), Some("a.M")));
        let structure = types.structure("a.S").unwrap();
        assert_eq!(structure.size, 24);
        assert_eq!(structure.fields[&0].ty, Type::Array(Box::new(Type::Plain("double")), 3));
        assert!(types.flat_enum("a.F").unwrap().flags);
        assert_eq!(types.union("a.U").unwrap()[&1].name, "M");
    }

    #[test]
    fn what_is_not_of_the_grammar_is_passed_over() {
        let types = Types::parse(
            "1 stray int\nmessage\nmessage a b c d e\n2 x\nmessage M\nx\n3 x int32\nmessage N\n\
             99999999999999 x int32\n4\n5 y\n6 z [int32\n7 w [int32:x]\n8 ok int32",
        );
        assert!(types.message("M").unwrap().is_empty());
        assert_eq!(types.message("N").unwrap().keys().collect::<Vec<_>>(), [&8]);
    }

    /// Every letter of a text replaced by every sign of the grammar.
    #[test]
    fn no_text_is_too_broken() {
        let text = "message a.M\n1 x [int32]\nstruct a.S 24 8\n0 xs [a:3]\nenum a.E ubyte\n-1 A\n4 u @.a.U .b";
        for at in 0..text.len() {
            for sign in [" ", "\n", "[", "]", ":", ".", "@", "-", "9", "é", ""] {
                let broken = format!("{}{sign}{}", &text[..at], &text[at + 1..]);
                Types::parse(Box::leak(broken.into_boxed_str()));
            }
        }
        let huge = Types::parse("struct S 18446744073709551615 8\n4294967295 x [int:4294967295]");
        assert_eq!(huge.structure("S").map(|it| it.size), Some(0));
    }
}
