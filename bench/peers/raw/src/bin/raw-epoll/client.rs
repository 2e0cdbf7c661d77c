//! The client's loop: lanes that call, are counted, and call again.

use crate::connection::{Connection, Read};
use crate::poller::Poller;
use crate::socket::Socket;
use peer_raw::{Batch, answered, call_id};
use std::collections::VecDeque;
use std::io;
use std::mem;
use std::time::Instant;
use stubwire_bench_load::{ClientOptions, Meter, Shape};

type Calling = Connection<&'static [u8]>;

/// One lane: the request that it has in flight, and since when.
struct Lane {
    request: u64,
    begin: Instant,
}

struct Client {
    poller: Poller,
    connections: Vec<Calling>,
    lanes: Vec<Lane>,
    meter: Meter,
    /// Lanes that wait for a connection of the pool.
    waiting: VecDeque<usize>,
    pooled: bool,
}

/// Calls until the time is over, and reports.
pub(crate) fn run(options: &ClientOptions, connections: usize) -> io::Result<()> {
    let poller = Poller::new()?;
    let connect = |place| {
        let socket = Socket::connect(&options.connect)?;
        Connection::new(socket, &poller, place as u64)
    };
    let connections = (0..connections).map(connect).collect::<io::Result<Vec<_>>>()?;
    let begin = Instant::now();
    let lane = |number| Lane { request: number as u64, begin };
    let mut client = Client {
        poller,
        lanes: (0..options.concurrency).map(lane).collect(),
        meter: Meter::new(options)?,
        waiting: VecDeque::new(),
        pooled: options.shape == Shape::Pooled,
        connections,
    };
    client.start()?;
    client.call_on()?;
    let opened = client.connections.len();
    client.meter.finish(Some(opened))
}

impl Client {
    fn start(&mut self) -> io::Result<()> {
        let count = self.connections.len();
        for number in 0..self.lanes.len() {
            if self.pooled && number >= count {
                self.waiting.push_back(number);
                continue;
            }
            self.send(number % count, number);
        }
        for place in 0..count {
            self.flush(place)?;
        }
        Ok(())
    }

    fn call_on(&mut self) -> io::Result<()> {
        loop {
            let count = self.poller.wait(None)?;
            for at in 0..count {
                let place = self.poller.token(at) as usize;
                if self.turn(place)? {
                    return Ok(());
                }
                self.flush(place)?;
            }
        }
    }

    /// Takes the replies of a connection and sends what follows them. True when the time is over.
    fn turn(&mut self, place: usize) -> io::Result<bool> {
        loop {
            let read = self.connections[place].read()?;
            while let Some(frame) = self.connections[place].inbox.take()? {
                let body = self.connections[place].inbox.body(&frame.body);
                let request = |lane| self.lanes.get(lane).map(|lane: &Lane| lane.request);
                let gone = || io::Error::other("a reply to a call that nobody made");
                let (number, id) = answered(frame.id, request).ok_or_else(gone)?;
                let step = self.lanes.len() as u64;
                let lane = &mut self.lanes[number];
                let outcome = self.meter.source().request(lane.request).check(id, body);
                let now = Instant::now();
                let begin = mem::replace(&mut lane.begin, now);
                lane.request += step;
                if self.meter.record(begin, now, outcome)? {
                    return Ok(true);
                }
                self.follow(place, number);
            }
            match read {
                Read::More => {}
                Read::Last | Read::Nothing => return Ok(false),
                Read::End => return Err(io::Error::other("the server closed a connection")),
            }
        }
    }

    /// The lane itself, or the one that has waited longest for a connection.
    fn follow(&mut self, place: usize, number: usize) {
        self.waiting.push_back(number);
        if let Some(next) = self.waiting.pop_front() {
            self.send(place, next);
        }
    }

    fn send(&mut self, place: usize, number: usize) {
        let request = self.meter.source().request(self.lanes[number].request);
        let body = request.text().as_bytes();
        let out: &mut Batch<_> = &mut self.connections[place].out;
        out.push(call_id(number, request.id()), body, || body);
    }

    fn flush(&mut self, place: usize) -> io::Result<()> {
        let connection = &mut self.connections[place];
        connection.flush(&self.poller, |_, body| body)?;
        connection.cleared();
        Ok(())
    }
}
