//! Handlers that block their thread, and handlers that compute for long.

use bytes::Bytes;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::ThreadId;
use std::time::Duration;
use stubwire::{
    Call, Channel, ChannelOptions, Codec, ConnectionPolicy, EventKind, MethodDescriptor, Methods,
    Registry, Server, ServerHandle, Service, ServiceDescriptor, Status,
};
use stubwire_tests_e2e::services::{call, method, service_of};
use stubwire_tests_e2e::until;

/// Fifty times longer than anything here takes.
const GUARD: Duration = Duration::from_secs(50);

type Run = Arc<dyn Fn() + Send + Sync>;

/// A service whose methods run a function and echo.
struct Functions {
    descriptor: &'static ServiceDescriptor,
    runs: Vec<(&'static MethodDescriptor, Run)>,
}

impl Functions {
    fn new(name: &str, runs: Vec<(&str, Run)>) -> Self {
        let methods =
            |(short, run): (&str, Run)| (method(Codec::Protobuf, &format!("{name}/{short}")), run);
        let runs: Vec<_> = runs.into_iter().map(methods).collect();
        let descriptors = runs.iter().map(|(method, _)| *method).collect();
        Self { descriptor: service_of(Codec::Protobuf, name, descriptors), runs }
    }

    fn method(&self, index: usize) -> &'static MethodDescriptor {
        self.runs[index].0
    }
}

impl Service for Functions {
    fn descriptor(&self) -> &'static ServiceDescriptor {
        self.descriptor
    }

    fn register(self, methods: &mut Methods) {
        for (method, run) in self.runs {
            methods.raw(method, move |call: Call, message: Bytes| {
                let run = run.clone();
                async move {
                    run();
                    (call, Ok::<_, Status>(message))
                }
            });
        }
    }
}

/// A server on a runtime of its own, away from the test's.
struct Apart {
    target: String,
    handle: ServerHandle,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Apart {
    /// On one thread, or on several workers.
    fn start(workers: usize, server: Server) -> Self {
        let (sender, receiver) = channel();
        let thread = std::thread::spawn(move || {
            let mut builder = match workers {
                1 => tokio::runtime::Builder::new_current_thread(),
                _ => tokio::runtime::Builder::new_multi_thread(),
            };
            let runtime = builder.worker_threads(workers).enable_all().build().unwrap();
            runtime.block_on(async {
                let bound = server.bind("127.0.0.1:0").await.unwrap();
                let address = bound.local_addr().unwrap();
                sender.send((format!("prpc://{address}"), bound.handle())).unwrap();
                bound.serve().await.unwrap();
            });
        });
        let (target, handle) = receiver.recv_timeout(GUARD).unwrap();
        Self { target, handle, thread: Some(thread) }
    }

    /// A channel of one connection that it shares with no other.
    async fn channel(&self, group: &str) -> Channel {
        let mut options = ChannelOptions::default();
        options.policy = ConnectionPolicy::Shared(1);
        options.connection_group = group.to_owned();
        Channel::connect_with(&self.target, options).await.unwrap()
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        self.handle.stop_now();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking());
        }
    }
}

/// Holds threads until it is opened.
#[derive(Default)]
struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn wait(&self) {
        let open = self.open.lock().unwrap();
        let (open, _) = self.opened.wait_timeout_while(open, GUARD, |open| !*open).unwrap();
        assert!(*open, "nobody opened the gate");
    }

    fn open(&self) {
        *self.open.lock().unwrap() = true;
        self.opened.notify_all();
    }
}

/// What one round of the probe saw.
struct Seen {
    answered_before_release: bool,
    slow: ThreadId,
    fast: ThreadId,
}

/// A blocking handler and a fast call on another connection of the same server thread: is the fast one answered
/// while the other blocks?
async fn probe(offload: bool, patience: Duration) -> Seen {
    let gate = Arc::new(Gate::default());
    let (sender, begun): (Sender<ThreadId>, Receiver<ThreadId>) = channel();
    let threads = sender.clone();
    let slow_gate = gate.clone();
    let slow: Run = Arc::new(move || {
        sender.send(std::thread::current().id()).unwrap();
        slow_gate.wait();
    });
    let fast: Run = Arc::new(move || threads.send(std::thread::current().id()).unwrap());
    let service = Functions::new("probe.Probe", vec![("Slow", slow), ("Fast", fast)]);
    let (slow, fast) = (service.method(0), service.method(1));
    let registry = Registry::new();
    registry.register(service).unwrap();
    if offload {
        registry.method("probe.Probe/Slow").unwrap().offload();
    }
    let server = Apart::start(1, Server::new(registry).report_blocking_after(None));
    let (first, second) = (server.channel("first").await, server.channel("second").await);
    let slow = tokio::spawn(async move { call(&first, slow, "slow").await });
    let begun = tokio::task::spawn_blocking(move || (begun.recv_timeout(GUARD).unwrap(), begun));
    let (slow_thread, begun) = begun.await.unwrap();
    let mut fast = tokio::spawn(async move { call(&second, fast, "fast").await });
    let early = tokio::time::timeout(patience, &mut fast).await;
    let answered_before_release = early.is_ok();
    gate.open();
    let fast_reply = match early {
        Ok(reply) => reply,
        Err(_) => fast.await,
    };
    assert_eq!(fast_reply.unwrap().unwrap(), "fast");
    assert_eq!(slow.await.unwrap().unwrap(), "slow");
    let fast = tokio::task::spawn_blocking(move || begun.recv_timeout(GUARD).unwrap());
    Seen { answered_before_release, slow: slow_thread, fast: fast.await.unwrap() }
}

/// Without `offload` the thread is blocked, so that nothing can answer, however long one waits.
#[tokio::test]
async fn a_blocking_handler_holds_up_its_thread_unless_it_is_offloaded() {
    for _ in 0..5 {
        let seen = probe(false, Duration::from_millis(50)).await;
        assert!(!seen.answered_before_release, "0 of 5");
        assert_eq!(seen.slow, seen.fast, "both in place, on the runtime's thread");
        let seen = probe(true, GUARD).await;
        assert!(seen.answered_before_release, "5 of 5");
        assert_ne!(seen.slow, seen.fast, "the pool's thread and the runtime's");
    }
}

/// The same connection, too: what comes behind an offloaded call does not wait for it.
#[tokio::test]
async fn an_offloaded_handler_does_not_hold_up_its_own_connection() {
    let gate = Arc::new(Gate::default());
    let slow_gate = gate.clone();
    let slow: Run = Arc::new(move || slow_gate.wait());
    let service = Functions::new("probe.Own", vec![("Slow", slow), ("Fast", Arc::new(|| {}))]);
    let (slow, fast) = (service.method(0), service.method(1));
    let registry = Registry::new();
    registry.register(service).unwrap();
    registry.method("probe.Own/Slow").unwrap().offload();
    let server = Apart::start(1, Server::new(registry));
    let channel = server.channel("").await;
    let own = channel.clone();
    let slow = tokio::spawn(async move { call(&own, slow, "slow").await });
    let answered = tokio::time::timeout(GUARD, call(&channel, fast, "fast")).await;
    assert_eq!(answered.unwrap().unwrap(), "fast");
    assert!(!slow.is_finished());
    gate.open();
    assert_eq!(slow.await.unwrap().unwrap(), "slow");
}

#[tokio::test]
async fn an_offloaded_handler_that_panics_is_answered() {
    let service = Functions::new("probe.Panics", vec![("Panic", Arc::new(|| panic!("secret")))]);
    let panic = service.method(0);
    let registry = Registry::new();
    registry.register(service).unwrap();
    registry.method("probe.Panics/Panic").unwrap().offload();
    let server = Apart::start(1, Server::new(registry));
    let status = call(&server.channel("").await, panic, "x").await.unwrap_err();
    assert_eq!(status.code().number(), 2001);
    assert!(!status.to_string().contains("secret"), "{status}");
    // Its place is given back right after its answer.
    until(|| server.handle.snapshot().calls == 0).await;
    assert_eq!(server.handle.snapshot().panics, 1);
}

/// On by default, told while it still blocks, with the method's name, once.
#[tokio::test]
async fn a_handler_that_blocks_is_reported_by_name() {
    let gate = Arc::new(Gate::default());
    let slow_gate = gate.clone();
    let slow: Run = Arc::new(move || slow_gate.wait());
    let service = Functions::new("probe.Blocks", vec![("Slow", slow), ("Fast", Arc::new(|| {}))]);
    let slow = service.method(0);
    let registry = Registry::new();
    registry.register(service).unwrap();
    let (sender, told) = channel();
    let server = Server::new(registry.clone()).on_event(move |event| {
        let _ = sender.send((event.kind, event.text.clone()));
    });
    let server = Apart::start(1, server);
    let channel = server.channel("").await;
    let blocked = tokio::spawn(async move { call(&channel, slow, "slow").await });
    let told = tokio::task::spawn_blocking(move || (told.recv_timeout(GUARD).unwrap(), told));
    let ((kind, text), told) = told.await.unwrap();
    assert_eq!(kind, EventKind::HandlerBlocks);
    assert!(text.contains("`probe.Blocks/Slow`") && text.contains("offload"), "{text}");
    assert_eq!(registry.method("probe.Blocks/Slow").unwrap().stats().blocked, 1);
    assert_eq!(registry.method("probe.Blocks/Fast").unwrap().stats().blocked, 0);
    gate.open();
    assert_eq!(blocked.await.unwrap().unwrap(), "slow");
    drop(server);
    assert!(told.try_recv().is_err(), "told once");
}

/// A method whose polls are long is handed off: two of its handlers run at once although their requests came on one
/// connection. In place the second would wait for the first, and here both wait for each other.
#[tokio::test]
async fn handlers_that_compute_for_long_run_side_by_side() {
    let (meet, gate) = (Arc::new(AtomicBool::new(false)), Arc::new(Gate::default()));
    let (meeting, met) = (meet.clone(), AtomicUsize::new(0));
    let busy: Run = Arc::new(move || {
        if meeting.load(Ordering::SeqCst) {
            // The second opens the gate for both.
            if met.fetch_add(1, Ordering::SeqCst) == 1 {
                gate.open();
            }
            gate.wait();
            return;
        }
        let start = std::time::Instant::now();
        while start.elapsed() < Duration::from_micros(200) {
            std::hint::spin_loop();
        }
    });
    let service = Functions::new("probe.Busy", vec![("Busy", busy)]);
    let busy = service.method(0);
    let registry = Registry::new();
    registry.register(service).unwrap();
    let server = Apart::start(2, Server::new(registry).report_blocking_after(None));
    let channel = server.channel("").await;
    for _ in 0..8 {
        call(&channel, busy, "busy").await.unwrap();
    }
    meet.store(true, Ordering::SeqCst);
    let (first, second) = (call(&channel, busy, "one"), call(&channel, busy, "two"));
    let both = async { tokio::join!(first, second) };
    let (first, second) = tokio::time::timeout(GUARD, both).await.expect("they meet");
    assert_eq!((first.unwrap(), second.unwrap()), ("one".to_owned(), "two".to_owned()));
}
