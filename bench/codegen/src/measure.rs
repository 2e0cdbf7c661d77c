//! One measurement: what a process does that was started for it alone.

use crate::schema::{Language, Size};
use protox::file::File;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::time::{Duration, Instant};
use stubwire_codegen::configure;

/// Who works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Subject {
    /// Parsing a text: the part of protox that we use.
    Protox,
    /// That, and prost-build for the messages: what its users have without us.
    ProstBuild,
    /// All of ours, with both within.
    Stubwire,
}

/// What a process says of itself. Times in milliseconds; those of others' work are none of `passes`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// From the text to the last byte of Rust.
    pub(crate) total_ms: f64,
    /// Of the process, the schema's text included.
    pub(crate) peak_kib: u64,
    /// Of generated Rust.
    pub(crate) bytes: usize,
    /// Ours alone.
    pub(crate) passes: Passes,
}

/// Our time by stage, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Passes {
    /// From the text to the schema model, with protox within.
    pub(crate) load: f64,
    /// Deciding names.
    pub(crate) lower: f64,
    /// prost-build within ours, which is asked for messages that it sees one by one.
    pub(crate) prost_build: f64,
    /// Naming and sorting what prost-build made.
    pub(crate) messages: f64,
    /// Services, and FlatBuffers messages.
    pub(crate) emit: f64,
    /// Tokens to text.
    pub(crate) print: f64,
}

/// Does the work.
pub(crate) fn measure(subject: Subject, language: Language, size: &Size) -> io::Result<Measured> {
    let schema = language.schema(size);
    let start = Instant::now();
    let (bytes, passes) = match subject {
        Subject::Stubwire => stubwire(language, &schema)?,
        Subject::Protox => {
            parse(&schema)?;
            (0, Passes::default())
        }
        Subject::ProstBuild => {
            let file = parse(&schema)?;
            // Its own time is the total without that of protox.
            let module = prost_build::Module::from_protobuf_package_name("lots");
            let file = file.file_descriptor_proto().clone();
            let modules = prost_build::Config::new().generate(vec![(module, file)])?;
            (modules.values().map(String::len).sum(), Passes::default())
        }
    };
    let total_ms = millis(start.elapsed());
    Ok(Measured {
        total_ms,
        peak_kib: peak_kib(&fs::read_to_string("/proc/self/status")?)?,
        bytes,
        passes,
    })
}

fn parse(schema: &str) -> io::Result<File> {
    File::from_source(Language::Proto.file(), schema).map_err(io::Error::other)
}

fn stubwire(language: Language, schema: &str) -> io::Result<(usize, Passes)> {
    let output = configure()
        .generate_texts(&[(language.file(), schema)])
        .map_err(|error| io::Error::other(error.to_string()))?;
    let report = &output.report;
    let passes = Passes {
        load: millis(report.load),
        lower: millis(report.rust.lower),
        prost_build: millis(report.rust.prost_build),
        messages: millis(report.rust.messages),
        emit: millis(report.rust.emit),
        print: millis(report.rust.print),
    };
    Ok((output.files.iter().map(|file| file.content.len()).sum(), passes))
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// The most memory that the process had at once, by the kernel's count.
fn peak_kib(status: &str) -> io::Result<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
    number.ok_or_else(|| io::Error::other("the kernel does not say how much memory was used"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_from_the_kernels_words() {
        let status = "Name:\tx\nVmPeak:\t  9000 kB\nVmHWM:\t    5124 kB\nVmRSS:\t 1 kB\n";
        assert_eq!(peak_kib(status).expect("a peak"), 5124);
        for wrong in ["", "VmHWM:\n", "VmHWM: many kB\n", "VmHWM: 5 MB\n"] {
            assert!(peak_kib(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn everybody_can_be_measured() {
        let size = Size { messages: 3, services: 1, methods: 2 };
        for subject in [Subject::Protox, Subject::ProstBuild, Subject::Stubwire] {
            let measured = measure(subject, Language::Proto, &size).expect("measured");
            assert!(measured.total_ms > 0.0 && measured.peak_kib > 0, "{measured:?}");
            assert_eq!(measured.bytes > 0, subject != Subject::Protox);
            assert_eq!(measured.passes.load > 0.0, subject == Subject::Stubwire);
        }
        let flat = measure(Subject::Stubwire, Language::Fbs, &size).expect("measured");
        assert_eq!(flat.passes.prost_build, 0.0, "nobody else takes part");
        assert!(flat.bytes > 0);
    }
}
