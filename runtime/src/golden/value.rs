//! Values as text.

use super::types::{FlatEnum, Values};
use crate::status::Code;

/// The text of some bytes, as far as it is one.
pub(super) fn text(bytes: &[u8]) -> String {
    format!("\"{}\"", String::from_utf8_lossy(bytes).escape_debug())
}

/// Bytes as a hex dump shows them beside the digits.
pub(super) fn ascii(bytes: &[u8]) -> String {
    let char = |byte: &u8| if matches!(byte, 0x20..=0x7e) { *byte as char } else { '.' };
    format!("|{}|", bytes.iter().map(char).collect::<String>())
}

/// `2 Green`, and the number alone where it has no name.
pub(super) fn named(number: i128, values: Option<&Values>) -> String {
    match values.and_then(|values| values.get(&number)) {
        Some(name) => format!("{number} {name}"),
        None => number.to_string(),
    }
}

/// One of brpc's error numbers.
pub(super) fn error_code(number: i32) -> String {
    match Code::new(number).name() {
        Some(name) => format!("{number} {name}"),
        None => number.to_string(),
    }
}

/// The size of a FlatBuffers scalar; none for what is no scalar.
pub(super) fn scalar_size(keyword: &str) -> Option<usize> {
    Some(match keyword {
        "bool" | "byte" | "ubyte" => 1,
        "short" | "ushort" => 2,
        "int" | "uint" | "float" => 4,
        "long" | "ulong" | "double" => 8,
        _ => return None,
    })
}

/// A FlatBuffers integer.
pub(super) fn integer(keyword: &str, bytes: &[u8]) -> Option<i128> {
    let mut word = [0; 8];
    word.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let bits = u64::from_le_bytes(word);
    Some(match keyword {
        "byte" => i128::from(bits as i8),
        "short" => i128::from(bits as i16),
        "int" => i128::from(bits as i32),
        "long" => i128::from(bits.cast_signed()),
        _ => i128::from(bits),
    })
}

/// A FlatBuffers scalar of so many bytes as it has.
pub(super) fn scalar(keyword: &str, bytes: &[u8]) -> String {
    match (keyword, bytes) {
        ("bool", [0]) => "false".to_owned(),
        ("bool", [1]) => "true".to_owned(),
        ("float", &[a, b, c, d]) => format!("{:?}", f32::from_le_bytes([a, b, c, d])),
        ("double", bytes) => match bytes.try_into() {
            Ok(bytes) => format!("{:?}", f64::from_le_bytes(bytes)),
            Err(_) => ascii(bytes),
        },
        _ => integer(keyword, bytes).map_or_else(|| ascii(bytes), |number| number.to_string()),
    }
}

/// A FlatBuffers enum, or a set of flags.
pub(super) fn enumerator(it: &FlatEnum, bytes: &[u8]) -> String {
    let Some(number) = integer(it.scalar, bytes) else { return ascii(bytes) };
    if !it.flags {
        return named(number, Some(&it.values));
    }
    let set = it.values.iter().filter(|(bit, _)| number & **bit != 0).map(|(_, name)| *name);
    let names = set.collect::<Vec<_>>().join("|");
    if names.is_empty() { number.to_string() } else { format!("{number} {names}") }
}
