//! Where a record was measured.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// The machine, the versions and the time. What cannot be found out is empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// When the run began, in UTC.
    pub date: String,
    /// The commit of the product, with `+` behind it when files were changed since.
    pub commit: String,
    /// The kernel's release.
    pub kernel: String,
    /// The model of the processor.
    pub cpu: String,
    /// How many cores this process may use.
    pub cores: usize,
    /// The congestion control of TCP.
    pub congestion_control: String,
    /// The compiler.
    pub rustc: String,
    /// Versions of tokio and of what else decides, ours and the peers'.
    pub versions: BTreeMap<String, String>,
}

/// The folder of the workspace that this program was built from.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).unwrap_or(manifest).to_owned()
}

/// Crates whose version a reader of figures asks for.
const CRATES: &[&str] = &[
    "tokio",
    "prost",
    "flatbuffers",
    "stubwire",
    "tonic",
    "tarpc",
    "ttrpc",
    "volo-grpc",
    "volo-thrift",
    "connectrpc",
    "capnp-rpc",
    "hyper",
    "h2",
];

impl Environment {
    /// As it is now.
    pub fn now() -> Self {
        let root = root();
        let cpu = first_line_with("/proc/cpuinfo", "model name");
        let mut versions = versions(&read(root.join("bench/peers/Cargo.lock")), "peers/");
        versions.extend(versions_of(&read(root.join("Cargo.lock"))));
        Self {
            date: date(SystemTime::now()),
            commit: commit(&root),
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            cpu: cpu.split_once(':').map_or("", |(_, model)| model.trim()).to_owned(),
            cores: std::thread::available_parallelism().map_or(0, usize::from),
            congestion_control: read("/proc/sys/net/ipv4/tcp_congestion_control").trim().to_owned(),
            rustc: output("rustc", &["--version"], &root),
            versions,
        }
    }
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn first_line_with(path: &str, begin: &str) -> String {
    let text = read(path);
    text.lines().find(|line| line.starts_with(begin)).unwrap_or_default().to_owned()
}

fn output(program: &str, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let text = output.ok().filter(|output| output.status.success()).map(|output| output.stdout);
    String::from_utf8_lossy(&text.unwrap_or_default()).trim().to_owned()
}

fn commit(root: &Path) -> String {
    let mut commit = output("git", &["rev-parse", "--short=12", "HEAD"], root);
    if !output("git", &["status", "--porcelain"], root).is_empty() {
        commit.push('+');
    }
    commit
}

/// The versions that a lock file names of the crates that matter.
fn versions_of(lock: &str) -> BTreeMap<String, String> {
    versions(lock, "")
}

fn versions(lock: &str, prefix: &str) -> BTreeMap<String, String> {
    let quoted = |line: &str, key: &str| -> Option<String> {
        Some(line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"')?.to_owned())
    };
    let mut versions = BTreeMap::new();
    let mut name = String::new();
    for line in lock.lines() {
        if let Some(found) = quoted(line, "name") {
            name = found;
        } else if let Some(version) = quoted(line, "version")
            && CRATES.contains(&&*name)
        {
            versions.insert(format!("{prefix}{name}"), version);
        }
    }
    versions
}

/// `2026-11-30T22:15:13Z`.
pub fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The day of the Gregorian calendar that lies so many days after 1 January 1970.
fn civil(days: u64) -> (u64, u64, u64) {
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut left) = (1970, days);
    loop {
        let length = if leap(year) { 366 } else { 365 };
        if left < length {
            break;
        }
        left -= length;
        year += 1;
    }
    let february = if leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    (year, month, left + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn dates() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_827_696, "2000-02-29T12:34:56Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_798_675_200, "2026-12-31T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(date(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn versions_come_from_the_lock_file() {
        let lock = "[[package]]\nname = \"tokio\"\nversion = \"1.54.1\"\n\n[[package]]\nname = \"x\"\nversion = \"2.0.0\"\n";
        let expected = [("tokio".to_owned(), "1.54.1".to_owned())];
        assert_eq!(versions_of(lock), expected.into());
    }

    #[test]
    fn this_machine_has_an_environment() {
        let environment = Environment::now();
        assert!(environment.cores > 0);
        assert!(environment.rustc.starts_with("rustc "), "{environment:?}");
        assert!(environment.versions.contains_key("tokio"), "{environment:?}");
    }
}
