//! A call between its method and its `await`.

use super::body::Body;
use super::pool::LeasedCall;
use super::remote::Remote;
use super::reply::{Decode, Reply, open};
use super::request::Request;
use super::retry::{Attempt, judge};
use super::transport::TransportRequest;
use super::{Channel, Way};
use crate::call::{Failure, RawReply};
use crate::frame::compress::Compression;
use crate::registry::MethodDescriptor;
use crate::status::{Code, Status};
use bytes::Bytes;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// A call that was made and not yet awaited: options chain on it, `.await` sends it.
///
/// ```ignore
/// let reply = echo.echo(request).timeout(Duration::from_millis(50)).attach(bytes).log_id(7).await?;
/// ```
#[must_use = "a call is sent when it is awaited"]
pub struct Pending<'channel, Message> {
    channel: &'channel Channel,
    request: Request,
    decode: Decode<Message>,
}

impl<'channel, Message> Pending<'channel, Message> {
    pub(crate) fn new(
        channel: &'channel Channel,
        method: &'static MethodDescriptor,
        message: Body,
        decode: Decode<Message>,
    ) -> Self {
        Self { channel, request: Request::new(method, message), decode }
    }

    #[cfg(feature = "golden")]
    pub(super) fn into_parts(self) -> (&'channel Channel, Request) {
        (self.channel, self.request)
    }

    /// How long to wait for the reply, retries included. The server is told.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.request.timeout = Some(timeout);
        self
    }

    /// Sends raw bytes behind the message.
    pub fn attach(mut self, attachment: impl Into<Bytes>) -> Self {
        self.request.attachment = attachment.into();
        self
    }

    /// Sends a log id.
    pub fn log_id(mut self, log_id: i64) -> Self {
        self.request.extras().metadata.log_id = Some(log_id);
        self
    }

    /// Sends a request id.
    pub fn request_id(mut self, request_id: impl Into<String>) -> Self {
        self.request.extras().metadata.request_id = Some(request_id.into());
        self
    }

    /// Sends the trace that the call belongs to: its id, the caller's span, and the span above.
    pub fn trace(mut self, trace_id: i64, span_id: i64, parent_span_id: i64) -> Self {
        let metadata = &mut self.request.extras().metadata;
        metadata.trace_id = Some(trace_id);
        metadata.span_id = Some(span_id);
        metadata.parent_span_id = Some(parent_span_id);
        self
    }

    /// Sends a user field, after those that were set before.
    pub fn user_field(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.request.extras().metadata.user_fields.push((key.into(), value.into()));
        self
    }

    /// Compresses the message; the attachment stays as it is.
    pub fn compress(mut self, compression: Compression) -> Self {
        self.request.extras().compression = compression;
        self
    }

    /// Sends a CRC32C checksum of message and attachment.
    pub fn checksum(mut self) -> Self {
        self.request.extras().checksum = true;
        self
    }

    /// Says that executing this call twice does no harm, so that it is tried again also when its
    /// connection was lost after it was sent.
    pub fn idempotent(mut self) -> Self {
        self.request.extras().idempotent = true;
        self
    }

    /// How often the call may be tried again, instead of what the channel says.
    pub fn max_retries(mut self, retries: u32) -> Self {
        self.request.extras().max_retries = Some(retries);
        self
    }
}

#[cfg(feature = "flatbuffers")]
impl<Message: crate::flat::Table> Pending<'_, crate::flat::Verified<Message>> {
    /// Takes the reply without verifying it.
    ///
    /// # Safety
    /// Whoever answers must send a valid message of this type, and nobody may change it on its way: from
    /// any other bytes safe code reads out of bounds.
    #[allow(unsafe_code)]
    pub unsafe fn assume_valid_reply(mut self) -> Self {
        self.decode = |_, bytes, _| {
            // SAFETY: the caller of `assume_valid_reply` vouched for the bytes.
            Ok(unsafe { crate::flat::Verified::new_unchecked(bytes) })
        };
        self
    }
}

impl<Message> fmt::Debug for Pending<'_, Message> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pending").field(&self.request.method.full_name()).finish()
    }
}

impl<'channel, Message> IntoFuture for Pending<'channel, Message> {
    type Output = Result<Reply<Message>, Status>;
    type IntoFuture = Calling<'channel, Message>;

    fn into_future(self) -> Calling<'channel, Message> {
        Calling {
            channel: self.channel,
            method: self.request.method,
            decode: self.decode,
            stage: Stage::Unsent(self.request),
        }
    }
}

/// The future of a [`Pending`] call. Dropping it gives the call up and frees its slot.
#[must_use = "futures do nothing unless they are awaited"]
pub struct Calling<'channel, Message> {
    channel: &'channel Channel,
    method: &'static MethodDescriptor,
    decode: Decode<Message>,
    stage: Stage<'channel>,
}

enum Stage<'channel> {
    Unsent(Request),
    /// The usual way: sent on an open connection, waiting in its table, which has the caller's waker. Nothing is boxed.
    Sent {
        call: LeasedCall,
        request: Request,
        deadline: Option<Instant>,
    },
    /// Everything else.
    Boxed(Pin<Box<dyn Future<Output = Result<RawReply, Status>> + Send + 'channel>>),
    Over,
}

// Nothing in it is pinned by being in it: the parts that need it are boxed or do not care.
impl<Message> Unpin for Calling<'_, Message> {}

impl<Message> Future for Calling<'_, Message> {
    type Output = Result<Reply<Message>, Status>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let raw = loop {
            match &mut this.stage {
                Stage::Unsent(_) => {
                    this.send(context.waker());
                    if let Stage::Sent { .. } = this.stage {
                        return Poll::Pending;
                    }
                }
                Stage::Sent { call, .. } => {
                    let outcome = ready!(Pin::new(call).poll(context));
                    if let Some(outcome) = this.settle(outcome) {
                        break outcome;
                    }
                }
                Stage::Boxed(call) => break ready!(call.as_mut().poll(context)),
                Stage::Over => {
                    break Err(Status::internal("the call was polled again after it had ended"));
                }
            }
        };
        this.stage = Stage::Over;
        let limits = this.channel.limits();
        Poll::Ready(raw.and_then(|raw| open(raw, this.method, limits, this.decode)))
    }
}

impl<Message> Calling<'_, Message> {
    fn send(&mut self, waker: &Waker) {
        let Stage::Unsent(mut request) = std::mem::replace(&mut self.stage, Stage::Over) else {
            return;
        };
        request.timeout = request.timeout.or(self.channel.timeout());
        if request.timeout.is_some_and(|timeout| timeout.is_zero()) {
            // Time that is over before the call began: it is not sent.
            let status = Status::new(Code::ERPCTIMEDOUT, "Reached timeout=0ms before it was sent");
            self.stage = Stage::Boxed(Box::pin(std::future::ready(Err(status))));
            return;
        }
        // A timeout too far away to be a point in time is none.
        let deadline = request.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        self.stage = match &self.channel.0 {
            Way::Remote(remote) => send_remote(remote, request, deadline, waker),
            Way::InProcess(registry) => {
                Stage::Boxed(Box::pin(registry.clone().call(request, deadline)))
            }
            Way::Transport(transport) => {
                let call = transport.call(transport_request(request, deadline));
                Stage::Boxed(Box::pin(carry(call, deadline)))
            }
        };
    }

    /// The end of the first attempt: the call's own end, or the begin of another attempt.
    fn settle(&mut self, outcome: Result<RawReply, Failure>) -> Option<Result<RawReply, Status>> {
        let attempt = match judge(outcome) {
            Ok(reply) => return Some(Ok(reply)),
            Err(attempt) => attempt,
        };
        let (Stage::Sent { request, deadline, .. }, Way::Remote(remote)) =
            (std::mem::replace(&mut self.stage, Stage::Over), &self.channel.0)
        else {
            return Some(Err(Status::internal("the call lost its request")));
        };
        if !attempt.may_retry(&request, &remote.options) {
            return Some(Err(attempt.into_status(|| remote.expired(&request))));
        }
        self.stage = persist(remote, request, deadline, Some(attempt));
        None
    }
}

fn send_remote<'channel>(
    remote: &'channel Arc<Remote>,
    mut request: Request,
    deadline: Option<Instant>,
    waker: &Waker,
) -> Stage<'channel> {
    if let Err(status) = remote.check(&request) {
        return Stage::Boxed(Box::pin(std::future::ready(Err(status))));
    }
    request.seal();
    match remote.try_send(&mut request, deadline, waker) {
        Some(Ok(call)) => Stage::Sent { call, request, deadline },
        Some(Err(attempt)) => persist(remote, request, deadline, Some(attempt)),
        None => persist(remote, request, deadline, None),
    }
}

fn persist<'channel>(
    remote: &'channel Arc<Remote>,
    request: Request,
    deadline: Option<Instant>,
    failed: Option<Attempt>,
) -> Stage<'channel> {
    Stage::Boxed(Box::pin(remote.clone().persist(request, deadline, failed)))
}

fn transport_request(request: Request, deadline: Option<Instant>) -> TransportRequest {
    TransportRequest {
        method: request.method,
        message: request.message.into_bytes(),
        attachment: request.attachment,
        metadata: request.extras.map(|extras| extras.metadata).unwrap_or_default(),
        deadline,
    }
}

async fn carry(
    call: super::transport::TransportFuture<'_>,
    deadline: Option<Instant>,
) -> Result<RawReply, Status> {
    let reply = match deadline {
        None => call.await?,
        Some(deadline) => timeout_at(deadline, call).await.map_err(|_| {
            Status::new(Code::ERPCTIMEDOUT, "Reached timeout of a call over a user's transport")
        })??,
    };
    let (message, attachment) = (reply.message, reply.attachment);
    let metadata = reply.metadata.boxed();
    Ok(RawReply { message, attachment, metadata, ..RawReply::default() })
}
