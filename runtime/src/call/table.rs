//! The client's calls in flight on one connection: a plain struct with time as an argument.
//!
//! A correlation id is the slot's index with a generation above it. The index alone tells calls in
//! flight apart, so an id can never meet one that is in use, however often the generations wrap;
//! the generation keeps late replies away from the slot's next tenant.

use crate::call::{ClientStamps, Metadata, PhaseObserver};
use crate::registry::MethodDescriptor;
use crate::status::Status;
use bytes::Bytes;
use slab::Slab;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use tokio::time::Instant;

/// Generations use 31 bits, so that ids stay positive: the wire calls them `int64`.
const GENERATION_MASK: u32 = (1 << 31) - 1;

/// A reply as it came, its message not yet decompressed, checked or decoded.
#[derive(Debug, Default)]
pub(crate) struct RawReply {
    /// The error that the server reported.
    pub(crate) status: Option<Status>,
    pub(crate) message: Bytes,
    pub(crate) attachment: Bytes,
    pub(crate) metadata: Option<Box<Metadata>>,
    pub(crate) compress_type: i32,
    pub(crate) checksum: ReplyChecksum,
}

/// The checksum that came with a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ReplyChecksum {
    #[default]
    None,
    Crc32c {
        value: [u8; 4],
        with_attachment: bool,
    },
    /// One of another length than a CRC32C has.
    Malformed,
}

/// Why a call ended without a reply.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// Its deadline passed.
    Expired,
    /// Its connection is gone.
    Lost(Lost),
}

/// A connection that went away under a call.
#[derive(Clone, Debug)]
pub(crate) struct Lost {
    pub(crate) status: Status,
    /// True when a byte of the request may have reached the peer.
    pub(crate) written: bool,
}

/// The place of one call in a [`CallTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlotKey {
    index: u32,
    generation: u32,
}

impl SlotKey {
    pub(crate) fn correlation_id(self) -> i64 {
        i64::from(self.generation) << 32 | i64::from(self.index)
    }

    fn from_correlation_id(id: i64) -> Option<Self> {
        let generation = u32::try_from(id >> 32).ok()?;
        Some(Self { index: id as u32, generation })
    }
}

#[derive(Debug)]
struct Slot {
    generation: u32,
    deadline: Option<Instant>,
    /// Where the request begins in the connection's stream of written bytes.
    position: u64,
    state: SlotState,
}

#[derive(Debug)]
enum SlotState {
    Waiting(Option<Waker>),
    Done(Result<RawReply, Failure>),
}

/// Calls in flight, and what became of them until their callers fetch it.
#[derive(Debug, Default)]
pub(crate) struct CallTable {
    slots: Slab<Slot>,
    generation: u32,
    lost: Option<Status>,
    /// When the next sweep is due; a call that ends earlier has to bring it forward.
    next_sweep: Option<Instant>,
    /// By slot, where somebody observes the phases of calls. Not in the slot, which others would carry about too.
    stamps: Vec<Option<Arc<ClientStamps>>>,
}

impl CallTable {
    /// Adds a call, and whom to wake when it ends.
    ///
    /// # Errors
    /// The reason for which the connection is gone, when it is.
    pub(crate) fn insert(
        &mut self,
        deadline: Option<Instant>,
        waker: Option<Waker>,
    ) -> Result<SlotKey, Lost> {
        if let Some(status) = &self.lost {
            return Err(Lost { status: status.clone(), written: false });
        }
        self.generation = (self.generation + 1) & GENERATION_MASK;
        let generation = self.generation;
        let state = SlotState::Waiting(waker);
        let index = self.slots.insert(Slot { generation, deadline, position: u64::MAX, state });
        // A table of 2^32 calls would need hundreds of gigabytes; the limits end long before.
        Ok(SlotKey { index: index as u32, generation })
    }

    /// True when a call with this deadline needs an earlier sweep than the one that is due.
    pub(crate) fn bring_sweep_forward(&mut self, deadline: Option<Instant>) -> bool {
        let Some(deadline) = deadline else { return false };
        let earlier = self.next_sweep.is_none_or(|due| deadline < due);
        if earlier {
            self.next_sweep = Some(deadline);
        }
        earlier
    }

    /// Notes where the request of a call begins in the stream of written bytes.
    pub(crate) fn set_position(&mut self, key: SlotKey, position: u64) {
        if let Some(slot) = self.slot(key) {
            slot.position = position;
        }
    }

    /// Has the phases of a call noted that is about to be queued, until they are [taken](Self::take_stamps).
    #[cold]
    pub(crate) fn stamp(
        &mut self,
        key: SlotKey,
        observer: &PhaseObserver,
        method: &'static MethodDescriptor,
    ) {
        let index = key.index as usize;
        if self.stamps.len() <= index {
            self.stamps.resize(index + 1, None);
        }
        // What a call left that could not be queued is displaced, and tells nobody.
        self.stamps[index] = Some(Arc::new(ClientStamps::new(observer.clone(), method)));
    }

    /// The stamps of a call that holds a slot.
    pub(crate) fn stamps(&self, key: SlotKey) -> Option<Arc<ClientStamps>> {
        self.stamps.get(key.index as usize)?.clone()
    }

    /// The stamps of a call that is about to free its slot, or just did. To be dropped outside of the table's lock:
    /// they tell of themselves then.
    #[cold]
    pub(crate) fn take_stamps(&mut self, key: SlotKey) -> Option<Arc<ClientStamps>> {
        self.stamps.get_mut(key.index as usize)?.take()
    }

    /// Notes when the reply to a call was read, which is about to be [completed](Self::complete).
    #[cold]
    pub(crate) fn stamp_reply(&mut self, id: i64, read: Instant) {
        let Some(key) = SlotKey::from_correlation_id(id) else { return };
        let waits = self.slot(key).is_some_and(|slot| matches!(slot.state, SlotState::Waiting(_)));
        if waits && let Some(Some(stamps)) = self.stamps.get(key.index as usize) {
            stamps.reply_read(read);
        }
    }

    /// Hands a reply to its call, whose waker comes back; `Err` when nobody waits for it: an
    /// unknown id, a call that was given up, a second reply.
    pub(crate) fn complete(&mut self, id: i64, reply: RawReply) -> Result<Option<Waker>, ()> {
        let slot = SlotKey::from_correlation_id(id).and_then(|key| self.slot(key)).ok_or(())?;
        match &mut slot.state {
            SlotState::Done(_) => Err(()),
            SlotState::Waiting(waker) => {
                let waker = waker.take();
                slot.state = SlotState::Done(Ok(reply));
                Ok(waker)
            }
        }
    }

    /// Fetches what became of a call and frees its slot, or remembers whom to wake.
    // Stamped and other calls come here from two places, and the call is dearer than what it does.
    #[inline(always)]
    pub(crate) fn poll(
        &mut self,
        key: SlotKey,
        context: &mut Context<'_>,
    ) -> Poll<Result<RawReply, Failure>> {
        let Some(slot) = self.slot(key) else {
            let status = Status::internal("the call was polled again after it had ended");
            return Poll::Ready(Err(Failure::Lost(Lost { status, written: true })));
        };
        if let SlotState::Waiting(waker) = &mut slot.state {
            match waker {
                Some(waker) => waker.clone_from(context.waker()),
                None => *waker = Some(context.waker().clone()),
            }
            return Poll::Pending;
        }
        match self.slots.remove(key.index as usize).state {
            SlotState::Done(outcome) => Poll::Ready(outcome),
            SlotState::Waiting(_) => Poll::Pending,
        }
    }

    /// Frees the slot of a call that was given up. A reply that comes later finds nobody.
    pub(crate) fn remove(&mut self, key: SlotKey) {
        if self.slot(key).is_some() {
            self.slots.remove(key.index as usize);
        }
    }

    /// Ends the calls whose deadline has come; returns the next deadline.
    ///
    /// One pass over the slots: no timer per call. It runs when the earliest deadline is due, which
    /// with equal timeouts is rare against the calls.
    pub(crate) fn expire(&mut self, now: Instant, wakers: &mut Vec<Waker>) -> Option<Instant> {
        let mut next = None;
        for (_, slot) in &mut self.slots {
            let (SlotState::Waiting(waker), Some(deadline)) = (&mut slot.state, slot.deadline)
            else {
                continue;
            };
            if deadline <= now {
                wakers.extend(waker.take());
                slot.state = SlotState::Done(Err(Failure::Expired));
            } else {
                next = Some(next.map_or(deadline, |next: Instant| next.min(deadline)));
            }
        }
        self.next_sweep = next;
        next
    }

    /// Ends every call because the connection is gone, of whose stream `written` bytes went out.
    pub(crate) fn lose(&mut self, status: Status, written: u64, wakers: &mut Vec<Waker>) {
        for (_, slot) in &mut self.slots {
            if let SlotState::Waiting(waker) = &mut slot.state {
                wakers.extend(waker.take());
                let lost = Lost { status: status.clone(), written: slot.position < written };
                slot.state = SlotState::Done(Err(Failure::Lost(lost)));
            }
        }
        self.lost.get_or_insert(status);
    }

    /// Calls that hold a slot.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    fn slot(&mut self, key: SlotKey) -> Option<&mut Slot> {
        let slot = self.slots.get_mut(key.index as usize)?;
        (slot.generation == key.generation).then_some(slot)
    }
}

#[cfg(test)]
mod model;

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn context() -> Context<'static> {
        Context::from_waker(Waker::noop())
    }

    fn reply(text: &'static str) -> RawReply {
        RawReply { message: Bytes::from_static(text.as_bytes()), ..RawReply::default() }
    }

    /// TRUST C1: unknown ids, ids already done, and second replies find nobody.
    #[test]
    fn trust_c01_stray_replies_find_nobody() {
        let mut table = CallTable::default();
        assert!(table.complete(77, reply("x")).is_err());
        assert!(table.complete(-1, reply("x")).is_err());
        let key = table.insert(None, None).unwrap();
        assert!(table.complete(key.correlation_id(), reply("first")).is_ok());
        assert!(table.complete(key.correlation_id(), reply("second")).is_err());
        match table.poll(key, &mut context()) {
            Poll::Ready(Ok(reply)) => assert_eq!(reply.message, "first"),
            other => panic!("{other:?}"),
        }
        assert!(table.complete(key.correlation_id(), reply("late")).is_err());
        assert_eq!(table.len(), 0);
    }

    /// TRUST C9: an id that comes round again never meets a call in flight.
    #[test]
    fn trust_c09_wrapping_ids_never_meet_a_call_in_flight() {
        let mut table = CallTable { generation: GENERATION_MASK - 2, ..CallTable::default() };
        let old = table.insert(None, None).unwrap();
        let mut ids = std::collections::HashSet::from([old.correlation_id()]);
        for _ in 0..6 {
            let key = table.insert(None, None).unwrap();
            assert!(key.correlation_id() >= 0);
            assert!(ids.insert(key.correlation_id()), "an id in flight came again");
        }
        // Even with the same generation the index tells them apart.
        table.generation = old.generation - 1;
        let twin = table.insert(None, None).unwrap();
        assert_eq!(twin.generation, old.generation);
        assert_ne!(twin.correlation_id(), old.correlation_id());
    }

    #[test]
    fn a_late_reply_does_not_reach_the_next_tenant_of_a_slot() {
        let mut table = CallTable::default();
        let given_up = table.insert(None, None).unwrap();
        table.remove(given_up);
        let next = table.insert(None, None).unwrap();
        assert_eq!(given_up.index, next.index);
        assert!(table.complete(given_up.correlation_id(), reply("late")).is_err());
        assert!(table.poll(next, &mut context()).is_pending());
    }

    #[test]
    fn deadlines_end_calls_and_name_the_next() {
        let start = Instant::now();
        let mut table = CallTable::default();
        let soon = table.insert(Some(start + Duration::from_millis(10)), None).unwrap();
        let later = table.insert(Some(start + Duration::from_millis(30)), None).unwrap();
        let never = table.insert(None, None).unwrap();
        let mut wakers = Vec::new();
        let next = table.expire(start + Duration::from_millis(10), &mut wakers);
        assert_eq!(next, Some(start + Duration::from_millis(30)));
        let expired = table.poll(soon, &mut context());
        assert!(matches!(expired, Poll::Ready(Err(Failure::Expired))));
        assert!(table.poll(later, &mut context()).is_pending());
        assert!(table.poll(never, &mut context()).is_pending());
    }

    #[test]
    fn a_lost_connection_tells_which_requests_were_begun() {
        let mut table = CallTable::default();
        let (sent, unsent) = (table.insert(None, None).unwrap(), table.insert(None, None).unwrap());
        table.set_position(sent, 0);
        table.set_position(unsent, 100);
        table.lose(Status::new(1009, "gone"), 100, &mut Vec::new());
        for (key, expected) in [(sent, true), (unsent, false)] {
            match table.poll(key, &mut context()) {
                Poll::Ready(Err(Failure::Lost(lost))) => assert_eq!(lost.written, expected),
                other => panic!("{other:?}"),
            }
        }
        assert!(table.insert(None, None).is_err());
    }
}
