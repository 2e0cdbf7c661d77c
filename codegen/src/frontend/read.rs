//! Reads one file: regular files only, bounded, UTF-8.

#[cfg(any(feature = "proto", feature = "fbs"))]
use std::sync::Arc;
use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use crate::ir::{Code, code};

/// Bytes of one schema file. The largest schemas in public use are below 10 MB; protoc itself
/// reads messages of at most 64 MiB by default.
pub(super) const FILE_BYTES: u64 = 64 << 20;

/// Why a file was refused; the caller knows the place to blame.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) code: Code,
    pub(super) message: String,
    /// Line and column, from 1, of the first bad byte.
    #[cfg_attr(not(any(feature = "proto", feature = "fbs")), allow(dead_code))]
    pub(super) at: Option<(u32, u32)>,
}

impl Refused {
    fn new(code: Code, message: String) -> Self {
        Self { code, message, at: None }
    }
}

/// Reads the text at `path`. `shown` is how messages name it.
#[cfg(any(feature = "proto", feature = "fbs"))]
pub(super) fn read(path: &Path, shown: &str) -> Result<Arc<str>, Refused> {
    decode(&read_bytes(path, shown)?, shown)
}

/// Reads what is at `path`, text or not.
pub(super) fn read_bytes(path: &Path, shown: &str) -> Result<Vec<u8>, Refused> {
    let failed = |err: io::Error| {
        let code = match err.kind() {
            io::ErrorKind::NotFound => code::NOT_FOUND,
            _ => code::UNREADABLE,
        };
        Refused::new(code, format!("cannot read `{shown}`: {}", reason(&err)))
    };
    // Looked at before it is opened: opening a FIFO waits for a writer.
    let metadata = fs::metadata(path).map_err(failed)?;
    check_kind(&metadata, shown)?;
    let file = File::open(path).map_err(failed)?;
    // Looked at again: it may have been replaced in between.
    check_kind(&file.metadata().map_err(failed)?, shown)?;
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    file.take(FILE_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > FILE_BYTES {
        return Err(too_large(shown));
    }
    Ok(bytes)
}

/// Turns bytes into text, without the byte order mark that protoc and flatc skip too.
#[cfg(any(feature = "proto", feature = "fbs"))]
pub(super) fn decode(bytes: &[u8], shown: &str) -> Result<Arc<str>, Refused> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Arc::from(text)),
        Err(err) => {
            let before = &bytes[..err.valid_up_to()];
            let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
            let line = before.iter().filter(|b| **b == b'\n').count() as u32 + 1;
            let column = String::from_utf8_lossy(&before[line_start..]).chars().count() as u32 + 1;
            let message = format!("`{shown}` is not UTF-8 text");
            Err(Refused { code: code::NOT_UTF8, message, at: Some((line, column)) })
        }
    }
}

fn check_kind(metadata: &fs::Metadata, shown: &str) -> Result<(), Refused> {
    if metadata.is_dir() {
        return Err(Refused::new(code::NOT_REGULAR, format!("`{shown}` is a directory")));
    }
    if !metadata.is_file() {
        return Err(Refused::new(code::NOT_REGULAR, format!("`{shown}` is not a regular file")));
    }
    if metadata.len() > FILE_BYTES {
        return Err(too_large(shown));
    }
    Ok(())
}

fn too_large(shown: &str) -> Refused {
    let limit = FILE_BYTES >> 20;
    Refused::new(code::TOO_LARGE, format!("`{shown}` is larger than {limit} MiB"))
}

/// The system's words without its error number, in lower case as all messages are.
pub(super) fn reason(err: &io::Error) -> String {
    let text = err.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => String::new(),
    }
}
