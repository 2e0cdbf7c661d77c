//! Reads requests of every protocol and takes them through their checks, in brpc's order, to their handlers.

use super::connection::{Connection, End};
use super::incoming::{Encoding, Incoming, Wanted};
use super::{frpc, prpc};
use crate::call::{Arrival, Call, HandOff, ReplyPath, Ticket, run_handler};
use crate::conn::{Frame, Inbound, ReadHalf};
use crate::frame::Protocol;
use crate::frame::frpc::ByteOrder;
use crate::registry::{Codec, HandlerFuture, LookupError, MethodEntry, Table, TableCache};
use crate::status::{Code, Status, prefix};
use bytes::Bytes;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::time::Instant;

/// The reading side of one connection.
pub(super) struct RequestReader {
    connection: Arc<Connection>,
    inbound: Inbound,
    table: TableCache,
    sequence: u64,
    authenticated: bool,
    /// The byte order of FRPC metadata on this connection, once one request has shown it.
    order: Option<ByteOrder>,
    /// Where there are other cores, which could run handlers that take long.
    hand_off: Option<Arc<HandOff>>,
}

impl RequestReader {
    pub(super) fn new(connection: Arc<Connection>) -> Self {
        let table = TableCache::new(connection.server.registry.clone());
        let inbound = {
            let config = &connection.server.config;
            Inbound::new(config.protocols.clone(), config.spinner.clone())
        };
        let authenticated = connection.server.config.authenticator.is_none();
        let hand_off = if connection.server.config.hand_off { HandOff::new() } else { None };
        Self { connection, inbound, table, sequence: 0, authenticated, order: None, hand_off }
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
            connection.look(now);
            loop {
                let frame = match self.inbound.next_frame(limits.max_body_size) {
                    Ok(Some(frame)) => frame,
                    Ok(None) => break,
                    Err(error) => return error.into(),
                };
                connection.wait_for_calls(socket, limits.max_calls_per_connection).await;
                if let Err(end) = self.serve_frame(frame, now) {
                    return end;
                }
                // What was read already may be refused for want of room, but refusals take room too.
                if connection.outbound.unwritten() > limits.max_unwritten.saturating_mul(2) {
                    connection.flush_in_place();
                    connection.outbound.wait_for_room(limits.max_unwritten).await;
                    connection.look(Instant::now());
                }
            }
            connection.flush_in_place();
            // Replies that the peer does not read hold back its next requests. There must be room for those to what
            // one read may complete, or some would be refused although they could have waited unread.
            let (unwritten, read) = (limits.max_unwritten, 2 * self.inbound.room());
            let room = unwritten.saturating_sub(read).max(unwritten / 2);
            connection.outbound.wait_for_room(room).await;
        }
    }

    fn serve_frame(&mut self, mut frame: Frame, now: Instant) -> Result<(), End> {
        let incoming = match frame.protocol {
            Protocol::Prpc => {
                prpc::incoming(&mut frame, self.table.last().map(|last| last.descriptor))
            }
            Protocol::Frpc => frpc::incoming(&frame, &mut self.order, self.table.table()),
        };
        let incoming = incoming.map_err(|error| End::Misbehaved(error.to_string()))?;
        self.sequence += 1;
        let ticket = Ticket {
            correlation_id: incoming.correlation_id,
            sequence: self.sequence,
            form: incoming.form,
        };
        if !self.authenticated {
            authenticate(&self.connection, &incoming, &ticket)?;
            self.authenticated = true;
        }
        let hand_off = self.hand_off.as_ref();
        let request = Request { connection: &self.connection, ticket, now, hand_off };
        self.connection.in_place.store(ticket.sequence, Ordering::Relaxed);
        if let Err(status) = request.serve(incoming, &mut self.table) {
            // A closed queue means that the peer is gone; the next read says so.
            let _ = self.connection.write_error(&ticket, &status);
        }
        Ok(())
    }
}

/// Only the first request of a connection is asked for its credentials.
fn authenticate(
    connection: &Connection,
    incoming: &Incoming<'_>,
    ticket: &Ticket,
) -> Result<(), End> {
    let Some(authenticator) = &connection.server.config.authenticator else { return Ok(()) };
    let data = incoming.authentication_data;
    let verified = catch_unwind(AssertUnwindSafe(|| authenticator.verify(data, &connection.peer)));
    // One that panics knows nobody.
    let Err(text) = verified.unwrap_or_else(|_| Err(String::new())) else { return Ok(()) };
    let text = match &*text {
        "" => "Fail to authenticate".to_owned(),
        text => format!("Fail to authenticate: {text}"),
    };
    if incoming.answers_authentication() {
        let _ = connection.write_error(ticket, &Status::new(Code::ERPCAUTH, text));
    }
    Err(End::TurnedAway)
}

/// One request on its way to its handler.
struct Request<'a> {
    connection: &'a Arc<Connection>,
    ticket: Ticket,
    now: Instant,
    hand_off: Option<&'a Arc<HandOff>>,
}

impl Request<'_> {
    /// Serves the request; `Err` when it was refused before it became a [`Call`].
    fn serve(&self, incoming: Incoming<'_>, table: &mut TableCache) -> Result<(), Status> {
        if matches!(incoming.wanted, Wanted::Nothing) {
            return Err(no_service(""));
        }
        let admission = Admission::new(self.connection)?;
        // FRPC looks at the sizes before it looks for the method, baidu_std after.
        if let (Wanted::Numbered { .. }, Err(status)) = (&incoming.wanted, &incoming.payload) {
            return Err(status.clone());
        }
        let wanted = &incoming.wanted;
        let entry =
            table.find_or_last(|last| is_wanted(last, wanted), |table| find(table, wanted))?;
        self.check_overcrowded(entry)?;
        self.check_id()?;
        let (message, attachment) = incoming.payload?;
        entry.begin()?;
        let arrival = Arrival {
            at: self.now,
            timeout: incoming.timeout,
            metadata: incoming.metadata,
            attachment,
            compression: incoming.encoding.compression_name(),
            checksum: incoming.encoding.checksum_name(),
        };
        let path: Arc<dyn ReplyPath> = self.connection.clone();
        let mut call = Call::new(entry.clone(), path, self.ticket, arrival);
        if let Some(stamping) = &self.connection.stamping {
            call.stamp(stamping.stamps(entry.descriptor, self.now));
        }
        admission.keep();
        self.execute(entry, call, message, &incoming.encoding);
        Ok(())
    }

    fn check_overcrowded(&self, entry: &MethodEntry) -> Result<(), Status> {
        let limit = self.connection.limits().max_unwritten;
        if self.connection.outbound.unwritten() > limit && !entry.ignores_overcrowded() {
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

    fn execute(
        &self,
        entry: &Arc<MethodEntry>,
        mut call: Call,
        message: Bytes,
        encoding: &Encoding<'_>,
    ) {
        let limit = self.connection.limits().max_decompressed_size;
        let opened = self.admit(&mut call).and_then(|()| encoding.open(&call, message, limit));
        let message = match opened {
            Ok(message) => message,
            Err(status) => return call.finish(Err(&status)),
        };
        call.mark_running();
        // Decoding runs code of the message's type, and a raw handler begins here: what panics in them has
        // dropped its call, which answered it.
        let started = catch_unwind(AssertUnwindSafe(|| match self.connection.stamping {
            None => entry.handler.start(call, message),
            Some(_) => start_observed(entry, call, message),
        }));
        let Ok(Some(handler)) = started else { return };
        let (waiting, ticket) = (&self.connection.waiting, self.ticket);
        let listed = || {
            self.connection.in_place.store(0, Ordering::SeqCst);
            waiting.add(ticket.sequence, ticket.correlation_id);
        };
        if let Some(task) = run_handler(entry, handler, self.hand_off, listed) {
            waiting.set_task(ticket.sequence, task);
            self.connection.look(Instant::now());
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
        if call.is_expired(self.connection.recently()) {
            let text = "the deadline passed before the call was executed";
            return Err(Status::new(Code::ERPCTIMEDOUT, text));
        }
        Ok(())
    }
}

/// Starts a handler that notes its first poll.
#[cold]
fn start_observed(entry: &MethodEntry, call: Call, message: Bytes) -> Option<HandlerFuture> {
    let start = call.handler_start();
    let handler = entry.handler.start(call, message)?;
    Some(match start {
        Some(start) => start.note(handler),
        None => handler,
    })
}

/// Whether a request is for this method, found before, which says that names and numbers lead to it.
fn is_wanted(entry: &MethodEntry, wanted: &Wanted<'_>) -> bool {
    let descriptor = entry.descriptor;
    match *wanted {
        Wanted::Nothing => false,
        Wanted::Named { service, method } => {
            descriptor.codec() == Codec::Protobuf
                && service == descriptor.service()
                && method == descriptor.name()
        }
        Wanted::Numbered { service, method } => {
            descriptor.codec() == Codec::FlatBuffers
                && service == entry.service_id
                && descriptor.explicit_id().is_some_and(|id| i64::from(id) == i64::from(method))
        }
    }
}

/// A name without a dot is looked up by its last segment, as jprotobuf clients send it; a name with
/// one goes straight to the method table, whose only answer is "no such method". Numbers know no
/// other answer either. Each protocol carries one codec.
fn find<'t>(table: &'t Table, wanted: &Wanted<'_>) -> Result<&'t Arc<MethodEntry>, Status> {
    let (found, codec) = match *wanted {
        Wanted::Nothing => (Err(LookupError::NoService), Codec::Protobuf),
        Wanted::Named { service, method } if service.contains('.') => {
            (table.find(service, method).map_err(|_| LookupError::NoMethod), Codec::Protobuf)
        }
        Wanted::Named { service, method } => {
            let found = table.find(service, method);
            (found.or_else(|_| table.find_by_short_name(service, method)), Codec::Protobuf)
        }
        Wanted::Numbered { service, method } => {
            (table.find_by_id(service, method).ok_or(LookupError::NoMethod), Codec::FlatBuffers)
        }
    };
    match found {
        Ok(entry) if entry.descriptor.codec() == codec => Ok(entry),
        Err(LookupError::NoService) => Err(no_service(wanted.service())),
        _ => Err(Status::new(Code::ENOMETHOD, format!("Fail to find method={wanted}"))),
    }
}

fn no_service(name: &str) -> Status {
    Status::new(Code::ENOSERVICE, format!("Fail to find service={}", shortened(name)))
}

/// A name as an error text repeats it: a peer may send one of megabytes.
pub(super) fn shortened(name: &str) -> &str {
    const LONGEST: usize = 512;
    prefix(name, LONGEST)
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
