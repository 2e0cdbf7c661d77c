//! Calls to a registry of this process, without sockets.
//!
//! Messages are encoded and decoded as on a connection, so that what works here works there;
//! frames, and what a server checks before a method is found, are left out.

use super::request::Request;
use crate::call::{
    Arrival, Call, Cancellation, EncodeMessage, Metadata, RawReply, ReplyParts, ReplyPath,
    ServerStamps, Ticket, run_handler,
};
use crate::conn::Peer;
use crate::limits::Limits;
use crate::registry::{LookupError, MethodDescriptor, MethodEntry, Registry, TableCache};
use crate::status::{Code, Status};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout_at};

pub(crate) struct InProcess {
    pub(super) limits: Limits,
    registry: Mutex<TableCache>,
}

impl InProcess {
    pub(super) fn new(registry: Registry) -> Self {
        Self { limits: Limits::default(), registry: Mutex::new(TableCache::new(registry)) }
    }

    pub(super) async fn call(
        self: Arc<Self>,
        request: Request,
        deadline: Option<Instant>,
    ) -> Result<RawReply, Status> {
        let entry = self.find(request.method)?;
        let (sender, receiver) = oneshot::channel();
        let path = Arc::new(Path {
            limits: self.limits.clone(),
            cancellation: Cancellation::default(),
            sender: Mutex::new(Some(sender)),
        });
        // Dropped when the caller gives up, which the handler is told then.
        let _gone = CancelOnDrop(path.clone());
        start(&entry, path.clone(), request);
        let outcome = match deadline {
            None => receiver.await,
            Some(deadline) => timeout_at(deadline, receiver).await.map_err(|_| {
                Status::new(Code::ERPCTIMEDOUT, "Reached timeout of an in-process call")
            })?,
        };
        outcome.unwrap_or_else(|_| Err(Status::internal("the call was not answered")))
    }

    fn find(&self, method: &MethodDescriptor) -> Result<Arc<MethodEntry>, Status> {
        let mut table = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        let entry =
            table.table().find(method.service(), method.name()).map_err(|error| match error {
                LookupError::NoService => Status::new(
                    Code::ENOSERVICE,
                    format!("Fail to find service={}", method.service()),
                ),
                LookupError::NoMethod => no_method(method),
            })?;
        if entry.descriptor.codec() == method.codec() {
            Ok(entry.clone())
        } else {
            Err(no_method(method))
        }
    }
}

fn no_method(method: &MethodDescriptor) -> Status {
    Status::new(Code::ENOMETHOD, format!("Fail to find method={}", method.full_name()))
}

fn start(entry: &Arc<MethodEntry>, path: Arc<Path>, request: Request) {
    if let Err(status) = entry.begin() {
        return path.answer(Err(status));
    }
    let arrival = Arrival {
        at: Instant::now(),
        timeout: request.timeout,
        metadata: request.extras.and_then(|extras| extras.metadata.boxed()),
        attachment: request.attachment,
        compression: "none",
        checksum: "none",
    };
    let mut call = Call::new(entry.clone(), path, Ticket::default(), arrival);
    call.mark_running();
    if let Some(handler) = entry.handler.start(call, request.message.into_bytes()) {
        run_handler(entry, handler, None, || {});
    }
}

struct Path {
    limits: Limits,
    cancellation: Cancellation,
    sender: Mutex<Option<oneshot::Sender<Result<RawReply, Status>>>>,
}

impl Path {
    fn answer(&self, outcome: Result<RawReply, Status>) {
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A caller that gave up hears nothing.
        sender.map(|sender| sender.send(outcome));
    }
}

impl ReplyPath for Path {
    fn peer(&self) -> &Peer {
        &Peer::InProcess
    }

    fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn reply(
        &self,
        _ticket: &Ticket,
        parts: ReplyParts,
        outcome: Result<&mut dyn EncodeMessage, &Status>,
    ) {
        self.answer(match outcome {
            Err(status) => Err(status.clone()),
            Ok(message) => {
                let message = message.shared().unwrap_or_else(|| message.take_frame(&[]));
                let metadata =
                    Metadata { user_fields: parts.user_fields, ..Metadata::default() }.boxed();
                let reply = RawReply {
                    message,
                    attachment: parts.attachment,
                    metadata,
                    ..RawReply::default()
                };
                Ok(reply)
            }
        });
    }

    /// Only servers have observers.
    fn stamp(&self, _ticket: &Ticket, _stamps: Box<ServerStamps>) {}

    fn release(&self, _ticket: &Ticket, _now: Option<Instant>) {}

    fn handler_panicked(&self, _method: &'static MethodDescriptor) {}

    #[cfg(any(feature = "protobuf", feature = "flatbuffers"))]
    fn message_refused(&self, _method: &'static MethodDescriptor, _reason: &str) {}
}

struct CancelOnDrop(Arc<Path>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancellation.fire();
    }
}
