//! The two halves of a contestant. This is the face that peers are written against.

use crate::address::Address;
use crate::command::{ClientOptions, Shape};
use crate::report::Ready;
use crate::request::{Failure, Request, Verified};
use crate::work::Work;
use std::io;

/// A way to call the server. A clone is a further handle on the same connection.
///
/// In a closed loop every lane has one to itself and sends one call after another; in an open loop
/// every call in flight has a clone.
pub trait Caller: Clone + Send + 'static {
    /// Sends the request and compares the reply with it: [`Request::check`] on what came back.
    fn echo(&mut self, request: &Request)
    -> impl Future<Output = Result<Verified, Failure>> + Send;
}

/// What takes part in the benchmark. Its fields are options of its own on the command line.
pub trait Contestant: clap::Args + Send + Sync + 'static {
    /// What [`connect`](Self::connect) gives.
    type Caller: Caller;

    /// Serves an echo: replies with the id and the message of the request, after `work`.
    ///
    /// Reports the address through `ready` once it listens; then runs until it is dropped.
    fn serve(
        &self,
        address: &Address,
        work: Work,
        ready: Ready,
    ) -> impl Future<Output = io::Result<()>> + Send;

    /// Opens one connection.
    fn connect(
        &self,
        address: &Address,
    ) -> impl Future<Output = Result<Self::Caller, Failure>> + Send;

    /// Opens what the shape asks for. As provided it opens `--connections` connections one after
    /// another; `pooled` is then `separate` with a lane each, and `short` is refused. A contestant
    /// with connection policies of its own overrides this.
    fn connect_all(
        &self,
        options: &ClientOptions,
    ) -> impl Future<Output = Result<Callers<Self::Caller>, Failure>> + Send {
        async {
            options.plain_connections()?;
            let mut callers = Vec::with_capacity(options.connections);
            for _ in 0..options.connections {
                callers.push(self.connect(&options.connect).await?);
            }
            let opened = Some(callers.len());
            Ok(Callers { callers, opened: Box::new(move || opened) })
        }
    }
}

/// What was opened for a run.
pub struct Callers<C> {
    /// Lanes take these in turn.
    pub callers: Vec<C>,
    /// Tells at the end of the run how many connections were opened, where that is known.
    pub opened: Box<dyn Fn() -> Option<usize> + Send>,
}

impl ClientOptions {
    /// Refuses the shapes that a contestant without connection policies cannot take.
    ///
    /// # Errors
    /// [`Failure::Unsupported`].
    pub fn plain_connections(&self) -> Result<(), Failure> {
        match self.shape {
            Shape::Separate | Shape::Shared => Ok(()),
            Shape::Pooled if self.rate.is_none() && self.concurrency <= self.connections => Ok(()),
            Shape::Pooled => Err(Failure::Unsupported("a pool with calls that wait for it")),
            Shape::Short => Err(Failure::Unsupported("a connection a call")),
        }
    }
}
