//! epoll, level-triggered.

use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

/// One instance.
pub(crate) struct Poller {
    epoll: OwnedFd,
    events: Vec<Event>,
}

/// Events taken with one call.
const EVENTS: usize = 1024;

impl Poller {
    pub(crate) fn new() -> io::Result<Self> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        let none = Event { flags: EventFlags::empty(), data: EventData::new_u64(0) };
        Ok(Self { epoll, events: vec![none; EVENTS] })
    }

    /// Watches for reading.
    pub(crate) fn add(&self, socket: &impl AsFd, token: u64) -> io::Result<()> {
        Ok(epoll::add(&self.epoll, socket, EventData::new_u64(token), EventFlags::IN)?)
    }

    /// Watches for writing as well, or no longer.
    pub(crate) fn writing(&self, socket: &impl AsFd, token: u64, writing: bool) -> io::Result<()> {
        let flags = if writing { EventFlags::OUT } else { EventFlags::empty() } | EventFlags::IN;
        Ok(epoll::modify(&self.epoll, socket, EventData::new_u64(token), flags)?)
    }

    /// Waits. The tokens of what is ready are `token(0)` up to the count returned.
    pub(crate) fn wait(&mut self, limit: Option<Duration>) -> io::Result<usize> {
        let limit = limit.map(|limit| Timespec {
            tv_sec: limit.as_secs() as i64,
            tv_nsec: i64::from(limit.subsec_nanos()),
        });
        match epoll::wait(&self.epoll, &mut self.events, limit.as_ref()) {
            Ok(count) => Ok(count),
            Err(rustix::io::Errno::INTR) => Ok(0),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn token(&self, at: usize) -> u64 {
        self.events[at].data.u64()
    }
}
