//! What a server has to tell besides answering calls, at a bounded rate.

use crate::status::Escaped;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Something an operator may want to know.
///
/// `Display` is one line with everything from the peer escaped.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Event {
    /// What kind of thing happened.
    pub kind: EventKind,
    /// What happened, in words.
    pub text: String,
    /// How many events of this kind were left out since the last one that was told: at most one a
    /// second is.
    pub suppressed: u64,
}

/// The kinds of [`Event`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventKind {
    /// `accept` failed, for want of descriptors for instance.
    AcceptFailed,
    /// A connection was closed at once because there are too many.
    ConnectionRefused,
    /// A connection was closed because of what its peer sent or did not send.
    PeerMisbehaved,
    /// A handler panicked.
    HandlerPanicked,
    /// A handler blocks a thread of the runtime.
    HandlerBlocks,
    /// A message was refused before its handler saw it: the text names the field, which not every protocol can tell
    /// the caller.
    MessageRefused,
}

impl EventKind {
    const ALL: [Self; 6] = [
        Self::AcceptFailed,
        Self::ConnectionRefused,
        Self::PeerMisbehaved,
        Self::HandlerPanicked,
        Self::HandlerBlocks,
        Self::MessageRefused,
    ];

    fn words(self) -> &'static str {
        match self {
            Self::AcceptFailed => "accept failed",
            Self::ConnectionRefused => "connection refused",
            Self::PeerMisbehaved => "connection closed",
            Self::HandlerPanicked => "handler panicked",
            Self::HandlerBlocks => "handler blocks",
            Self::MessageRefused => "message refused",
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.words(), Escaped(&self.text))?;
        if self.suppressed > 0 {
            write!(f, " ({} more like it were left out)", self.suppressed)?;
        }
        Ok(())
    }
}

/// Who is told.
pub(super) type Observer = Box<dyn Fn(&Event) + Send + Sync>;

/// Tells the observer at most one event of a kind per second.
pub(super) struct Events {
    observer: Option<Observer>,
    kinds: [Mutex<Pace>; EventKind::ALL.len()],
}

#[derive(Default)]
struct Pace {
    last: Option<Instant>,
    suppressed: u64,
}

impl Events {
    pub(super) fn new(observer: Option<Observer>) -> Self {
        Self { observer, kinds: Default::default() }
    }

    /// Tells of an event; `text` is only made when it is told.
    pub(super) fn tell(&self, kind: EventKind, text: impl FnOnce() -> String) {
        if self.observer.is_none() && kind != EventKind::HandlerBlocks {
            return;
        }
        let suppressed = {
            let mut pace = self.kinds[kind as usize].lock().unwrap_or_else(|e| e.into_inner());
            if pace.last.is_some_and(|last| last.elapsed() < Duration::from_secs(1)) {
                pace.suppressed += 1;
                return;
            }
            pace.last = Some(Instant::now());
            std::mem::take(&mut pace.suppressed)
        };
        let event = Event { kind, text: text(), suppressed };
        // A panic here would end the accept loop, or the process when a handler's panic is told.
        let _ = catch_unwind(AssertUnwindSafe(|| match &self.observer {
            Some(observer) => observer(&event),
            // It slows everything down and nothing else shows it, so it is said also to those who
            // did not ask.
            None => eprintln!("stubwire: {event}"),
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_burst_is_told_once_per_kind() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let sink = told.clone();
        let observer: Observer =
            Box::new(move |event| sink.lock().unwrap().push(event.to_string()));
        let events = Events::new(Some(observer));
        for _ in 0..1000 {
            events.tell(EventKind::PeerMisbehaved, || "\x1b[2Jx".to_owned());
        }
        events.tell(EventKind::AcceptFailed, || "y".to_owned());
        let told = told.lock().unwrap();
        assert!(told.contains(&"connection closed: \\u{1b}[2Jx".to_owned()), "{told:?}");
        assert!(told.iter().filter(|line| line.contains("closed")).count() < 1000);
        assert!(told.iter().any(|line| line == "accept failed: y"));
    }
}
