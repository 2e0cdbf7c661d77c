//! What every contestant of the benchmark shares: its command line, the load it is put under, and
//! the words in which it reports.
//!
//! A contestant is a type with two halves, [`Contestant`]: how to serve an echo, and how to call one.
//! [`main`] makes a program of it that is started as `X server …` or as `X client …`:
//!
//! ```no_run
//! use stubwire_bench_load::{Address, Caller, Contestant, Failure, Ready, Request, Verified, Work};
//!
//! /// No options of its own.
//! #[derive(clap::Args)]
//! struct Mine {}
//!
//! #[derive(Clone)]
//! struct Connection;
//!
//! impl Caller for Connection {
//!     async fn echo(&mut self, request: &Request) -> Result<Verified, Failure> {
//!         let (id, text) = (request.id(), request.text().to_owned()); // over the wire and back
//!         request.check(id, text.as_bytes())
//!     }
//! }
//!
//! impl Contestant for Mine {
//!     type Caller = Connection;
//!
//!     async fn serve(&self, address: &Address, work: Work, ready: Ready) -> std::io::Result<()> {
//!         let listener = stubwire_bench_load::Listener::bind(address).await?;
//!         ready.listening(&listener.address()?);
//!         loop {
//!             let _stream = listener.accept().await?; // answer: `work.run().await` once a request
//!         }
//!     }
//!
//!     async fn connect(&self, _: &Address) -> Result<Connection, Failure> {
//!         Ok(Connection)
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     stubwire_bench_load::main::<Mine>()
//! }
//! ```
//!
//! The harness is generic over the contestant, so that it costs the same next to nothing for all: a
//! call is one task's `echo().await`, one reading of the clock and one entry in a histogram. A reply
//! counts only with a [`Verified`], which [`Request::check`] alone gives out.
//!
//! A contestant whose futures stay on their thread implements [`LocalContestant`] and uses
//! [`local_main`]; one that is no async program at all parses [`Command`] itself and drives a
//! [`Meter`].

mod address;
mod closed;
mod command;
mod contestant;
mod drive;
mod host;
mod local;
mod meter;
mod open;
mod pace;
mod program;
mod report;
mod request;
mod tally;
mod work;

pub use address::{Address, Listener, Stream};
pub use command::{
    ClientOptions, Command, HostOptions, Payload, Role, RuntimeKind, ServerOptions, Shape,
};
pub use contestant::{Caller, Callers, Contestant};
pub use host::{pin, runtime};
pub use local::{LocalCaller, LocalContestant, local_main};
pub use meter::{Meter, refuse};
pub use open::MAX_IN_FLIGHT;
pub use program::main;
pub use report::{ClientReport, Connections, Event, LatencyHistogram, OpenLoop, Ready};
pub use request::{Failure, Request, RequestSource, Verified};
pub use work::Work;
