//! A service that builds replies of any size and watches the builder while it does: how often it
//! grew, and how long that took beside a builder that starts empty.
//!
//! The test holds the counts; the binary `presize` prints the times, which no test looks at.

stubwire::include_tree!();

use std::sync::{Arc, Mutex};
use std::time::Instant;

use flatbuffers::{FlatBufferBuilder, WIPOffset};
use stubwire::{Call, Channel, Flat, Registry, Status};

use presize::{Reply, ReplyArgs, Row, RowArgs, SizedClient, SizedServer, Want};

/// What one reply did to its builder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Bytes of memory before anything was built.
    pub before: usize,
    /// Bytes of memory when the message was built.
    pub after: usize,
}

impl Seen {
    /// How often it doubled its memory, which is the one way in which a builder grows.
    pub fn growths(self) -> u32 {
        doublings(self.before, self.after)
    }
}

/// The times that `from` is to be doubled to become `to`.
pub fn doublings(from: usize, to: usize) -> u32 {
    let mut size = from;
    let mut count = 0;
    while size < to {
        size = (2 * size).max(1);
        count += 1;
    }
    assert_eq!(size, to, "{from} does not become {to} by doubling");
    count
}

/// Builds what is asked for, and remembers what the builders did.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Watched {
    /// What the replies so far did.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().map(|seen| seen.clone()).unwrap_or_default()
    }

    fn answer(&self, call: &Call, want: Want<'_>) -> Flat<Reply<'static>> {
        let size = want.size() as usize;
        let content =
            if want.rows() { Content::Rows(size) } else { Content::Text("x".repeat(size)) };
        if want.rounds() > 0 {
            let repeats = (200_000 / size.max(1)).clamp(1, 200) as u32;
            return measured(call, &content, want.rounds(), repeats);
        }
        call.build(|builder| {
            let before = memory(builder);
            let reply = build(builder, &content);
            if let Ok(mut seen) = self.seen.lock() {
                seen.push(Seen { before, after: memory(builder) });
            }
            reply
        })
    }
}

impl presize::Sized for Watched {
    async fn learn(&self, call: &mut Call, want: Want<'_>) -> Result<Flat<Reply<'static>>, Status> {
        Ok(self.answer(call, want))
    }

    async fn stair(&self, call: &mut Call, want: Want<'_>) -> Result<Flat<Reply<'static>>, Status> {
        Ok(self.answer(call, want))
    }

    async fn declared(
        &self,
        call: &mut Call,
        want: Want<'_>,
    ) -> Result<Flat<Reply<'static>>, Status> {
        Ok(self.answer(call, want))
    }
}

/// A registry that serves it.
pub fn registry(watched: Watched) -> Registry {
    let registry = Registry::new();
    registry.register(SizedServer::new(watched)).expect("the registry is empty");
    registry
}

/// A client in the same process.
pub fn client(watched: Watched) -> SizedClient {
    SizedClient::new(Channel::in_process(registry(watched)))
}

/// All the memory of a builder, used or not.
fn memory(builder: &mut FlatBufferBuilder<'_>) -> usize {
    builder.mut_finished_buffer().0.len()
}

/// What a reply holds.
enum Content {
    /// One text, which is copied in one piece.
    Text(String),
    /// Rows of so many bytes together, built one by one.
    Rows(usize),
}

/// A reply of this content.
fn build<'builder>(
    builder: &mut FlatBufferBuilder<'builder>,
    content: &Content,
) -> WIPOffset<Reply<'builder>> {
    /// What a row takes: its table, its text, and its place in the vector.
    const ROW: usize = 56;
    let size = match content {
        Content::Rows(size) => size,
        Content::Text(text) => {
            let text = Some(builder.create_string(text));
            return Reply::create(builder, &ReplyArgs { text, ..Default::default() });
        }
    };
    let made: Vec<_> = (0..size / ROW)
        .map(|id| {
            let name = Some(builder.create_string("a name of 24 characters."));
            Row::create(builder, &RowArgs { id: id as u64 + 1, name })
        })
        .collect();
    let rows = Some(builder.create_vector(&made));
    Reply::create(builder, &ReplyArgs { rows, ..Default::default() })
}

/// Builds it in each of the two ways by turns, `repeats` times a turn, and answers with the times. The
/// last thing of a reply is that its memory is given back: to the pool, which zeroes it, or to the allocator.
fn measured(call: &Call, content: &Content, rounds: u32, repeats: u32) -> Flat<Reply<'static>> {
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..rounds {
        for turn in 0..2 {
            let which = ((round + turn) % 2) as usize;
            let start = Instant::now();
            for _ in 0..repeats {
                match which {
                    0 => drop(call.build(|builder| build(builder, content))),
                    _ => {
                        let mut builder = FlatBufferBuilder::new();
                        let reply = build(&mut builder, content);
                        builder.finish(reply, None);
                        std::hint::black_box(builder.finished_data());
                    }
                }
            }
            times[which].push(start.elapsed().as_nanos() as u64 / u64::from(repeats));
        }
    }
    call.build(|builder| {
        let [presized, unsized_] = times.map(|times| Some(builder.create_vector(&times)));
        Reply::create(builder, &ReplyArgs { presized, unsized_, ..Default::default() })
    })
}
