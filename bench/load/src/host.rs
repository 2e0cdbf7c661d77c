//! Where a process runs: its cores, its runtime, and how it ends.

use crate::command::{HostOptions, RuntimeKind};
use std::io::{self, Read};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

/// Keeps this thread, and all that it will start, on the cores of `--pin`.
///
/// # Errors
/// A list that cannot be read, and what the operating system says.
pub fn pin(options: &HostOptions) -> io::Result<()> {
    let Some(list) = &options.pin else { return Ok(()) };
    let wrong = || io::Error::new(io::ErrorKind::InvalidInput, format!("no cores: `{list}`"));
    let cores = cores(list).ok_or_else(wrong)?;
    set_affinity(&cores)
}

#[cfg(target_os = "linux")]
fn set_affinity(cores: &[usize]) -> io::Result<()> {
    let mut set = rustix::thread::CpuSet::new();
    for core in cores {
        set.set(*core);
    }
    Ok(rustix::thread::sched_setaffinity(None, &set)?)
}

#[cfg(not(target_os = "linux"))]
fn set_affinity(_: &[usize]) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "cores can be chosen on Linux alone"))
}

/// Cores that a set can hold.
const MAX_CORES: usize = 1024;

/// `0,2-3` as 0, 2, 3.
fn cores(list: &str) -> Option<Vec<usize>> {
    let mut cores = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.parse::<usize>().ok()?, last.parse::<usize>().ok()?);
        if first > last || last >= MAX_CORES {
            return None;
        }
        cores.extend(first..=last);
    }
    Some(cores)
}

/// The runtime that was asked for, on the cores that were.
///
/// # Errors
/// Those of [`pin`], and a runtime that cannot be started.
pub fn runtime(options: &HostOptions) -> io::Result<Runtime> {
    pin(options)?;
    match options.runtime {
        RuntimeKind::Current => Builder::new_current_thread().enable_all().build(),
        RuntimeKind::Multi => {
            let workers = usize::from(options.workers);
            Builder::new_multi_thread().worker_threads(workers).enable_all().build()
        }
    }
}

impl HostOptions {
    /// Threads that run calls.
    pub fn threads(&self) -> usize {
        match self.runtime {
            RuntimeKind::Current => 1,
            RuntimeKind::Multi => usize::from(self.workers),
        }
    }
}

/// Ready when standard input ends: whoever started this process is gone or wants it to end.
pub(crate) fn stdin_ended() -> oneshot::Receiver<()> {
    let (ended, end) = oneshot::channel();
    std::thread::spawn(move || {
        let mut sink = [0; 512];
        while matches!(io::stdin().read(&mut sink), Ok(count) if count > 0) {}
        // The other end is gone only when the process ends anyway.
        let _ = ended.send(());
    });
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cores() {
        assert_eq!(cores("0"), Some(vec![0]));
        assert_eq!(cores("0,2-3"), Some(vec![0, 2, 3]));
        for wrong in ["", "a", "1-", "3-1", "0,,1", "1024", "0-99999999999"] {
            assert_eq!(cores(wrong), None, "{wrong}");
        }
    }
}
