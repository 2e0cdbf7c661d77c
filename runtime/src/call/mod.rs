//! One call: its context on the server, the way its reply takes, and the client's table of calls
//! in flight.
//!
//! Nothing here knows a wire protocol; a protocol implements [`ReplyPath`].

mod cancellation;
mod context;
mod encode;
mod execute;
mod metadata;
mod phases;
mod reply_path;
mod table;
mod watch;

pub use cancellation::Cancellation;
pub use context::Call;
pub use metadata::Metadata;
pub(crate) use metadata::owned_fields;
pub use phases::{ClientPhases, PhaseObserver, ServerPhases};

pub(crate) use encode::EncodeMessage;
#[cfg(feature = "protobuf")]
pub(crate) use encode::ProtobufMessage;
pub(crate) use execute::{HandOff, Task, run_handler};
pub(crate) use phases::{ClientStamps, HandlerStart, ServerObserver, ServerStamps};
pub(crate) use reply_path::{Arrival, FrpcForm, ReplyForm, ReplyParts, ReplyPath, Ticket};
pub(crate) use table::{CallTable, Failure, Lost, RawReply, ReplyChecksum, SlotKey};
pub(crate) use watch::{UnderWay, under_way};
