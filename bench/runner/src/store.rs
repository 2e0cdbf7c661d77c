//! Records as files: a line of JSON a cell.

use crate::record::{CellRecord, FORMAT};
use serde::Deserialize;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Appends a line.
///
/// # Errors
/// Those of the file.
pub fn append(path: &Path, record: &CellRecord) -> io::Result<()> {
    let mut line = serde_json::to_vec(record)?;
    line.push(b'\n');
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(&line)
}

/// Reads a record.
///
/// # Errors
/// Those of the file; a line that is none of this format, with its number.
pub fn read(path: &Path) -> io::Result<Vec<CellRecord>> {
    let text = fs::read_to_string(path)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            parse(line).map_err(|why| {
                let text = format!("{}:{}: {why}", path.display(), index + 1);
                io::Error::new(io::ErrorKind::InvalidData, text)
            })
        })
        .collect()
}

fn parse(line: &str) -> Result<CellRecord, String> {
    #[derive(Deserialize)]
    struct Format {
        format: u32,
    }
    let Format { format } = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if format != FORMAT {
        return Err(format!("a record of format {format}; this program reads {FORMAT}"));
    }
    serde_json::from_str(line).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::record;

    #[test]
    fn a_record_reads_back_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let records = [record("one", &[100.0, 110.5]), record("two", &[1e6 / 3.0])];
        for record in &records {
            append(&path, record).unwrap();
        }
        assert_eq!(read(&path).unwrap(), records);
    }

    #[test]
    fn a_line_of_another_format_is_refused_with_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        append(&path, &record("one", &[1.0])).unwrap();
        let mut text = fs::read_to_string(&path).unwrap();
        text.push_str("{\"format\":99}\n");
        fs::write(&path, &text).unwrap();
        let error = read(&path).unwrap_err().to_string();
        assert!(
            error.ends_with("a.jsonl:2: a record of format 99; this program reads 1"),
            "{error}"
        );
        fs::write(&path, "no json\n").unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("a.jsonl:1: "));
    }
}
