//! Which failed calls may be tried again, and how often.

use super::options::ChannelOptions;
use super::request::Request;
use crate::call::{Failure, RawReply};
use crate::status::{Code, Status};
use std::sync::atomic::{AtomicI64, Ordering};

/// What brpc repeats by default when a server reports it, besides what was not executed here
/// (`RpcRetryPolicy::DoRetry`; below 1000 stand the numbers of Linux).
const REPEATED_BY_BRPC: &[Code] = &[
    Code::EFAILEDSOCKET,
    Code::EEOF,
    Code::EHOSTDOWN,
    Code::ETIMEDOUT,
    Code::ECONNREFUSED,
    Code::new(2),    // ENOENT
    Code::new(32),   // EPIPE
    Code::new(61),   // ENODATA
    Code::new(104),  // ECONNRESET
    Code::new(1017), // EH2RUNOUTSTREAMS
];

/// How one attempt failed.
pub(super) enum Attempt {
    /// No connection could be opened.
    NotConnected(Status),
    /// It was sent, or was to be sent.
    Sent(Failure),
    /// The server answered with an error.
    Refused(Status),
}

impl Attempt {
    /// True when the call was certainly not executed.
    fn was_not_executed(&self) -> bool {
        match self {
            Self::NotConnected(_) => true,
            Self::Sent(Failure::Lost(lost)) => !lost.written,
            Self::Sent(Failure::Expired) => false,
            Self::Refused(status) => {
                matches!(status.code(), Code::ELIMIT | Code::ELOGOFF | Code::EOVERCROWDED)
            }
        }
    }

    fn was_lost(&self) -> bool {
        matches!(self, Self::Sent(Failure::Lost(_)))
    }

    fn is_repeated_by_brpc(&self) -> bool {
        match self {
            Self::Refused(status) => REPEATED_BY_BRPC.contains(&status.code()),
            _ => self.was_lost(),
        }
    }

    /// Whether another attempt is right: never after the deadline, always if the call was not
    /// executed, and after a loss only if a second execution does no harm or the user accepts it.
    pub(super) fn may_retry(&self, request: &Request, options: &ChannelOptions) -> bool {
        if let Self::Sent(Failure::Lost(lost)) = self
            && lost.status.code() == Code::EREQUEST
        {
            return false;
        }
        self.was_not_executed()
            || (request.is_idempotent() && self.was_lost())
            || (options.retry_as_brpc && self.is_repeated_by_brpc())
    }

    /// True when a retry should wait: the server said it has too much to do, or the own queue is full.
    pub(super) fn needs_pause(&self) -> bool {
        match self {
            Self::Refused(_) => true,
            // The own queue is full: at once it would be full again.
            Self::Sent(Failure::Lost(lost)) => lost.status.code() == Code::EOVERCROWDED,
            Self::Sent(Failure::Expired) | Self::NotConnected(_) => false,
        }
    }

    pub(super) fn into_status(self, expired: impl FnOnce() -> Status) -> Status {
        match self {
            Self::NotConnected(status) | Self::Refused(status) => status,
            Self::Sent(Failure::Lost(lost)) => lost.status,
            Self::Sent(Failure::Expired) => expired(),
        }
    }
}

/// Sorts the end of a sent call: a reply to hand on, or a failed attempt.
pub(super) fn judge(outcome: Result<RawReply, Failure>) -> Result<RawReply, Attempt> {
    match outcome {
        Ok(mut reply) => match reply.status.take() {
            Some(status) => Err(Attempt::Refused(status)),
            None => Ok(reply),
        },
        Err(failure) => Err(Attempt::Sent(failure)),
    }
}

/// Keeps retries to a tenth of the calls: every call pays in a tenth of what a retry costs.
#[derive(Debug)]
pub(super) struct RetryBudget {
    tenths: AtomicI64,
}

impl RetryBudget {
    const RETRY: i64 = 10;
    /// Ten retries that may come at once.
    const FULL: i64 = 100;

    pub(super) fn pay_in(&self) {
        // While nothing is retried the budget is full and this only reads.
        if self.tenths.load(Ordering::Relaxed) < Self::FULL {
            self.tenths.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn try_spend(&self) -> bool {
        let spend = |tenths| (tenths >= Self::RETRY).then(|| tenths - Self::RETRY);
        self.tenths.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend).is_ok()
    }
}

impl Default for RetryBudget {
    fn default() -> Self {
        Self { tenths: AtomicI64::new(Self::FULL) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_stay_within_a_tenth() {
        let budget = RetryBudget::default();
        let retries = (0..10_000)
            .filter(|_| {
                budget.pay_in();
                budget.try_spend()
            })
            .count();
        assert!(retries <= 1_000 + 10, "{retries}");
        assert!(retries >= 900, "{retries}");
    }
}
