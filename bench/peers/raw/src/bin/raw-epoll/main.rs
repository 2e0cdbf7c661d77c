//! The floor on epoll: a loop written by hand on either side, one thread each, without a runtime.
//!
//! What one read brought is answered with one write; on the client, what became ready in one wake-up is
//! counted and called again with one write a connection. Its calls are a closed loop.

mod client;
mod connection;
mod poller;
mod serve;
mod socket;

use clap::Parser;
use std::io;
use std::process::ExitCode;
use stubwire_bench_load::{
    ClientOptions, Command, Event, Failure, HostOptions, Role, RuntimeKind, pin,
};

/// No options of its own.
#[derive(Debug, clap::Args)]
struct RawEpoll {}

fn main() -> ExitCode {
    let outcome = match Command::<RawEpoll>::parse().role {
        Role::Server { options, .. } => match one_thread(&options.host) {
            Ok(()) => pin(&options.host).and_then(|()| serve::serve(&options)),
            Err(failure) => refuse(failure),
        },
        Role::Client { options, .. } => match possible(&options) {
            Ok(connections) => pin(&options.host).and_then(|()| client::run(&options, connections)),
            Err(failure) => refuse(failure),
        },
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn refuse(failure: Failure) -> io::Result<()> {
    if let Failure::Unsupported(reason) = failure {
        Event::Refused { reason: reason.to_owned() }.print()?;
    }
    Err(io::Error::new(io::ErrorKind::Unsupported, failure))
}

/// How many connections to open, if it can be done at all.
fn possible(options: &ClientOptions) -> Result<usize, Failure> {
    one_thread(&options.host)?;
    if options.rate.is_some() {
        return Err(Failure::Unsupported("an open loop"));
    }
    peer_shapes::plan(options)
}

fn one_thread(options: &HostOptions) -> Result<(), Failure> {
    match (options.runtime, options.workers) {
        (RuntimeKind::Current, _) | (RuntimeKind::Multi, 1) => Ok(()),
        (RuntimeKind::Multi, _) => Err(Failure::Unsupported("more than one thread")),
    }
}
