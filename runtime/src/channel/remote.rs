//! Calls to another process.

use super::connect::jittered;
use super::connection::{ConnectionSettings, Dialect};
use super::options::ChannelOptions;
use super::pool::{GroupKey, LeasedCall, Pool, pool_of};
use super::request::Request;
use super::retry::{Attempt, RetryBudget, judge};
use super::slot::Connector;
use super::target::Target;
use crate::call::RawReply;
use crate::conn::Spinner;
use crate::frame::Protocol;
use crate::registry::Codec;
use crate::status::{Code, Status};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Waker;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// First pause before a call is sent again to a server that had too much to do.
const FIRST_PAUSE: Duration = Duration::from_millis(10);

#[derive(Debug)]
pub(crate) struct Remote {
    pub(super) target: Target,
    pub(super) options: ChannelOptions,
    pub(super) pool: Arc<Pool>,
    pub(super) retries: AtomicU64,
    budget: RetryBudget,
}

impl Remote {
    pub(super) fn new(target: Target, options: ChannelOptions) -> Self {
        let key = GroupKey {
            target: target.to_string(),
            group: options.connection_group.clone(),
            settings: format!(
                "{:?} {:?} {:?} {:?} {} {:?} {:?} {} {:?} {:?}",
                // The tasks of a connection belong to the runtime that opened it, which another may
                // outlive, or wait for in vain.
                tokio::runtime::Handle::try_current().ok().map(|runtime| runtime.id()),
                options.policy,
                options.limits,
                options.connect_timeout,
                options.max_unwritten,
                options.authentication_data,
                options.frpc_byte_order,
                options.frpc_append,
                options.spin_for,
                // Tells one observer from another.
                options.on_phases,
            ),
        };
        let pool = pool_of(key, || {
            let settings = ConnectionSettings {
                limits: options.limits.clone(),
                max_unwritten: options.max_unwritten,
                authentication_data: options.authentication_data.clone(),
                spinner: options.spin_for.map(|window| Arc::new(Spinner::new(window))),
                on_phases: options.on_phases.clone(),
                dialect: match target.protocol {
                    Protocol::Prpc => Dialect::Prpc,
                    Protocol::Frpc => Dialect::Frpc {
                        order: options.frpc_byte_order,
                        append: options.frpc_append,
                    },
                },
            };
            let connector = Connector {
                target: target.clone(),
                settings: Arc::new(settings),
                patience: options.connect_timeout,
                opened: AtomicU64::new(0),
                failed: AtomicU64::new(0),
                written: Arc::default(),
            };
            Pool::new(connector, options.policy)
        });
        let (retries, budget) = (AtomicU64::new(0), RetryBudget::default());
        Self { target, options, pool, retries, budget }
    }

    /// Refuses a call that this channel's frame cannot carry, naming the way that can.
    pub(super) fn check(&self, request: &Request) -> Result<(), Status> {
        let method = request.method.full_name();
        let (codec, numbered) = (request.method.codec(), request.method.explicit_id().is_some());
        let refuse = |text: String| Err(Status::invalid_request(text));
        match (self.target.protocol, codec) {
            (Protocol::Prpc, Codec::Protobuf) => Ok(()),
            (Protocol::Prpc, Codec::FlatBuffers) => refuse(format!(
                "`{method}` has {codec} messages, which prpc:// cannot carry; connect to frpc://"
            )),
            (Protocol::Frpc, Codec::Protobuf) => refuse(format!(
                "`{method}` has {codec} messages, which frpc:// cannot carry; connect to prpc://"
            )),
            (Protocol::Frpc, Codec::FlatBuffers) if !numbered => refuse(format!(
                "`{method}` has no number, by which FRPC addresses it; give it `(id: N)`"
            )),
            (Protocol::Frpc, Codec::FlatBuffers) => match request.only_baidu_std() {
                Some(what) => refuse(format!("FRPC carries no {what} (`{method}`)")),
                None => Ok(()),
            },
        }
    }

    /// Sends a call at once if a connection is open. The call wakes `waker` when it ends.
    pub(super) fn try_send(
        &self,
        request: &mut Request,
        deadline: Option<Instant>,
        waker: &Waker,
    ) -> Option<Result<LeasedCall, Attempt>> {
        self.budget.pay_in();
        let lease = self.pool.ready()?;
        let timeout_ms = self.timeout_ms(request.timeout);
        let sent = lease.connection.send(request, deadline, timeout_ms, Some(waker));
        Some(match sent {
            Ok(call) => Ok(LeasedCall::new(call, lease.home)),
            Err(lost) => Err(Attempt::Sent(crate::call::Failure::Lost(lost))),
        })
    }

    /// Sees a call through that could not be sent at once, or whose first attempt failed.
    pub(super) async fn persist(
        self: Arc<Self>,
        mut request: Request,
        deadline: Option<Instant>,
        failed: Option<Attempt>,
    ) -> Result<RawReply, Status> {
        let persisting = self.attempts(&mut request, deadline, failed);
        match deadline {
            None => persisting.await,
            // The table ends a call that waits for its reply; this ends one that waits for a
            // connection or for its next attempt.
            Some(deadline) => match timeout_at(deadline, persisting).await {
                Ok(outcome) => outcome,
                Err(_) => Err(self.expired(&request)),
            },
        }
    }

    async fn attempts(
        &self,
        request: &mut Request,
        deadline: Option<Instant>,
        mut failed: Option<Attempt>,
    ) -> Result<RawReply, Status> {
        let most = request.max_retries().unwrap_or(self.options.max_retries);
        let mut retries = 0;
        loop {
            if let Some(attempt) = failed.take() {
                let retry = retries < most
                    && attempt.may_retry(request, &self.options)
                    && self.budget.try_spend();
                if !retry {
                    return Err(attempt.into_status(|| self.expired(request)));
                }
                if attempt.needs_pause() {
                    sleep(jittered(FIRST_PAUSE * (1 << retries.min(6)))).await;
                }
                retries += 1;
                self.retries.fetch_add(1, Ordering::Relaxed);
            }
            match self.attempt(request, deadline).await {
                Ok(reply) => return Ok(reply),
                Err(attempt) => failed = Some(attempt),
            }
        }
    }

    async fn attempt(
        &self,
        request: &mut Request,
        deadline: Option<Instant>,
    ) -> Result<RawReply, Attempt> {
        let lease = self.pool.open().await.map_err(Attempt::NotConnected)?;
        // Some of the caller's patience is gone by now: the server is told of what is left.
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let timeout_ms = self.timeout_ms(left.or(request.timeout));
        let sent = lease.connection.send(request, deadline, timeout_ms, None);
        let call = sent.map_err(|lost| Attempt::Sent(crate::call::Failure::Lost(lost)))?;
        // A short connection has no home; the call keeps it open until it ends.
        judge(LeasedCall::new(call, lease.home).await)
    }

    pub(super) fn expired(&self, request: &Request) -> Status {
        let timeout = request.timeout.unwrap_or_default();
        let text = format!("Reached timeout={}ms @{}", timeout.as_millis(), self.target);
        Status::new(Code::ERPCTIMEDOUT, text)
    }

    /// What the server is told of the caller's patience; a timeout below a millisecond is one.
    pub(super) fn timeout_ms(&self, timeout: Option<Duration>) -> Option<i32> {
        let timeout = timeout.filter(|_| self.options.send_timeout)?;
        Some(i32::try_from(timeout.as_millis().max(1)).unwrap_or(i32::MAX))
    }
}
