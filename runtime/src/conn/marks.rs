//! Who wants to hear that the kernel has the bytes up to a position of a connection's stream.
//!
//! It stands beside the send queue, and only on connections whose calls are stamped: the others have none, look at
//! no clock and take no lock for it. Nobody is told while a lock is held, so that who is told may call again.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;

/// Hears when its bytes were handed to the kernel; dropped unheard when they never will be.
pub(crate) trait Written: Send + fmt::Debug {
    /// All of its bytes were handed to the kernel, the last of them not after `at`.
    fn written(self: Box<Self>, at: Instant);
}

/// Marks in the stream of one connection.
#[derive(Debug, Default)]
pub(super) struct Marks(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// By the position at which the marked bytes end, lowest first.
    waiting: VecDeque<(u64, Box<dyn Written>)>,
    /// Nothing will be written any more.
    over: bool,
}

impl Marks {
    /// Adds a mark behind the byte before `end`. Whoever adds has to [`pass`](Self::pass) then: the bytes may be
    /// written already.
    pub(super) fn add(&self, end: u64, mark: Box<dyn Written>) {
        let refused = {
            let mut state = self.lock();
            if state.over {
                Some(mark)
            } else {
                // Two who push at once may come here in the other order.
                let before = state.waiting.iter().rposition(|(other, _)| *other <= end);
                state.waiting.insert(before.map_or(0, |index| index + 1), (end, mark));
                None
            }
        };
        drop(refused);
    }

    /// Tells those whose bytes are among the first `written`.
    pub(super) fn pass(&self, written: u64) {
        let mut now = None;
        while let Some(mark) = self.pop(written) {
            // One look at the clock for a batch, and none before its bytes are known to be written.
            mark.written(*now.get_or_insert_with(Instant::now));
        }
    }

    /// Lets go of all: nothing will be written any more.
    pub(super) fn end(&self) {
        self.lock().over = true;
        while let Some(mark) = self.pop(u64::MAX) {
            drop(mark);
        }
    }

    fn pop(&self, written: u64) -> Option<Box<dyn Written>> {
        let mut state = self.lock();
        let due = state.waiting.front().is_some_and(|(end, _)| *end <= written);
        if due { state.waiting.pop_front().map(|(_, mark)| mark) } else { None }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[derive(Debug)]
    struct Mark(u64, Arc<Mutex<Vec<(u64, bool)>>>, bool);

    impl Written for Mark {
        fn written(mut self: Box<Self>, _: Instant) {
            self.2 = true;
        }
    }

    impl Drop for Mark {
        fn drop(&mut self) {
            self.1.lock().unwrap().push((self.0, self.2));
        }
    }

    #[test]
    fn marks_are_told_in_the_order_of_the_stream_and_no_sooner_than_written() {
        let (marks, told) = (Marks::default(), Arc::default());
        for end in [30, 10, 20] {
            marks.add(end, Box::new(Mark(end, Arc::clone(&told), false)));
        }
        marks.pass(9);
        assert!(told.lock().unwrap().is_empty());
        marks.pass(20);
        assert_eq!(*told.lock().unwrap(), [(10, true), (20, true)]);
    }

    #[test]
    fn what_is_never_written_is_let_go_of() {
        let (marks, told) = (Marks::default(), Arc::default());
        marks.add(10, Box::new(Mark(10, Arc::clone(&told), false)));
        marks.end();
        // One that comes after the end is not kept either.
        marks.add(20, Box::new(Mark(20, Arc::clone(&told), false)));
        assert_eq!(*told.lock().unwrap(), [(10, false), (20, false)]);
        assert!(marks.lock().waiting.is_empty());
    }
}
