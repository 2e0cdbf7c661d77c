//! Measurements in processes of their own, and the row that some of them make.

use crate::measure::{Measured, Passes, Subject};
use crate::schema::{Language, Size};
use serde::{Deserialize, Serialize};
use std::env;
use std::io;
use std::process::{Command, Stdio};

/// Everything about a schema.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) language: Language,
    pub(crate) size: Size,
    pub(crate) stubwire: Measured,
    /// Of `.proto` alone.
    pub(crate) protox: Option<Measured>,
    pub(crate) prost_build: Option<Measured>,
    /// Bytes of Rust that a method adds to those of its messages.
    pub(crate) bytes_per_method: f64,
}

/// Measures a row.
pub(crate) fn row(language: Language, size: &Size, repeat: u32) -> io::Result<Row> {
    let others = |subject| match language {
        Language::Proto => several(subject, language, size, repeat).map(Some),
        Language::Fbs => Ok(None),
    };
    let stubwire = several(Subject::Stubwire, language, size, repeat)?;
    let bare = once(Subject::Stubwire, language, &size.without_services())?;
    let services = stubwire.bytes.saturating_sub(bare.bytes);
    Ok(Row {
        language,
        size: size.clone(),
        bytes_per_method: services as f64 / size.all_methods().max(1) as f64,
        stubwire,
        protox: others(Subject::Protox)?,
        prost_build: others(Subject::ProstBuild)?,
    })
}

fn several(subject: Subject, language: Language, size: &Size, repeat: u32) -> io::Result<Measured> {
    let all: io::Result<Vec<_>> = (0..repeat).map(|_| once(subject, language, size)).collect();
    Ok(together(&all?))
}

/// Medians of times, the largest of memory.
fn together(all: &[Measured]) -> Measured {
    let time = |of: fn(&Measured) -> f64| median(all.iter().map(of).collect());
    Measured {
        total_ms: time(|one| one.total_ms),
        peak_kib: all.iter().map(|one| one.peak_kib).max().unwrap_or(0),
        bytes: all.iter().map(|one| one.bytes).max().unwrap_or(0),
        passes: Passes {
            load: time(|one| one.passes.load),
            lower: time(|one| one.passes.lower),
            prost_build: time(|one| one.passes.prost_build),
            messages: time(|one| one.passes.messages),
            emit: time(|one| one.passes.emit),
            print: time(|one| one.passes.print),
        },
    }
}

/// The middle value, the lower one of two.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len().saturating_sub(1) / 2;
    values.get(middle).copied().unwrap_or(0.0)
}

fn once(subject: Subject, language: Language, size: &Size) -> io::Result<Measured> {
    let word = |value: serde_json::Result<String>| value.map(|it| it.trim_matches('"').to_owned());
    let Size { messages, services, methods } = size;
    let output = Command::new(env::current_exe()?)
        .arg("measure")
        .arg(word(serde_json::to_string(&subject))?)
        .arg(word(serde_json::to_string(&language))?)
        .arg(format!("{messages},{services},{methods}"))
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(io::Error::other(format!(
            "a measurement of {size} ended with {}",
            output.status
        )));
    }
    parse(&output.stdout)
}

fn parse(line: &[u8]) -> io::Result<Measured> {
    serde_json::from_slice(line).map_err(|error| {
        io::Error::other(format!("a measurement said `{}`: {error}", String::from_utf8_lossy(line)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_says_is_understood() {
        let passes = Passes { load: 1.5, ..Passes::default() };
        let measured = Measured { total_ms: 12.25, peak_kib: 7, bytes: 9, passes };
        let line = serde_json::to_string(&measured).expect("a line") + "\n";
        assert_eq!(parse(line.as_bytes()).expect("understood"), measured);
        for wrong in ["", "{}", "{\"total_ms\":1}", "killed"] {
            let error = parse(wrong.as_bytes()).expect_err(wrong).to_string();
            assert!(error.contains(&format!("said `{wrong}`")), "{error}");
        }
    }

    #[test]
    fn times_are_medians_and_memory_is_the_largest() {
        let one = |total_ms, peak_kib| Measured { total_ms, peak_kib, ..Measured::default() };
        let measured = together(&[one(3.0, 10), one(1.0, 30), one(2.0, 20)]);
        assert_eq!((measured.total_ms, measured.peak_kib), (2.0, 30));
        assert_eq!((median(vec![]), median(vec![4.0, 1.0])), (0.0, 1.0));
    }
}
