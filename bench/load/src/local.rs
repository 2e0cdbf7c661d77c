//! Contestants whose futures stay on the thread that made them.

use crate::address::Address;
use crate::command::ClientOptions;
use crate::contestant::{Caller, Callers};
use crate::report::Ready;
use crate::request::{Failure, Request, Verified};
use crate::work::Work;
use std::io;
use std::process::ExitCode;

/// As [`Caller`], without `Send`. Every [`Caller`] is one.
pub trait LocalCaller: Clone + 'static {
    /// Sends the request and compares the reply with it.
    fn echo(&mut self, request: &Request) -> impl Future<Output = Result<Verified, Failure>>;
}

impl<C: Caller> LocalCaller for C {
    fn echo(&mut self, request: &Request) -> impl Future<Output = Result<Verified, Failure>> {
        Caller::echo(self, request)
    }
}

/// As [`Contestant`](crate::Contestant), without `Send`: runs on a current-thread runtime alone,
/// inside a `LocalSet`.
pub trait LocalContestant: clap::Args + 'static {
    /// What [`connect`](Self::connect) gives.
    type Caller: LocalCaller;

    /// Serves an echo; see [`Contestant::serve`](crate::Contestant::serve).
    fn serve(
        &self,
        address: &Address,
        work: Work,
        ready: Ready,
    ) -> impl Future<Output = io::Result<()>>;

    /// Opens one connection.
    fn connect(&self, address: &Address) -> impl Future<Output = Result<Self::Caller, Failure>>;

    /// Opens what the shape asks for; see
    /// [`Contestant::connect_all`](crate::Contestant::connect_all).
    fn connect_all(
        &self,
        options: &ClientOptions,
    ) -> impl Future<Output = Result<Callers<Self::Caller>, Failure>> {
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

/// As [`main`](crate::main), for a contestant that stays on its thread.
pub fn local_main<C: LocalContestant>() -> ExitCode {
    crate::program::local_main::<C>()
}
