//! Schemas of any size, the same in both languages: messages of ten fields, services whose methods
//! each have a message of their own.

use serde::{Deserialize, Serialize};
use std::fmt::{self, Write as _};
use std::str::FromStr;

/// A schema language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Language {
    Proto,
    Fbs,
}

/// How large a schema is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Size {
    pub(crate) messages: usize,
    pub(crate) services: usize,
    /// Of each service.
    pub(crate) methods: usize,
}

/// More would fit into no memory.
const LARGEST: usize = 1_000_000;
const FIELDS: usize = 10;

/// Ten, a thousand, ten thousand, and what others were measured on.
pub(crate) fn usual() -> Vec<Size> {
    let alike = |count| Size { messages: count, services: count, methods: 1 };
    vec![alike(10), alike(1_000), alike(10_000), LOTS]
}

/// 500 messages, 25 services of 20 methods: what generators are compared on.
pub(crate) const LOTS: Size = Size { messages: 500, services: 25, methods: 20 };

impl Size {
    pub(crate) fn all_methods(&self) -> usize {
        self.services * self.methods
    }

    /// The same messages alone.
    pub(crate) fn without_services(&self) -> Self {
        Self { services: 0, ..self.clone() }
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Result<Vec<usize>, _> = text.split(',').map(str::parse).collect();
        let numbers = numbers.map_err(|error| format!("`{text}`: {error}"))?;
        let (messages, services, methods) = match numbers[..] {
            [messages] => (messages, messages, 1),
            [messages, services, methods] => (messages, services, methods),
            _ => return Err(format!("`{text}` is neither one number nor three")),
        };
        let fits = services.checked_mul(methods).is_some_and(|all| all <= messages);
        match (1..=LARGEST).contains(&messages) && fits {
            true => Ok(Self { messages, services, methods }),
            false => {
                Err(format!("`{text}`: from 1 to {LARGEST} messages, and one for each method"))
            }
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { messages, services, methods } = self;
        write!(f, "{messages} messages, {services} services of {methods}")
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Proto => ".proto",
            Self::Fbs => ".fbs",
        })
    }
}

impl Language {
    /// The name of the one file.
    pub(crate) fn file(self) -> &'static str {
        match self {
            Self::Proto => "lots.proto",
            Self::Fbs => "lots.fbs",
        }
    }

    /// A schema.
    pub(crate) fn schema(self, size: &Size) -> String {
        let mut text = match self {
            Self::Proto => "syntax = \"proto3\";\npackage lots;\n".to_owned(),
            Self::Fbs => "namespace lots;\n".to_owned(),
        };
        for message in 0..size.messages {
            self.message(&mut text, message);
        }
        for service in 0..size.services {
            self.service(&mut text, service, size.methods);
        }
        text
    }

    // Writing to a string cannot fail.

    fn message(self, text: &mut String, message: usize) {
        _ = match self {
            Self::Proto => writeln!(text, "message Message{message} {{"),
            Self::Fbs => writeln!(text, "table Message{message} {{"),
        };
        for field in 1..=FIELDS {
            _ = match self {
                Self::Proto => writeln!(text, "  string field_{field} = {field};"),
                Self::Fbs => writeln!(text, "  field_{field}: string;"),
            };
        }
        text.push_str("}\n");
    }

    fn service(self, text: &mut String, service: usize, methods: usize) {
        _ = match self {
            Self::Proto => writeln!(text, "service Service{service} {{"),
            Self::Fbs => writeln!(text, "rpc_service Service{service} {{"),
        };
        for method in 0..methods {
            let message = format!("Message{}", service * methods + method);
            _ = match self {
                Self::Proto => {
                    writeln!(text, "  rpc Method{method}({message}) returns ({message});")
                }
                Self::Fbs => writeln!(text, "  Method{method}({message}): {message};"),
            };
        }
        text.push_str("}\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_as_large_as_they_say() {
        let size = Size { messages: 7, services: 3, methods: 2 };
        for language in [Language::Proto, Language::Fbs] {
            let schema = language.schema(&size);
            let output = stubwire_codegen::configure()
                .generate_texts(&[(language.file(), &schema)])
                .expect("generated");
            let rust: String = output.files.into_iter().map(|file| file.content).collect();
            for service in 0..3 {
                assert_eq!(rust.matches(&format!("pub trait Service{service}:")).count(), 1);
            }
            assert_eq!(rust.matches("    fn method1(").count(), 3, "{language}");
            assert!(rust.contains("Message6") && !rust.contains("Message7"), "{language}");
            assert!(!language.schema(&size.without_services()).contains("service"));
        }
    }
}
