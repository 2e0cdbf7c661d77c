//! Reads requests and takes them through their checks, in brpc's order, to their handlers.

use super::connection::{Connection, End};
use crate::call::{Arrival, Call, Metadata, ReplyPath, Ticket, run_handler};
use crate::conn::{Frame, Inbound, ReadHalf};
use crate::frame::Protocol;
use crate::frame::checksum::{CRC32C, verify_crc32c};
use crate::frame::compress::{Compression, decompress};
use crate::frame::prpc::{RequestMeta, RpcMeta, decode_meta};
use crate::registry::{Codec, LookupError, MethodEntry, Table, TableCache};
use crate::status::{Code, Status, prefix};
use bytes::Bytes;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The reading side of one connection.
pub(super) struct RequestReader {
    connection: Arc<Connection>,
    inbound: Inbound,
    table: TableCache,
    sequence: u64,
    authenticated: bool,
}

impl RequestReader {
    pub(super) fn new(connection: Arc<Connection>) -> Self {
        let table = TableCache::new(connection.server.registry.clone());
        let authenticated = connection.server.config.authenticator.is_none();
        Self { connection, inbound: Inbound::new(), table, sequence: 0, authenticated }
    }

    /// Serves requests until there are no more.
    pub(super) async fn run(&mut self, socket: &mut ReadHalf) -> End {
        let connection = self.connection.clone();
        let limits = connection.limits();
        loop {
            match self.inbound.read(socket, limits).await {
                Ok(0) => return End::Eof,
                Ok(_) => {}
                Err(error) => return error.into(),
            }
            let now = Instant::now();
            loop {
                let frame = match self.inbound.next_frame(limits.max_body_size) {
                    Ok(Some(frame)) => frame,
                    Ok(None) => break,
                    Err(error) => return error.into(),
                };
                connection.wait_for_calls(socket, limits.max_calls_per_connection).await;
                let served = match frame.protocol {
                    Protocol::Prpc => self.serve_prpc(&frame, now),
                };
                if let Err(end) = served {
                    return end;
                }
                // What was read already may be refused for want of room, but refusals take room too.
                if connection.queue.unwritten() > limits.max_unwritten.saturating_mul(2) {
                    connection.queue.wait_for_room(limits.max_unwritten).await;
                }
            }
            // Replies that the peer does not read hold back its next requests.
            connection.queue.wait_for_room(limits.max_unwritten).await;
        }
    }

    fn serve_prpc(&mut self, frame: &Frame, now: Instant) -> Result<(), End> {
        let meta = decode_meta(frame.meta()).map_err(|error| End::Misbehaved(error.to_string()))?;
        self.authenticate(&meta)?;
        self.sequence += 1;
        let ticket = Ticket { correlation_id: meta.correlation_id, sequence: self.sequence };
        let request = Request { connection: &self.connection, frame, meta: &meta, ticket, now };
        if let Err(status) = request.serve(self.table.table()) {
            // A closed queue means that the peer is gone; the next read says so.
            let _ = self.connection.write_error(ticket.correlation_id, &status);
        }
        Ok(())
    }

    /// Only the first request of a connection is asked for its credentials.
    fn authenticate(&mut self, meta: &RpcMeta<'_>) -> Result<(), End> {
        if self.authenticated {
            return Ok(());
        }
        if let Some(authenticator) = &self.connection.server.config.authenticator {
            let data = meta.authentication_data.unwrap_or_default();
            let verified = catch_unwind(AssertUnwindSafe(|| {
                authenticator.verify(data, &self.connection.peer)
            }));
            // One that panics knows nobody.
            if let Err(text) = verified.unwrap_or_else(|_| Err(String::new())) {
                let text = match &*text {
                    "" => "Fail to authenticate".to_owned(),
                    text => format!("Fail to authenticate: {text}"),
                };
                let status = Status::new(Code::ERPCAUTH, text);
                let _ = self.connection.write_error(meta.correlation_id, &status);
                return Err(End::TurnedAway);
            }
        }
        self.authenticated = true;
        Ok(())
    }
}

/// One request on its way to its handler.
struct Request<'a> {
    connection: &'a Arc<Connection>,
    frame: &'a Frame,
    meta: &'a RpcMeta<'a>,
    ticket: Ticket,
    now: Instant,
}

impl Request<'_> {
    /// Serves the request; `Err` when it was refused before it became a [`Call`].
    fn serve(&self, table: &Table) -> Result<(), Status> {
        let request = self.meta.request.as_ref().ok_or_else(|| no_service(""))?;
        let admission = Admission::new(self.connection)?;
        let entry = self.find(table, request)?;
        self.check_overcrowded(entry)?;
        self.check_id()?;
        let (message, attachment) = self.split_payload()?;
        entry.begin()?;
        let arrival = self.arrival(request, attachment);
        let path: Arc<dyn ReplyPath> = self.connection.clone();
        let call = Call::new(entry.clone(), path, self.ticket, arrival);
        admission.keep();
        self.execute(entry, call, message);
        Ok(())
    }

    /// A name without a dot is looked up by its last segment, as jprotobuf clients send it; a name
    /// with one goes straight to the method table, whose only answer is "no such method".
    fn find<'t>(
        &self,
        table: &'t Table,
        request: &RequestMeta<'_>,
    ) -> Result<&'t Arc<MethodEntry>, Status> {
        let (service, method) = (request.service_name, request.method_name);
        let found = if service.contains('.') {
            table.find(service, method).map_err(|_| LookupError::NoMethod)
        } else {
            table.find(service, method).or_else(|_| table.find_by_short_name(service, method))
        };
        let no_method = || {
            let (service, method) = (shortened(service), shortened(method));
            Status::new(Code::ENOMETHOD, format!("Fail to find method={service}/{method}"))
        };
        let entry = found.map_err(|error| match error {
            LookupError::NoService => no_service(service),
            LookupError::NoMethod => no_method(),
        })?;
        // baidu_std carries Protobuf alone.
        if entry.descriptor.codec() == Codec::Protobuf { Ok(entry) } else { Err(no_method()) }
    }

    fn check_overcrowded(&self, entry: &MethodEntry) -> Result<(), Status> {
        let limit = self.connection.limits().max_unwritten;
        if self.connection.queue.unwritten() > limit && !entry.ignores_overcrowded() {
            entry.stats.refuse_unbegun();
            let text = format!("Connection to {} is overcrowded", self.connection.peer);
            return Err(Status::new(Code::EOVERCROWDED, text));
        }
        Ok(())
    }

    fn check_id(&self) -> Result<(), Status> {
        if self.connection.waiting.has_id(self.ticket.correlation_id) {
            let id = self.ticket.correlation_id.unwrap_or(0);
            return Err(Status::invalid_request(format!(
                "correlation_id={id} is in flight on this connection already"
            )));
        }
        Ok(())
    }

    /// Cuts the payload in two. A negative size is taken as none, as brpc does.
    fn split_payload(&self) -> Result<(Bytes, Bytes), Status> {
        let size = self.frame.payload_len();
        let attachment_size = self.meta.attachment_size.unwrap_or(0);
        let mut message = self.frame.payload();
        match usize::try_from(attachment_size) {
            Err(_) | Ok(0) => Ok((message, Bytes::new())),
            Ok(attachment) if attachment <= size => {
                let attachment = message.split_off(size - attachment);
                Ok((message, attachment))
            }
            Ok(attachment) => Err(Status::invalid_request(format!(
                "attachment_size={attachment} is larger than request_size={size}"
            ))),
        }
    }

    fn arrival(&self, request: &RequestMeta<'_>, attachment: Bytes) -> Arrival {
        let timeout_ms = request.timeout_ms.and_then(|timeout| u64::try_from(timeout).ok());
        Arrival {
            at: self.now,
            timeout: timeout_ms.filter(|timeout| *timeout > 0).map(Duration::from_millis),
            metadata: metadata(self.meta, request),
            attachment,
            compression: compression_name(self.meta.compress_type),
            checksum: if self.has_checksum() { "crc32c" } else { "none" },
        }
    }

    fn execute(&self, entry: &MethodEntry, mut call: Call, message: Bytes) {
        let message = match self.admit(&mut call).and_then(|()| self.open(&call, message)) {
            Ok(message) => message,
            Err(status) => return call.finish(Err(&status)),
        };
        call.mark_running();
        let Some(handler) = entry.handler.start(call, message) else { return };
        let (waiting, ticket) = (&self.connection.waiting, self.ticket);
        let listed = || waiting.add(ticket.sequence, ticket.correlation_id);
        if let Some(task) = run_handler(handler, listed) {
            waiting.set_task(ticket.sequence, task);
        }
    }

    /// What a call must pass before its body is looked at.
    fn admit(&self, call: &mut Call) -> Result<(), Status> {
        let method = call.method();
        for interceptor in &self.connection.server.config.interceptors {
            let intercepted =
                catch_unwind(AssertUnwindSafe(|| interceptor.intercept(call, method)));
            let Ok(intercepted) = intercepted else {
                self.connection.handler_panicked(method);
                return Err(Status::internal("an interceptor did not finish"));
            };
            intercepted.map_err(|status| {
                let text = format!("Reject by Interceptor: {}", status.message());
                Status::new(status.code(), text)
            })?;
        }
        if call.is_expired(Instant::now()) {
            let text = "the deadline passed before the call was executed";
            return Err(Status::new(Code::ERPCTIMEDOUT, text));
        }
        match self.meta.content_type {
            // Another number is no value of the enum, so a proto2 receiver sees the default.
            Some(number @ 1..=3) => Err(Status::invalid_request(format!(
                "content_type={number} is not served, only Protobuf (0) is"
            ))),
            _ => Ok(()),
        }
    }

    /// Checks and decompresses the message.
    fn open(&self, call: &Call, message: Bytes) -> Result<Bytes, Status> {
        let refused = |reason: String| {
            Status::invalid_request(format!(
                "Fail to parse request={}, ContentType=pb, {}, request_size={}: {reason}",
                call.method().request().name(),
                call.wire_form(),
                message.len(),
            ))
        };
        if self.has_checksum() {
            let value = self.meta.checksum_value.unwrap_or_default();
            let with_attachment = self.meta.checksum_with_attachment == Some(true);
            let attachment = if with_attachment { &call.attachment()[..] } else { &[] };
            if !verify_crc32c(value, &[&message, attachment]) {
                return Err(refused("the checksum does not fit".to_owned()));
            }
        }
        let kind = Compression::from_wire(self.meta.compress_type.unwrap_or(0));
        let limit = self.connection.limits().max_decompressed_size;
        match kind {
            Ok(Compression::None) => Ok(message),
            Ok(kind) => decompress(kind, &message, limit)
                .map(Bytes::from)
                .map_err(|error| refused(error.to_string())),
            Err(error) => Err(refused(error.to_string())),
        }
    }

    /// An unknown checksum type is ignored, as brpc does.
    fn has_checksum(&self) -> bool {
        self.meta.checksum_type == Some(CRC32C)
    }
}

fn no_service(name: &str) -> Status {
    Status::new(Code::ENOSERVICE, format!("Fail to find service={}", shortened(name)))
}

/// A name as an error text repeats it: a peer may send one of megabytes.
fn shortened(name: &str) -> &str {
    const LONGEST: usize = 512;
    prefix(name, LONGEST)
}

fn compression_name(compress_type: Option<i32>) -> &'static str {
    match Compression::from_wire(compress_type.unwrap_or(0)) {
        Ok(Compression::None) => "none",
        Ok(Compression::Snappy) => "snappy",
        Ok(Compression::Gzip) => "gzip",
        Ok(Compression::Zlib) => "zlib",
        Err(_) => "unknown",
    }
}

fn metadata(meta: &RpcMeta<'_>, request: &RequestMeta<'_>) -> Option<Box<Metadata>> {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    Metadata {
        log_id: request.log_id,
        request_id: request.request_id.map(str::to_owned),
        trace_id: request.trace_id,
        span_id: request.span_id,
        parent_span_id: request.parent_span_id,
        user_fields: meta.user_fields.iter().map(owned).collect(),
        authentication_data: meta.authentication_data.map(<[u8]>::to_vec),
    }
    .boxed()
}

/// A place among the running calls of server and connection, given back unless it is kept.
struct Admission<'a> {
    connection: &'a Connection,
}

impl<'a> Admission<'a> {
    fn new(connection: &'a Connection) -> Result<Self, Status> {
        let server = &connection.server;
        let stopping = || Status::new(Code::ELOGOFF, "Server is stopping");
        if !server.is_serving() {
            return Err(stopping());
        }
        let limit = match server.config.max_concurrency {
            0 => server.config.limits.max_calls,
            limit => limit.min(server.config.limits.max_calls),
        };
        if !server.calls.try_add_one(limit) {
            return Err(Status::limit_reached(format!("Reached server's max_concurrency={limit}")));
        }
        connection.running.begin();
        let admission = Self { connection };
        // Counted first, looked after: see `ServerState::is_serving`.
        if server.is_serving() { Ok(admission) } else { Err(stopping()) }
    }

    /// The call gives the place back.
    fn keep(self) {
        std::mem::forget(self);
    }
}

impl Drop for Admission<'_> {
    fn drop(&mut self) {
        self.connection.running.end();
        self.connection.server.end_call();
    }
}
