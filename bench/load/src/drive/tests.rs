//! Both loops on a paused clock: what is counted, and from when latency runs.

use super::*;
use crate::command::{Command, Role};
use crate::request::{Failure, Request, Verified};
use crate::{Caller, closed, open as open_loop};
use clap::Parser;
use std::sync::atomic::AtomicU64;

#[derive(clap::Args)]
struct Nothing {}

fn options(line: &str) -> ClientOptions {
    let line = format!("x client --connect a:1 {line}");
    let command = Command::<Nothing>::try_parse_from(line.split_whitespace()).expect("options");
    match command.role {
        Role::Client { options, .. } => options,
        Role::Server { .. } => panic!("a client"),
    }
}

/// A server in a few words: answers after `takes`; a call in `stall` is answered at its end.
#[derive(Clone)]
struct Scripted {
    takes: Duration,
    stall: Option<(Instant, Instant)>,
    calls: Arc<AtomicU64>,
    wrong_every: u64,
}

impl Scripted {
    fn answers_after(takes: Duration) -> Self {
        Self { takes, stall: None, calls: Arc::default(), wrong_every: u64::MAX }
    }
}

impl Caller for Scripted {
    async fn echo(&mut self, request: &Request) -> Result<Verified, Failure> {
        let number = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        sleep(self.takes).await;
        if let Some((begin, end)) = self.stall
            && (begin..end).contains(&Instant::now())
        {
            sleep_until(end).await;
        }
        let id = request.id() + u64::from(number.is_multiple_of(self.wrong_every));
        request.check(id, request.text().as_bytes())
    }
}

async fn closed_loop(line: &str, caller: Scripted) -> ClientReport {
    let spawn = |lane| tokio::spawn(closed::run(lane));
    closed(&options(line), &[caller], spawn).await.expect("a report")
}

async fn open_loop(line: &str, caller: Scripted) -> ClientReport {
    let options = options(line);
    let spawn = |call| drop(tokio::spawn(open_loop::call(call)));
    let rate = options.rate.expect("a rate");
    open(&options, rate, vec![caller], spawn, Pace::Coarse).await.expect("a report")
}

#[tokio::test(start_paused = true)]
async fn a_closed_loop_counts_the_calls_of_its_measured_time() {
    let caller = Scripted::answers_after(Duration::from_millis(10));
    let report = closed_loop("--concurrency 4 --warmup 1.005 --seconds 1", caller.clone()).await;
    assert_eq!((report.attempted, report.succeeded), (400, 400));
    assert_eq!(report.elapsed_ns, 1_000_000_000);
    // The warm-up's calls were made, too, and one a lane that ended after the measured time.
    assert_eq!(caller.calls.load(Ordering::Relaxed), 400 + 400 + 4);
    let latency = report.latency.read().unwrap();
    assert_eq!(latency.len(), 400);
    assert!(latency.equivalent(latency.max(), 10_000_000), "{}", latency.max());
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_is_no_echo_is_attempted_and_not_successful() {
    let mut caller = Scripted::answers_after(Duration::from_millis(9));
    caller.wrong_every = 10;
    let report = closed_loop("--warmup 0 --seconds 1", caller).await;
    let failed: u64 = report.failed.values().sum();
    assert!(failed > 0, "{report:?}");
    assert_eq!(report.attempted, report.succeeded + failed);
    assert_eq!(report.failed.keys().next().unwrap(), &Failure::Mismatch.to_string());
    assert_eq!(report.latency.read().unwrap().len(), report.succeeded);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_never_ends_is_unfinished() {
    let caller = Scripted::answers_after(Duration::from_secs(3600));
    let report = closed_loop("--concurrency 3 --warmup 0 --seconds 1", caller.clone()).await;
    assert_eq!((report.attempted, report.unfinished), (0, 3));
    let report = open_loop("--rate 10 --warmup 0 --seconds 1", caller).await;
    assert_eq!((report.attempted, report.succeeded, report.unfinished), (10, 0, 10));
}

/// The server stands still for half a second. A closed loop would have one slow call; here every
/// call that was due in it has waited from its own time on.
#[tokio::test(start_paused = true)]
async fn latency_of_an_open_loop_runs_from_when_the_call_was_due() {
    let begin = Instant::now();
    let mut caller = Scripted::answers_after(Duration::from_millis(1));
    let stall = [1.25, 1.75].map(|at| begin + Duration::from_secs_f64(at));
    caller.stall = Some((stall[0], stall[1]));
    let report = open_loop("--rate 100 --warmup 0.5 --seconds 2", caller).await;
    assert_eq!((report.attempted, report.succeeded, report.unfinished), (200, 200, 0));
    let latency = report.latency.read().unwrap();
    let slow = latency.len() - latency.count_between(0, 10_000_000);
    assert_eq!(slow, 49, "those due from 1.25 s to 1.73 s");
    assert!(latency.max() > 490_000_000, "{}", latency.max());
    let open_loop = report.open_loop.unwrap();
    assert!(!open_loop.fell_behind);
    assert_eq!(open_loop.lag.read().unwrap().len(), 200);
    assert_eq!(open_loop.peak_in_flight, 51);
}

/// The caller keeps the only thread to itself for 20 ms a call, while one is due every 10 ms.
#[tokio::test(start_paused = true)]
async fn a_generator_that_falls_behind_says_so() {
    #[derive(Clone)]
    struct Hog;
    impl Caller for Hog {
        async fn echo(&mut self, request: &Request) -> Result<Verified, Failure> {
            tokio::time::advance(Duration::from_millis(20)).await;
            request.check(request.id(), request.text().as_bytes())
        }
    }
    let options = options("--rate 100 --warmup 0 --seconds 1");
    let spawn = |call| drop(tokio::spawn(open_loop::call(call)));
    let report = open(&options, 100.0, vec![Hog], spawn, Pace::Coarse).await.unwrap();
    let open_loop = report.open_loop.unwrap();
    assert!(open_loop.fell_behind, "{open_loop:?}");
    assert!(open_loop.lag.read().unwrap().max() > 100_000_000);
    assert_eq!(report.attempted, 100);
}

#[tokio::test(start_paused = true)]
async fn calls_in_flight_are_bounded() {
    let caller = Scripted::answers_after(Duration::from_secs(5));
    let report = open_loop("--rate 20000 --warmup 0 --seconds 4", caller).await;
    let bound = open_loop::MAX_IN_FLIGHT;
    let open_loop = report.open_loop.unwrap();
    assert_eq!((report.attempted, report.succeeded), (80_000, bound));
    assert_eq!(open_loop.peak_in_flight, bound);
    assert_eq!(report.failed.values().sum::<u64>(), 80_000 - bound);
    assert!(open_loop.fell_behind);
}

/// A caller that cannot leave its thread, as those of some peers.
#[tokio::test(start_paused = true)]
async fn a_caller_that_stays_on_its_thread_can_be_driven() {
    #[derive(Clone)]
    struct Here(std::rc::Rc<Duration>);
    impl crate::LocalCaller for Here {
        async fn echo(&mut self, request: &Request) -> Result<Verified, Failure> {
            sleep(*self.0).await;
            request.check(request.id(), request.text().as_bytes())
        }
    }
    let here = Here(std::rc::Rc::new(Duration::from_millis(10)));
    let run = async {
        let spawn = |lane| tokio::task::spawn_local(closed::run(lane));
        let options = options("--concurrency 2 --warmup 0.005 --seconds 1");
        let closed = closed(&options, std::slice::from_ref(&here), spawn).await.unwrap();
        let spawn = |call| drop(tokio::task::spawn_local(open_loop::call(call)));
        let options = self::options("--rate 100 --warmup 0 --seconds 1");
        let open = open(&options, 100.0, vec![here], spawn, Pace::Coarse).await.unwrap();
        (closed.succeeded, open.succeeded)
    };
    assert_eq!(tokio::task::LocalSet::new().run_until(run).await, (200, 100));
}
