//! A request as bytes, without a connection: what this channel would write for a call.
//!
//! For `golden`. The bytes come from the same encoder that a connection uses; only the queue behind it is none.

use super::connection::ConnectionSettings;
use super::options::ChannelOptions;
use super::outward::Outward;
use super::pending::Pending;
use super::remote::Remote;
use super::target::{Address, Target};
use super::{Channel, Way};
use crate::conn::Outgoing;
use crate::frame::Protocol;
use crate::frame::frpc::ByteOrder;
use crate::registry::MethodDescriptor;
use crate::status::Status;
use bytes::Bytes;
use std::sync::Arc;

/// The correlation id of every recorded request; a connection gives each call another one.
pub(crate) const RECORDED_ID: i64 = 1;

/// A path that no socket can have, since its parent is no directory. It stands in the error of a call that is made all
/// the same.
const NOWHERE: &str = "/dev/null/a golden channel never connects";

/// A request as it would go out.
pub(crate) struct Recorded {
    pub(crate) method: &'static MethodDescriptor,
    pub(crate) protocol: Protocol,
    /// Of FRPC's metadata.
    pub(crate) order: ByteOrder,
    pub(crate) bytes: Bytes,
}

impl Channel {
    /// A channel that has a protocol and options, and no other end.
    pub(crate) fn unconnected(protocol: Protocol, options: ChannelOptions) -> Self {
        let target = Target { protocol, address: Address::Unix(NOWHERE.into()) };
        Self(Way::Remote(Arc::new(Remote::new(target, options))))
    }
}

impl<Message> Pending<'_, Message> {
    /// The frame that would be sent, as the first one of its connection.
    ///
    /// # Errors
    /// The channel writes no frames, or cannot carry this call.
    pub(crate) fn record(self) -> Result<Recorded, Status> {
        let (channel, mut request) = self.into_parts();
        let Way::Remote(remote) = &channel.0 else {
            let text =
                format!("{channel:?} writes no frames; make the client from `golden::channel`");
            return Err(Status::invalid_request(text));
        };
        remote.check(&request)?;
        request.seal();
        request.timeout = request.timeout.or(channel.timeout());
        if request.timeout.is_some_and(|timeout| timeout.is_zero()) {
            return Err(Status::invalid_request("a call with a timeout of 0 is not sent"));
        }
        let outward = Outward {
            id: RECORDED_ID,
            timeout_ms: remote.timeout_ms(request.timeout),
            first: true,
        };
        let settings: &ConnectionSettings = &remote.pool.connector.settings;
        let mut outgoing = Outgoing::default();
        outward
            .write(&mut request, settings, &mut outgoing)
            .map_err(|error| Status::invalid_request(error.to_string()))?;
        Ok(Recorded {
            method: request.method,
            protocol: remote.target.protocol,
            order: remote.options.frpc_byte_order,
            bytes: outgoing.to_vec().into(),
        })
    }

    /// The method and the encoded message alone, whatever the channel.
    pub(crate) fn into_message(self) -> (&'static MethodDescriptor, Bytes) {
        let (_, request) = self.into_parts();
        (request.method, request.message.into_bytes())
    }
}
