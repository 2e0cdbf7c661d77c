//! Bytes to a schema of which every offset was looked at.

use flatbuffers::{VerifierOptions, root_with_opts};
use flatbuffers_reflection::reflection::Schema;

use super::limit;

/// `BFBS`, behind the offset of the root.
const IDENTIFIER: &[u8] = b"BFBS";

/// Verifies a binary schema, within limits that follow from its length.
///
/// # Errors
/// What is wrong with it.
pub(super) fn verify(bytes: &[u8]) -> Result<Schema<'_>, String> {
    if bytes.len() > limit::FILE_BYTES {
        return Err(format!("is larger than {} MiB", limit::FILE_BYTES >> 20));
    }
    if bytes.get(4..8) != Some(IDENTIFIER) {
        return Err("is no binary schema: it lacks the identifier `BFBS`".to_owned());
    }
    let options = VerifierOptions {
        max_depth: limit::DEPTH,
        max_tables: limit::verified_tables(bytes.len()),
        max_apparent_size: limit::verified_bytes(bytes.len()),
        ignore_missing_null_terminator: false,
    };
    root_with_opts::<Schema<'_>>(&options, bytes).map_err(|found| {
        let text = found.to_string();
        let first = text.lines().next().unwrap_or_default().trim_end_matches(['.', ':']);
        format!("does not verify: {first}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_e22_what_is_no_binary_schema_is_refused() {
        for bytes in [&b""[..], b"BFBS", b"\0\0\0\0BFBS", b"table T {}", &[0xff; 64]] {
            assert!(verify(bytes).is_err(), "{bytes:?}");
        }
    }
}
