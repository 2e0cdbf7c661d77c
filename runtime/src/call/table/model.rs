//! The table beside a list that says what ought to be in it, through random steps.

use super::*;
use std::time::Duration;

fn context() -> Context<'static> {
    Context::from_waker(Waker::noop())
}

fn reply(text: &'static str) -> RawReply {
    RawReply { message: Bytes::from_static(text.as_bytes()), ..RawReply::default() }
}

/// What a model knows of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Known {
    Waiting(Option<u64>),
    Answered,
    Expired,
    Lost,
}

/// One thing that happens to a table; numbers choose among the calls there are.
#[derive(Clone, Debug)]
enum Step {
    Insert(Option<u64>),
    Complete(usize),
    CompleteTwice(usize),
    CompleteStray(i64),
    Poll(usize),
    Remove(usize),
    Expire(u64),
    Lose,
}

fn steps() -> impl proptest::strategy::Strategy<Value = Vec<Step>> {
    use proptest::prelude::*;
    let step = prop_oneof![
        8 => proptest::option::of(0_u64..100).prop_map(Step::Insert),
        6 => any::<usize>().prop_map(Step::Complete),
        1 => any::<usize>().prop_map(Step::CompleteTwice),
        1 => any::<i64>().prop_map(Step::CompleteStray),
        6 => any::<usize>().prop_map(Step::Poll),
        4 => any::<usize>().prop_map(Step::Remove),
        2 => (0_u64..100).prop_map(Step::Expire),
        1 => Just(Step::Lose),
    ];
    proptest::collection::vec(step, 0..200)
}

/// A table beside a list that says what ought to be in it.
struct Model {
    table: CallTable,
    calls: Vec<(SlotKey, Known)>,
    start: Instant,
    lost: bool,
}

impl Model {
    fn pick(&self, number: usize) -> Option<usize> {
        number.checked_rem(self.calls.len())
    }

    fn at(&self, millis: u64) -> Instant {
        self.start + Duration::from_millis(millis)
    }

    fn complete(&mut self, number: usize) {
        let Some(index) = self.pick(number) else { return };
        let (key, known) = &mut self.calls[index];
        let taken = self.table.complete(key.correlation_id(), reply("x")).is_ok();
        assert_eq!(taken, matches!(known, Known::Waiting(_)));
        if taken {
            *known = Known::Answered;
        }
    }

    fn poll(&mut self, number: usize) {
        let Some(index) = self.pick(number) else { return };
        let (key, known) = self.calls[index];
        let found = match self.table.poll(key, &mut context()) {
            Poll::Pending => return assert!(matches!(known, Known::Waiting(_))),
            Poll::Ready(Ok(_)) => Known::Answered,
            Poll::Ready(Err(Failure::Expired)) => Known::Expired,
            Poll::Ready(Err(Failure::Lost(_))) => Known::Lost,
        };
        assert_eq!(found, known);
        self.calls.swap_remove(index);
    }

    fn expire(&mut self, now: u64) {
        let next = self.table.expire(self.at(now), &mut Vec::new());
        for (_, known) in &mut self.calls {
            if matches!(known, Known::Waiting(Some(deadline)) if *deadline <= now) {
                *known = Known::Expired;
            }
        }
        let deadlines = self.calls.iter().filter_map(|(_, known)| match known {
            Known::Waiting(deadline) => *deadline,
            _ => None,
        });
        assert_eq!(next, deadlines.min().map(|deadline| self.at(deadline)));
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Insert(deadline) => {
                let inserted = self.table.insert(deadline.map(|deadline| self.at(deadline)), None);
                assert_eq!(inserted.is_err(), self.lost);
                self.calls.extend(inserted.map(|key| (key, Known::Waiting(deadline))));
            }
            Step::Complete(number) => self.complete(number),
            Step::CompleteTwice(number) => {
                self.complete(number);
                self.complete(number);
            }
            Step::CompleteStray(id) => {
                let known = self.calls.iter().any(|(key, _)| key.correlation_id() == id);
                assert!(known || self.table.complete(id, reply("stray")).is_err());
            }
            Step::Poll(number) => self.poll(number),
            Step::Remove(number) => {
                let Some(index) = self.pick(number) else { return };
                let (key, _) = self.calls.swap_remove(index);
                self.table.remove(key);
                // Gone for good: neither a late reply nor its caller finds it.
                assert!(self.table.complete(key.correlation_id(), reply("late")).is_err());
                self.table.remove(key);
            }
            Step::Expire(now) => self.expire(now),
            Step::Lose => {
                self.table.lose(Status::new(1009, "gone"), 0, &mut Vec::new());
                self.lost = true;
                for (_, known) in &mut self.calls {
                    if matches!(known, Known::Waiting(_)) {
                        *known = Known::Lost;
                    }
                }
            }
        }
        assert_eq!(self.table.len(), self.calls.len());
    }
}

proptest::proptest! {
    /// TRUST C11: whatever happens in whatever order, each call ends once and no slot leaks.
    #[test]
    fn trust_c11_the_table_agrees_with_a_list(steps in steps()) {
        let table = CallTable::default();
        let mut model = Model { table, calls: Vec::new(), start: Instant::now(), lost: false };
        for step in steps {
            model.take(step);
        }
        while !model.calls.is_empty() {
            model.take(Step::Remove(0));
        }
        assert_eq!(model.table.len(), 0);
    }
}
