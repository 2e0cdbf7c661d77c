//! A contestant as a program: reads the command line, serves or calls, reports.

use crate::closed;
use crate::command::{ClientOptions, Command, HostOptions, Role, RuntimeKind, ServerOptions};
use crate::contestant::{Callers, Contestant};
use crate::drive::drive;
use crate::host::{runtime, stdin_ended};
use crate::local::{LocalCaller, LocalContestant};
use crate::meter::refuse;
use crate::open;
use crate::report::{Event, Ready};
use crate::request::Failure;
use crate::work::Work;
use clap::Parser;
use std::io;
use std::process::ExitCode;
use std::time::Duration;
use tokio::task::LocalSet;

/// The program of a contestant.
pub fn main<C: Contestant>() -> ExitCode {
    match Command::<C>::parse().role {
        Role::Server { options, contestant } => run(&options.host, async {
            let serving = contestant.serve(&options.listen, options.work(), Ready::new());
            until_stdin_ends(serving).await
        }),
        Role::Client { options, contestant } => run(&options.host, async {
            let callers = contestant.connect_all(&options).await;
            // Here it is known that the futures of calls are `Send`; `drive` need not know.
            let lane = |lane| tokio::spawn(closed::run(lane));
            let call = |call| drop(tokio::spawn(open::call(call)));
            client(&options, callers, lane, call).await
        }),
    }
}

/// See [`crate::local_main`].
pub(crate) fn local_main<C: LocalContestant>() -> ExitCode {
    let local = LocalSet::new();
    match Command::<C>::parse().role {
        Role::Server { options, contestant } => run(&options.host, async {
            one_thread(&options.host).map_err(refuse)?;
            let serving = contestant.serve(&options.listen, options.work(), Ready::new());
            local.run_until(until_stdin_ends(serving)).await
        }),
        Role::Client { options, contestant } => run(&options.host, async {
            let run = async {
                let callers = match one_thread(&options.host) {
                    Err(reason) => Err(Failure::Unsupported(reason)),
                    Ok(()) => contestant.connect_all(&options).await,
                };
                let lane = |lane| tokio::task::spawn_local(closed::run(lane));
                let call = |call| drop(tokio::task::spawn_local(open::call(call)));
                client(&options, callers, lane, call).await
            };
            local.run_until(run).await
        }),
    }
}

/// Such a contestant stays on its thread.
fn one_thread(options: &HostOptions) -> Result<(), &'static str> {
    match options.runtime {
        RuntimeKind::Current => Ok(()),
        RuntimeKind::Multi => Err("more than one thread"),
    }
}

fn run(options: &HostOptions, program: impl Future<Output = io::Result<()>>) -> ExitCode {
    let outcome = runtime(options).and_then(|runtime| {
        let outcome = runtime.block_on(program);
        // What still runs belongs to a server that ended, or to lanes that were given up.
        runtime.shutdown_timeout(Duration::from_millis(100));
        outcome
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn until_stdin_ends(serving: impl Future<Output = io::Result<()>>) -> io::Result<()> {
    tokio::select! {
        outcome = serving => outcome,
        _ = stdin_ended() => Ok(()),
    }
}

async fn client<C: LocalCaller>(
    options: &ClientOptions,
    callers: Result<Callers<C>, Failure>,
    lane: impl Fn(closed::Lane<C>) -> tokio::task::JoinHandle<()>,
    call: impl FnMut(open::Call<C>),
) -> io::Result<()> {
    match callers {
        Ok(callers) => {
            let report = drive(options, callers, lane, call).await?;
            Event::Report(Box::new(report)).print()
        }
        Err(Failure::Unsupported(reason)) => Err(refuse(reason)),
        Err(failure) => Err(io::Error::other(format!("cannot connect: {failure}"))),
    }
}

impl ServerOptions {
    /// What a handler does besides echoing.
    pub fn work(&self) -> Work {
        Work::new(Duration::from_micros(self.busy_us), Duration::from_micros(self.sleep_us))
    }
}
