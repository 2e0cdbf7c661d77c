//! What processes and the machine used, as the kernel counts it in `/proc`.

use crate::record::{MachineLoad, ProcessCost};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::time::{Duration, Instant};

/// What a process used so far.
#[derive(Clone, Debug, Default)]
pub struct ProcessSample {
    user_ticks: u64,
    system_ticks: u64,
    threads: HashMap<u32, ThreadSample>,
}

#[derive(Clone, Copy, Debug, Default)]
struct ThreadSample {
    /// By the scheduler, in nanoseconds; the ticks of `stat` are 10 ms.
    run_ns: u64,
    voluntary: u64,
    involuntary: u64,
}

/// What the machine did so far.
#[derive(Clone, Copy, Debug)]
pub struct MachineSample {
    at: Instant,
    /// Of all cores, in ticks: user, nice and system; interrupts are nobody's.
    busy_ticks: u64,
    steal_ticks: u64,
}

impl ProcessSample {
    /// Reads it.
    ///
    /// # Errors
    /// The process is gone.
    pub fn of(pid: u32) -> io::Result<Self> {
        let (user_ticks, system_ticks) = stat(&fs::read_to_string(format!("/proc/{pid}/stat"))?)
            .ok_or_else(|| io::Error::other("/proc/PID/stat has another form"))?;
        let mut threads = HashMap::new();
        for entry in fs::read_dir(format!("/proc/{pid}/task"))? {
            let path = entry?.path();
            let id = path.file_name().and_then(|name| name.to_str()?.parse().ok());
            // A thread may end between the listing and the reading.
            let read = |file: &str| fs::read_to_string(path.join(file)).unwrap_or_default();
            if let Some(id) = id {
                threads.insert(id, thread(&read("schedstat"), &read("status")));
            }
        }
        Ok(Self { user_ticks, system_ticks, threads })
    }

    fn ticks(&self) -> u64 {
        self.user_ticks + self.system_ticks
    }

    /// What was used since.
    pub fn cost_since(&self, before: &Self) -> ProcessCost {
        let mut cost = ProcessCost {
            user_ns: nanos(self.user_ticks.saturating_sub(before.user_ticks)),
            system_ns: nanos(self.system_ticks.saturating_sub(before.system_ticks)),
            ..Default::default()
        };
        for (id, after) in &self.threads {
            let before = before.threads.get(id).copied().unwrap_or_default();
            cost.voluntary_switches += after.voluntary.saturating_sub(before.voluntary);
            cost.involuntary_switches += after.involuntary.saturating_sub(before.involuntary);
            cost.threads_ns.push(after.run_ns.saturating_sub(before.run_ns));
        }
        cost.threads_ns.retain(|used| *used > 0);
        cost.threads_ns.sort_unstable_by(|one, other| other.cmp(one));
        cost.cpu_ns = match cost.threads_ns.iter().sum() {
            // A kernel without scheduler statistics.
            0 => cost.user_ns + cost.system_ns,
            sum => sum,
        };
        cost
    }
}

impl MachineSample {
    /// Reads it.
    ///
    /// # Errors
    /// Those of `/proc/stat`.
    pub fn now() -> io::Result<Self> {
        let text = fs::read_to_string("/proc/stat")?;
        let (busy_ticks, steal_ticks) =
            machine(&text).ok_or_else(|| io::Error::other("/proc/stat has another form"))?;
        Ok(Self { at: Instant::now(), busy_ticks, steal_ticks })
    }

    /// What happened since besides what the processes of the benchmark used.
    pub fn load_since(&self, before: &Self, own: &[(ProcessSample, ProcessSample)]) -> MachineLoad {
        let elapsed = (self.at - before.at).max(Duration::from_millis(1));
        let own: u64 =
            own.iter().map(|(before, after)| after.ticks().saturating_sub(before.ticks())).sum();
        let busy = self.busy_ticks.saturating_sub(before.busy_ticks);
        let cores = |ticks: u64| nanos(ticks) as f64 / elapsed.as_nanos() as f64;
        MachineLoad {
            steal_cores: cores(self.steal_ticks.saturating_sub(before.steal_ticks)),
            others_cores: cores(busy.saturating_sub(own)),
        }
    }
}

fn nanos(ticks: u64) -> u64 {
    ticks * (1_000_000_000 / rustix::param::clock_ticks_per_second().max(1))
}

/// User and system time of `/proc/PID/stat`. The second field is the program's name in brackets,
/// which may itself hold brackets and spaces.
fn stat(text: &str) -> Option<(u64, u64)> {
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}

fn thread(schedstat: &str, status: &str) -> ThreadSample {
    let number = |text: Option<&str>| text.and_then(|text| text.trim().parse().ok()).unwrap_or(0);
    let line = |key: &str| number(status.lines().find_map(|line| line.strip_prefix(key)));
    ThreadSample {
        run_ns: number(schedstat.split_whitespace().next()),
        voluntary: line("voluntary_ctxt_switches:"),
        involuntary: line("nonvoluntary_ctxt_switches:"),
    }
}

/// Busy and stolen ticks of the first line of `/proc/stat`.
fn machine(text: &str) -> Option<(u64, u64)> {
    let fields = text.lines().next()?.strip_prefix("cpu ")?;
    let ticks: Vec<u64> = fields.split_whitespace().map_while(|text| text.parse().ok()).collect();
    let &[user, nice, system, _idle, _iowait, _irq, _softirq, steal, ..] = &ticks[..] else {
        return None;
    };
    Some((user + nice + system, steal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_proc_says_is_read() {
        let text = "12 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 111 222 13 14";
        assert_eq!(stat(text), Some((111, 222)));
        assert_eq!(stat("12 (a"), None);
        assert_eq!(machine("cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1"), Some((6, 8)));
        assert_eq!(machine("cpu 1 2"), None);
        let status = "Name:\tx\nvoluntary_ctxt_switches:\t5\nnonvoluntary_ctxt_switches:\t7\n";
        let thread = thread("1234 5 6\n", status);
        assert_eq!((thread.run_ns, thread.voluntary, thread.involuntary), (1234, 5, 7));
    }

    #[test]
    fn a_process_is_charged_for_what_it_used_since() {
        let sample = |user_ticks, threads: &[(u32, u64)]| ProcessSample {
            user_ticks,
            system_ticks: 0,
            threads: threads
                .iter()
                .map(|(id, run_ns)| (*id, ThreadSample { run_ns: *run_ns, ..Default::default() }))
                .collect(),
        };
        let before = sample(1, &[(1, 100), (2, 50)]);
        let after = sample(3, &[(1, 400), (2, 50), (3, 700)]);
        let cost = after.cost_since(&before);
        assert_eq!((cost.cpu_ns, &cost.threads_ns[..]), (1000, &[700, 300][..]));
        assert_eq!(cost.user_ns, nanos(2));
        assert_eq!(sample(3, &[]).cost_since(&sample(1, &[])).cpu_ns, nanos(2));
    }

    #[test]
    fn the_load_of_others_is_what_is_left() {
        let before = MachineSample { at: Instant::now(), busy_ticks: 100, steal_ticks: 10 };
        let at = before.at + Duration::from_secs(1);
        let second = rustix::param::clock_ticks_per_second();
        let after =
            MachineSample { at, busy_ticks: 100 + 2 * second, steal_ticks: 10 + second / 2 };
        let used = ProcessSample { user_ticks: second, ..Default::default() };
        let load = after.load_since(&before, &[(ProcessSample::default(), used)]);
        assert!((load.others_cores - 1.0).abs() < 0.01, "{load:?}");
        assert!((load.steal_cores - 0.5).abs() < 0.01, "{load:?}");
    }

    #[test]
    fn this_process_can_be_sampled() {
        let sample = ProcessSample::of(std::process::id()).unwrap();
        assert!(!sample.threads.is_empty());
        assert!(MachineSample::now().unwrap().busy_ticks > 0);
        assert!(ProcessSample::of(u32::MAX).is_err());
    }
}
