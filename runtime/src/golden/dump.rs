//! Regions as lines: offset, bytes, field, meaning.

use super::frames::Subject;
use super::sheet::{ROW, Region};
use super::{Frame, Message, Side};
use crate::frame::Protocol;
use crate::frame::frpc::ByteOrder;
use std::fmt::{self, Write as _};

/// Columns of the bytes of a whole row.
const HEX: usize = 3 * ROW - 1;
/// Columns of a field; a longer one pushes its meaning to the right, and no other line.
const FIELD: usize = 32;

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let protocol = match (self.protocol, self.order()) {
            (Protocol::Prpc, _) => "PRPC",
            (Protocol::Frpc, ByteOrder::Big) => "FRPC, big-endian",
            (Protocol::Frpc, ByteOrder::Little) => "FRPC, little-endian",
        };
        head(f, protocol, self.subject, self.bytes.len())?;
        lines(f, &self.regions(), &self.bytes)
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codec = self.subject.method.codec().to_string();
        head(f, &codec, self.subject, self.bytes.len())?;
        lines(f, &self.regions(), &self.bytes)
    }
}

fn head(f: &mut fmt::Formatter<'_>, protocol: &str, subject: Subject, len: usize) -> fmt::Result {
    let side = match subject.side {
        Side::Request => "request",
        Side::Reply => "reply",
    };
    let (method, message) = (subject.method.full_name(), subject.message_name());
    writeln!(f, "{protocol}: {side} of {method}, message {message}, {len} bytes")?;
    if subject.method.layout_text().is_none() {
        f.write_str("no names: the code of this method says nothing of its layout\n")?;
    }
    f.write_char('\n')
}

fn lines(f: &mut fmt::Formatter<'_>, regions: &[Region], bytes: &[u8]) -> fmt::Result {
    for region in regions {
        let Region { range, field, meaning } = region;
        let shown = digits(bytes.get(range.clone()).unwrap_or_default());
        let line = format!("{:06x}  {shown:<HEX$}  {field:<FIELD$}  {meaning}", range.start);
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}

/// The bytes of one row; of more their number and a checksum.
fn digits(bytes: &[u8]) -> String {
    if bytes.len() > ROW {
        return format!("… {} bytes, crc32c {:08x}", bytes.len(), crc32c::crc32c(bytes));
    }
    let mut digits = String::with_capacity(HEX);
    for byte in bytes {
        if !digits.is_empty() {
            digits.push(' ');
        }
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
