//! Random schemas out of nasty words, the same for a seed for ever. Shared by build.rs, which
//! compiles a batch of them when asked, and by the test that checks many more for their structure.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Words that have made trouble, in many spellings.
const WORDS: &[&str] = &[
    "Foo",
    "foo",
    "FOO",
    "foo_",
    "_foo",
    "FooBar",
    "foo_bar",
    "FOO_BAR",
    "fooBar",
    "Foo_Bar",
    "FooClient",
    "FooServer",
    "foo_client",
    "Foo_Server",
    "FooOneOf",
    "new",
    "New",
    "connect",
    "Connect",
    "new_",
    "clone",
    "Clone",
    "drop",
    "fmt",
    "Self",
    "self",
    "super",
    "crate",
    "extern",
    "type",
    "Type",
    "fn",
    "async",
    "await",
    "gen",
    "try",
    "move",
    "dyn",
    "abstract",
    "match",
    "Option",
    "Some",
    "None",
    "Result",
    "Ok",
    "Err",
    "Box",
    "Vec",
    "String",
    "Default",
    "Into",
    "From",
    "Iterator",
    "Copy",
    "Send",
    "Sync",
    "Sized",
    "Drop",
    "Debug",
    "Eq",
    "Hash",
    "bool",
    "Bool",
    "u32",
    "U32",
    "str",
    "Str",
    "usize",
    "i32",
    "f64",
    "_1",
    "_1a",
    "_1A",
    "a1",
    "A1",
    "a_1",
    "x",
    "X",
    "_x",
    "x_",
    "Service",
    "Client",
    "Server",
    "Call",
    "Status",
    "Channel",
    "Pending",
    "Registry",
    "call",
    "request",
    "reply",
    "service",
    "channel",
    "methods",
    "register",
    "descriptor",
    "target",
    "core",
    "std",
    "alloc",
    "prost",
    "stubwire",
    "Message",
    "Name",
    "Enumeration",
    "Oneof",
    "kind",
    "set_kind",
    "get_kind",
    "push_kind",
    "insert_kind",
    "kind_1",
    "kind_2",
    "encode",
    "decode",
    "merge",
    "clear",
    "Kind",
    "encoded_len",
    "T",
    "S",
    "B",
    "E",
    "HTTPServer",
    "httpServer",
    "XMLHttpRequest",
    "is_ok",
    "to_x",
    "cmp",
    "value",
    "key",
    "tag",
    "buf",
    "ctx",
    "wire_type",
    "builder",
    "wrapper",
    "error",
    "Error",
];

/// xorshift64*: enough, and the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    /// A word that does not stand in the scope yet.
    fn word(&mut self, scope: &mut BTreeSet<String>) -> Option<String> {
        for _ in 0..8 {
            let word = WORDS[self.below(WORDS.len())];
            let word = match self.below(8) {
                0 => format!("{word}{}", WORDS[self.below(WORDS.len())]),
                1 => format!("{word}_{}", WORDS[self.below(WORDS.len())]),
                _ => word.to_owned(),
            };
            if scope.insert(word.clone()) {
                return Some(word);
            }
        }
        None
    }
}

/// A whole schema file.
pub fn schema(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut out = String::from("syntax = \"proto2\";\n");
    let mut package = String::new();
    for _ in 0..random.below(3) {
        let word = random.word(&mut BTreeSet::new()).unwrap_or_default();
        package.push_str(if package.is_empty() { "" } else { "." });
        package.push_str(&word);
    }
    if !package.is_empty() {
        writeln!(out, "package {package};").expect("text");
    }
    let prefix = if package.is_empty() { String::new() } else { format!(".{package}") };
    let mut scope = BTreeSet::from([package.split('.').next().unwrap_or("").to_owned()]);
    let mut writer = Writer { random, out, messages: Vec::new(), enums: Vec::new() };
    for _ in 0..1 + writer.random.below(4) {
        writer.message(&prefix, &mut scope, 0);
    }
    for _ in 0..writer.random.below(2) {
        writer.enumeration(&prefix, &mut scope);
    }
    for _ in 0..writer.random.below(4) {
        writer.service(&mut scope);
    }
    writer.out
}

struct Writer {
    random: Random,
    out: String,
    messages: Vec<String>,
    enums: Vec<String>,
}

impl Writer {
    fn line(&mut self, text: &str) {
        writeln!(self.out, "{text}").expect("text");
    }

    fn message(&mut self, prefix: &str, outer: &mut BTreeSet<String>, depth: usize) {
        let Some(name) = self.random.word(outer) else { return };
        let full_name = format!("{prefix}.{name}");
        self.line(&format!("message {name} {{"));
        let mut scope = BTreeSet::new();
        for _ in 0..self.random.below(3) {
            if self.random.one_in(2) && depth < 3 {
                self.message(&full_name, &mut scope, depth + 1);
            } else {
                self.enumeration(&full_name, &mut scope);
            }
        }
        let mut number = 0;
        for _ in 0..self.random.below(6) {
            number += 1 + self.random.below(2) as u32;
            self.field(&mut scope, number);
        }
        if self.random.one_in(2)
            && let Some(oneof) = self.random.word(&mut scope)
        {
            self.line(&format!("oneof {oneof} {{"));
            for _ in 0..1 + self.random.below(3) {
                number += 1;
                if let Some(field) = self.random.word(&mut scope) {
                    let kind = self.kind();
                    self.line(&format!("{kind} {field} = {number};"));
                }
            }
            number += 1;
            self.line(&format!("int32 last_member_of_{number} = {number}; }}"));
        }
        self.line("}");
        self.messages.push(full_name);
    }

    fn field(&mut self, scope: &mut BTreeSet<String>, number: u32) {
        let Some(name) = self.random.word(scope) else { return };
        let kind = self.kind();
        let text = match self.random.below(6) {
            0 => format!("map<string, {kind}> {name} = {number};"),
            1 => format!("repeated {kind} {name} = {number};"),
            2 => format!("required int32 {name} = {number};"),
            _ => format!("optional {kind} {name} = {number};"),
        };
        self.line(&text);
    }

    fn kind(&mut self) -> String {
        match self.random.below(5) {
            0 if !self.messages.is_empty() => {
                self.messages[self.random.below(self.messages.len())].clone()
            }
            1 | 2 if !self.enums.is_empty() => {
                self.enums[self.random.below(self.enums.len())].clone()
            }
            3 => "bytes".to_owned(),
            4 => "string".to_owned(),
            _ => "int32".to_owned(),
        }
    }

    fn enumeration(&mut self, prefix: &str, outer: &mut BTreeSet<String>) {
        let Some(name) = self.random.word(outer) else { return };
        self.line(&format!("enum {name} {{"));
        for number in 0..1 + self.random.below(4) {
            // Values live beside their enum.
            if let Some(value) = self.random.word(outer) {
                self.line(&format!("{value} = {number};"));
            }
        }
        let last = format!("last_value_{}", outer.len());
        outer.insert(last.clone());
        self.line(&format!("{last} = 99; }}"));
        self.enums.push(format!("{prefix}.{name}"));
    }

    fn service(&mut self, outer: &mut BTreeSet<String>) {
        let Some(name) = self.random.word(outer) else { return };
        self.line(&format!("service {name} {{"));
        let mut scope = BTreeSet::new();
        for _ in 0..self.random.below(6) {
            let request = self.messages.get(self.random.below(self.messages.len().max(1))).cloned();
            let (Some(request), Some(method)) = (request, self.random.word(&mut scope)) else {
                continue;
            };
            self.line(&format!("rpc {method}({request}) returns ({request});"));
        }
        self.line("}");
    }
}
