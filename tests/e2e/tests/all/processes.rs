//! Cases whose measure is a whole process: they run in one of their own.

use std::net::SocketAddr;
use std::process::Stdio;
use std::time::{Duration, Instant};
use stubwire_tests_e2e::guarded;
use stubwire_tests_e2e::raw::{Raw, echo_text};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

const ISOLATED: &str = env!("CARGO_BIN_EXE_isolated");
const MIB: usize = 1 << 20;

/// Bytes by which the memory of a case grew.
async fn grown(case: &str) -> usize {
    let mut command = Command::new(ISOLATED);
    // The allocator is to give memory back to the kernel at once, so that what stays is ours.
    command.arg(case).env("MALLOC_MMAP_THRESHOLD_", "131072").kill_on_drop(true);
    let run = command.output();
    let output = tokio::time::timeout(Duration::from_secs(300), run).await;
    let output = output.expect("the case hangs").expect("the binary runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{case}: {stderr}");
    let text = String::from_utf8(output.stdout).expect("it prints text");
    text.trim().parse().expect("it prints a number")
}

macro_rules! memory_cases {
    ($($name:ident: $case:literal grows less than $limit:expr;)+) => {
        $(
            #[tokio::test]
            async fn $name() {
                let grown = grown($case).await;
                let limit: usize = $limit;
                assert!(grown < limit, "{grown} bytes more, {limit} are allowed");
            }
        )+
    };
}

memory_cases! {
    trust_a01_a_header_of_4_gib_takes_no_memory: "huge_header" grows less than MIB;
    trust_c10_a_reply_of_4_gib_takes_no_memory: "huge_reply" grows less than MIB;
    trust_b04_only_received_bytes_are_held: "promised_bodies" grows less than 10 * MIB;
    trust_a10_a_million_empty_frames_leave_memory_flat: "empty_frames" grows less than 24 * MIB;
    trust_a10_empty_frames_of_a_peer_that_never_reads: "empty_frames_unread" grows less than 24 * MIB;
    trust_a14_bombs_stay_within_the_limit: "bombs" grows less than 10 * MIB;
    idle_connections_give_large_buffers_back: "idle_after_large" grows less than 16 * MIB;
}

/// A server with 64 descriptors.
struct Starved {
    _process: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    address: SocketAddr,
}

impl Starved {
    async fn start() -> Self {
        let mut process = Command::new("sh")
            .args(["-c", "ulimit -n 64; exec \"$0\" starved", ISOLATED])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("a shell");
        let input = process.stdin.take().expect("it is piped");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let address = lines.next_line().await.expect("it speaks").expect("a line");
        let address = address.parse().expect("an address");
        Self { _process: process, input, lines, address }
    }

    /// Accept errors, events, connections.
    async fn ask(&mut self) -> [usize; 3] {
        self.input.write_all(b"\n").await.expect("it reads");
        let line = self.lines.next_line().await.expect("it speaks").expect("a line");
        let numbers: Vec<_> = line.split(' ').map(|number| number.parse().unwrap()).collect();
        numbers.try_into().expect("three numbers")
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trust_b01_without_descriptors_it_waits_and_then_goes_on() {
    guarded(async {
        let mut server = Starved::start().await;
        let starved_since = Instant::now();
        let mut clients = Vec::new();
        // The kernel takes a hundred or so; the server has descriptors for some fifty.
        for _ in 0..150 {
            clients.push(Raw::connect(server.address).await);
        }
        let address = server.address;
        let waiting: Vec<_> = (0..50)
            .map(|id| {
                tokio::spawn(async move {
                    let mut raw = Raw::connect(address).await;
                    raw.ask(&echo_text(id, "x")).await.expect("an answer").code
                })
            })
            .collect();
        let [mut errors, mut events, mut connections] = [0; 3];
        while errors < 8 || connections < 30 {
            tokio::time::sleep(Duration::from_millis(20)).await;
            [errors, events, connections] = server.ask().await;
        }
        // Bounded by the time that went by, however long that was: no more than fifty attempts
        // and one event in a second.
        let seconds = starved_since.elapsed().as_secs() as usize + 1;
        assert!(errors <= 50 * seconds, "{errors} attempts in {seconds} s");
        assert!(events >= 1 && events <= seconds, "{events} events in {seconds} s");
        assert!(connections < 64);

        // Those that are in are served, starved or not.
        let reply = clients[0].ask(&echo_text(1, "x")).await.expect("an answer");
        assert_eq!(reply.code, 0);
        // With the first gone, the others get in and are served, every one of them.
        clients.drain(..140);
        for raw in &mut clients {
            assert_eq!(raw.ask(&echo_text(2, "x")).await.expect("an answer").code, 0);
        }
        for client in waiting {
            assert_eq!(client.await.expect("it is served"), 0);
        }
        let mut late = Raw::connect(server.address).await;
        assert_eq!(late.ask(&echo_text(3, "x")).await.expect("an answer").code, 0);
    })
    .await;
}
