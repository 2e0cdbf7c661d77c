//! The values of strings and numbers.

use super::token::{Extent, Finding};
use crate::ir::code;

/// The text in a string token, quotes and all.
pub(super) fn string(token: &str, extent: Extent) -> Result<String, Finding> {
    let mut bytes = Vec::with_capacity(token.len());
    // Without its quotes; one that does not end was reported and ends with its line.
    let quote = &token[..1];
    let inner = token[1..].strip_suffix(quote).unwrap_or(&token[1..]);
    let mut rest = inner;
    let at = |rest: &str, length: usize| {
        let start = extent.start + 1 + (inner.len() - rest.len()) as u32;
        Extent { start, end: start + length as u32 }
    };
    while let Some(character) = rest.chars().next() {
        if (character as u32) < 0x20 || character == '\u{7f}' {
            let message = format!("`{}` in a string", character.escape_debug());
            return Err(Finding::new(code::FBS_LITERAL, at(rest, 1), message).help("escape it"));
        }
        if character != '\\' {
            let length = character.len_utf8();
            bytes.extend_from_slice(&rest.as_bytes()[..length]);
            rest = &rest[length..];
            continue;
        }
        match escape(rest) {
            Ok((value, length)) => {
                value.write(&mut bytes);
                rest = &rest[length..];
            }
            Err(message) => {
                let length = rest.chars().take(2).map(char::len_utf8).sum();
                return Err(Finding::new(code::FBS_LITERAL, at(rest, length), message));
            }
        }
    }
    String::from_utf8(bytes).map_err(|_| {
        Finding::new(code::FBS_LITERAL, extent, "the escapes of this string are not UTF-8")
    })
}

enum Escaped {
    Byte(u8),
    Character(char),
}

impl Escaped {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Byte(byte) => out.push(*byte),
            Self::Character(character) => {
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }
}

/// One escape at the start of `rest`, and its length.
fn escape(rest: &str) -> Result<(Escaped, usize), String> {
    let simple = |character| Ok((Escaped::Character(character), 2));
    match rest.as_bytes().get(1) {
        Some(b'n') => simple('\n'),
        Some(b't') => simple('\t'),
        Some(b'r') => simple('\r'),
        Some(b'b') => simple('\u{8}'),
        Some(b'f') => simple('\u{c}'),
        Some(byte @ (b'"' | b'\'' | b'\\' | b'/')) => simple(*byte as char),
        Some(b'x') => {
            let value = hex(rest, 2, 2).ok_or("`\\x` needs two hexadecimal digits")?;
            Ok((Escaped::Byte(value as u8), 4))
        }
        Some(b'u') => unicode(rest),
        _ => {
            let escape: String = rest.chars().take(2).collect();
            Err(format!("`{}` is no escape", escape.escape_debug()))
        }
    }
}

/// `\uXXXX`, or two of them for a character outside of the basic plane.
fn unicode(rest: &str) -> Result<(Escaped, usize), String> {
    let first = hex(rest, 2, 4).ok_or("`\\u` needs four hexadecimal digits")?;
    if !(0xD800..0xDC00).contains(&first) {
        let character = char::from_u32(first).ok_or("a low surrogate without a high one")?;
        return Ok((Escaped::Character(character), 6));
    }
    let second = match rest.get(6..8) {
        Some("\\u") => hex(rest, 8, 4).filter(|it| (0xDC00..0xE000).contains(it)),
        _ => None,
    };
    let second = second.ok_or("a high surrogate without a low one")?;
    let value = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    Ok((Escaped::Character(char::from_u32(value).unwrap_or('\u{fffd}')), 12))
}

fn hex(text: &str, start: usize, digits: usize) -> Option<u32> {
    let digits = text.get(start..start + digits)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(())?;
    u32::from_str_radix(digits, 16).ok()
}

/// An integer with or without sign, decimal or hexadecimal; `None` when it is none, or out of all
/// bounds.
pub(crate) fn integer(text: &str) -> Option<i128> {
    let (negative, digits) = sign(text);
    let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) if hex.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            i128::from_str_radix(hex, 16).ok()?
        }
        None if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse().ok()?,
        _ => return None,
    };
    Some(if negative { -magnitude } else { magnitude })
}

/// A number with or without point and exponent, or a word for what is no number.
pub(crate) fn float(text: &str) -> Option<f64> {
    let (negative, digits) = sign(text);
    let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => hex_float(hex)?,
        None => match digits {
            "nan" => f64::NAN,
            "inf" | "infinity" => f64::INFINITY,
            _ if digits.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte)) => {
                digits.parse().ok()?
            }
            _ => return None,
        },
    };
    Some(if negative { -magnitude } else { magnitude })
}

fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// `1.8p3`, the exponent being mandatory.
fn hex_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once(['p', 'P'])?;
    let mut exponent = i64::from(exponent.parse::<i32>().ok()?);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value: u128 = 0;
    for (digits, step) in [(whole, 0), (fraction, -4)] {
        for digit in digits.chars() {
            let digit = digit.to_digit(16)?;
            // Digits beyond 112 bits are below what a double holds.
            if value >> 108 == 0 {
                value = value << 4 | u128::from(digit);
                exponent += step;
            } else if step == 0 {
                exponent += 4;
            }
        }
    }
    let mut result = value as f64;
    // In two steps, so that neither power over- or underflows for itself.
    for _ in 0..2 {
        let step = exponent.clamp(-1000, 1000);
        result *= 2f64.powi(step as i32);
        exponent -= step;
    }
    Some(match exponent {
        0 => result,
        ..0 => 0.0,
        _ if value == 0 => 0.0,
        _ => f64::INFINITY,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(token: &str) -> Result<String, String> {
        string(token, Extent::default()).map_err(|found| found.message)
    }

    #[test]
    fn escapes_are_read() {
        let all = r#""\n\t\r\b\f\"\'\\\/\x41\u00e9\ud834\udd1e""#;
        assert_eq!(read(all).as_deref(), Ok("\n\t\r\u{8}\u{c}\"'\\/Aé𝄞"));
        assert_eq!(read(r#"'it"s'"#).as_deref(), Ok("it\"s"));
        assert_eq!(read(r#""\xc3\xa9""#).as_deref(), Ok("é"));
    }

    #[test]
    fn wrong_escapes_are_refused() {
        for token in [r#""\q""#, r#""\x4""#, r#""\u12""#, r#""\ud834""#, r#""\udd1e""#, r#""\x80""#]
        {
            assert!(read(token).is_err(), "{token}");
        }
    }

    #[test]
    fn integers_are_read() {
        assert_eq!(integer("-0x10"), Some(-16));
        assert_eq!(integer("+007"), Some(7));
        assert_eq!(integer("18446744073709551615"), Some(u64::MAX.into()));
        for wrong in ["", "-", "0x", "1.0", "0x1p3", "--1", "٣"] {
            assert_eq!(integer(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn floats_are_read() {
        assert_eq!(float("1.5E-3"), Some(0.0015));
        assert_eq!(float("0x1p3"), Some(8.0));
        assert_eq!(float("-0x1.8p-1"), Some(-0.75));
        assert_eq!(float("0x1p-1074"), Some(5e-324));
        assert_eq!(float("0x1p2000"), Some(f64::INFINITY));
        assert_eq!(float("0x0p2000"), Some(0.0));
        assert_eq!(float("0x1p-3000"), Some(0.0));
        assert_eq!(float("-inf"), Some(f64::NEG_INFINITY));
        assert!(float("nan").is_some_and(f64::is_nan));
        for wrong in ["", ".", "pi", "0x1.8", "1e", "e5", "NaN"] {
            assert_eq!(float(wrong), None, "{wrong}");
        }
    }
}
