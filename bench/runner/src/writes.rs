//! Writes a call: a round under `strace -c`, which is no round of the measurement, since every
//! system call is then ten times as slow.

use crate::record::WritesPerCall;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// Whether system calls can be counted here, and why not.
///
/// # Errors
/// In words for the record.
pub fn available() -> Result<(), String> {
    let quiet = Command::new("strace")
        .args(["-c", "-o", "/dev/null", "true"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match quiet {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("strace may not trace here".to_owned()),
        Err(_) => Err("no strace".to_owned()),
    }
}

/// What to put before a program so that its writes are counted into a file.
pub fn under(file: &Path) -> Vec<String> {
    let mut words: Vec<String> =
        ["strace", "-f", "-c", "-e", "trace=write,writev,sendto,sendmsg,sendmmsg", "-o"]
            .map(str::to_owned)
            .into();
    words.push(file.display().to_string());
    words
}

/// Reads the counts for a program that made so many calls.
///
/// # Errors
/// Those of the file.
pub fn read(file: &Path, calls: u64) -> io::Result<Option<WritesPerCall>> {
    let text = fs::read_to_string(file)?;
    Ok((calls > 0).then(|| per_call(&text, calls)))
}

/// The table has a line a system call: share, seconds, microseconds a call, calls, perhaps errors,
/// and the name last.
fn per_call(table: &str, calls: u64) -> WritesPerCall {
    let mut counts = WritesPerCall::default();
    for line in table.lines() {
        let fields: Vec<_> = line.split_whitespace().collect();
        let Some(count) = fields.get(3).and_then(|count| count.parse::<u64>().ok()) else {
            continue;
        };
        let count = count as f64 / calls as f64;
        match fields.last() {
            Some(&"write") => counts.writes += count,
            Some(&("writev" | "sendto" | "sendmsg" | "sendmmsg")) => counts.sends += count,
            _ => {}
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_strace_is_read() {
        let table = "\
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 98.00    0.010000           1     10000        12 sendto
  1.00    0.000100           1       500           writev
  1.00    0.000100           1       250           write
------ ----------- ----------- --------- --------- ----------------
100.00    0.010200           1     10750        12 total
";
        let counts = per_call(table, 1000);
        assert_eq!(counts, WritesPerCall { sends: 10.5, writes: 0.25 });
        assert_eq!(per_call("", 10), WritesPerCall::default());
    }
}
