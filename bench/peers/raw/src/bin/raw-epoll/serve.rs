//! The server's loop.

use crate::connection::{Connection, Read, in_inbox};
use crate::poller::Poller;
use crate::socket::Listener;
use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::time::{Duration, Instant};
use stubwire_bench_load::{Ready, ServerOptions, Work};

type Served = Connection<Range<usize>>;

/// The token of the listener; those of connections are their places, each used once.
const LISTENER: u64 = u64::MAX;

/// Replies that are gathered before they are written, though there is more to read.
const GATHERED: usize = 1024;

struct Server {
    poller: Poller,
    connections: Vec<Option<Served>>,
    work: Work,
    /// Calls whose handlers sleep, the first to wake in front: all sleep for the same time.
    asleep: VecDeque<Asleep>,
}

struct Asleep {
    due: Instant,
    connection: usize,
    id: u64,
    body: Vec<u8>,
}

/// Serves until standard input ends.
pub(crate) fn serve(options: &ServerOptions) -> io::Result<()> {
    let listener = Listener::bind(&options.listen)?;
    let mut server = Server {
        poller: Poller::new()?,
        connections: Vec::new(),
        work: options.work(),
        asleep: VecDeque::new(),
    };
    server.poller.add(&listener, LISTENER)?;
    Ready::ending_with_stdin().listening(&listener.address()?);
    loop {
        let count = server.poller.wait(server.until_due())?;
        for at in 0..count {
            match server.poller.token(at) {
                LISTENER => server.accept(&listener)?,
                place => server.answer(place as usize),
            }
        }
        server.wake();
    }
}

impl Server {
    fn accept(&mut self, listener: &Listener) -> io::Result<()> {
        while let Some(socket) = listener.accept()? {
            let place = self.connections.len();
            let connection = Connection::new(socket, &self.poller, place as u64)?;
            self.connections.push(Some(connection));
        }
        Ok(())
    }

    fn answer(&mut self, place: usize) {
        let Some(Some(connection)) = self.connections.get_mut(place) else { return };
        let turn = turn(connection, &self.poller, |connection, id, body| {
            self.work.run_busy();
            if self.work.sleep().is_zero() {
                let Connection { inbox, out, .. } = connection;
                out.push(id, inbox.body(&body), || body.clone());
            } else {
                let due = Instant::now() + self.work.sleep();
                let body = connection.inbox.body(&body).to_owned();
                self.asleep.push_back(Asleep { due, connection: place, id, body });
            }
        });
        // A connection that ended or broke is closed; the others go on.
        if !matches!(turn, Ok(true)) {
            self.connections[place] = None;
        }
    }

    fn until_due(&self) -> Option<Duration> {
        self.asleep.front().map(|call| call.due.saturating_duration_since(Instant::now()))
    }

    /// Answers the calls whose time has come, one write a connection.
    fn wake(&mut self) {
        let now = Instant::now();
        let mut awake = Vec::new();
        while let Some(call) = self.asleep.pop_front() {
            if call.due > now {
                self.asleep.push_front(call);
                break;
            }
            let Some(connection) = &mut self.connections[call.connection] else { continue };
            connection.out.push_copied(call.id, &call.body);
            awake.push(call.connection);
        }
        awake.sort_unstable();
        awake.dedup();
        for place in awake {
            let Some(connection) = &mut self.connections[place] else { continue };
            if connection.flush(&self.poller, in_inbox).is_err() {
                self.connections[place] = None;
                continue;
            }
            connection.cleared();
        }
    }
}

/// Reads and answers. False when the connection has ended.
fn turn(
    connection: &mut Served,
    poller: &Poller,
    mut handle: impl FnMut(&mut Served, u64, Range<usize>),
) -> io::Result<bool> {
    if connection.is_blocked() {
        connection.flush(poller, in_inbox)?;
    }
    while connection.cleared() {
        let read = connection.read()?;
        let mut replies = 0;
        while let Some(frame) = connection.inbox.take()? {
            handle(connection, frame.id, frame.body);
            replies += 1;
        }
        connection.flush(poller, in_inbox)?;
        match read {
            Read::More if replies < GATHERED => {}
            Read::End => return Ok(false),
            Read::More | Read::Last | Read::Nothing => {
                connection.cleared();
                return Ok(true);
            }
        }
    }
    Ok(true)
}
