//! The comparison with the files, and their blessing.

use super::diff::diff;
use std::ffi::OsStr;
use std::fmt::{Display, Write as _};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Set to `1`, it lets assertions write what they were given.
const BLESS: &str = "STUBWIRE_BLESS";

/// Compares, or blesses, and panics with what is wrong. For the macros.
///
/// # Panics
/// When a file is missing or differs, or cannot be written.
#[doc(hidden)]
#[track_caller]
pub fn check(root: &str, path: &str, pinned: &(impl Display + AsRef<[u8]>)) {
    let files = Files::new(Path::new(root), path);
    let (bytes, text) = (pinned.as_ref(), pinned.to_string());
    let bless =
        wants_blessing(std::env::var_os(BLESS).as_deref(), std::env::var_os("CI").as_deref());
    let outcome = if bless {
        files
            .write(bytes, &text)
            .map_err(|error| format!("golden `{path}` cannot be written: {error}"))
    } else {
        files.compare(path, bytes, &text)
    };
    if let Err(message) = outcome {
        panic!("{message}");
    }
}

/// Nothing is accepted where nobody looks at it.
fn wants_blessing(bless: Option<&OsStr>, ci: Option<&OsStr>) -> bool {
    let set = |value: Option<&OsStr>| value.is_some_and(|value| !value.is_empty());
    bless.is_some_and(|value| value == "1") && !set(ci)
}

/// The two files of a golden.
struct Files {
    bin: PathBuf,
    txt: PathBuf,
}

impl Files {
    fn new(root: &Path, path: &str) -> Self {
        // Appended, since a name may have a dot of its own.
        let with = |ending: &str| root.join(format!("{path}.{ending}"));
        Self { bin: with("bin"), txt: with("txt") }
    }

    fn write(&self, bytes: &[u8], text: &str) -> io::Result<()> {
        if let Some(folder) = self.bin.parent() {
            fs::create_dir_all(folder)?;
        }
        write(&self.bin, bytes)?;
        write(&self.txt, text.as_bytes())
    }

    fn compare(&self, path: &str, bytes: &[u8], text: &str) -> Result<(), String> {
        let (bin, txt) = (self.read(&self.bin)?, self.read(&self.txt)?);
        let (Some(bin), Some(txt)) = (bin.as_ref(), txt.as_ref()) else {
            let missing = if bin.is_none() { &self.bin } else { &self.txt };
            return Err(format!(
                "golden `{path}` is missing: there is no {}\nit would hold:\n{}\n{}",
                missing.display(),
                beginning(text),
                self.how_to_bless(),
            ));
        };
        let known = String::from_utf8_lossy(txt);
        // A checkout on another system may have changed the ends of lines.
        let same_text = known.lines().eq(text.lines());
        if bin == bytes && same_text {
            return Ok(());
        }
        let mut message = format!("golden `{path}` differs\n");
        // Writing to a string does not fail.
        let _ = writeln!(message, "{}", about_bytes(bin, bytes));
        if same_text {
            message
                .push_str("the dump is the same: the difference is in a part that it shortens\n");
        } else {
            message.push_str("- golden  + now\n");
            message.push_str(&diff(&known, text, without_places));
        }
        Err(message + &self.how_to_bless())
    }

    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, String> {
        match fs::read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("cannot read {}: {error}", path.display())),
        }
    }

    fn how_to_bless(&self) -> String {
        format!(
            "to accept what it is now, run the test with {BLESS}=1 (where CI is set, nothing is accepted), look at \
             the difference in\n  {}\n  {}\nand commit both",
            self.bin.display(),
            self.txt.display(),
        )
    }
}

/// Whole or not at all: whoever reads meanwhile sees the old file or the new one.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|known| known == bytes) {
        return Ok(());
    }
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = PathBuf::from(name);
    fs::write(&new, bytes)?;
    fs::rename(&new, path).inspect_err(|_| {
        // What is left behind is of no use; that the rename failed is what counts.
        let _ = fs::remove_file(&new);
    })
}

fn about_bytes(golden: &[u8], now: &[u8]) -> String {
    if golden == now {
        return "the bytes are the same, what they are called is not".to_owned();
    }
    let at = golden.iter().zip(now).take_while(|(one, other)| one == other).count();
    format!(
        "the first other byte is at {at:06x}; there were {} bytes, now {}",
        golden.len(),
        now.len()
    )
}

/// What a line says apart from where it stands: a longer field moves all that follow it.
fn without_places(line: &str) -> (&str, &str) {
    let line = match line.split_at_checked(8) {
        Some((place, rest)) if place.ends_with("  ") => rest,
        _ => line,
    };
    match line.split_once("-> ") {
        Some((before, after)) => (before, after.split_once(',').map_or("", |(_, after)| after)),
        None => (line, ""),
    }
}

/// The first lines of a dump.
fn beginning(text: &str) -> String {
    const SHOWN: usize = 40;
    let mut shown: String = text.lines().take(SHOWN).map(|line| format!("  {line}\n")).collect();
    if text.lines().count() > SHOWN {
        shown.push_str("  … and more\n");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_word_blesses_and_never_in_ci() {
        let wants = |bless: Option<&str>, ci: Option<&str>| {
            wants_blessing(bless.map(OsStr::new), ci.map(OsStr::new))
        };
        assert!(wants(Some("1"), None) && wants(Some("1"), Some("")));
        for (bless, ci) in [
            (None, None),
            (Some(""), None),
            (Some("0"), None),
            (Some("1"), Some("true")),
            (Some("1"), Some("1")),
        ] {
            assert!(!wants(bless, ci), "{bless:?} {ci:?}");
        }
    }

    #[test]
    fn a_line_is_the_same_wherever_it_stands() {
        let one = "000010  0c 00 00 00  key  -> 00001c, string";
        let other = "000020  0c 00 00 00  key  -> 00002c, string";
        assert_eq!(without_places(one), without_places(other));
        assert_ne!(
            without_places(one),
            without_places("000020  0d 00 00 00  key  -> 00002d, string")
        );
        assert_eq!(without_places(""), ("", ""));
    }
}
