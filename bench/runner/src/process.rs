//! Servers and clients as processes that speak in lines of JSON.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};
use stubwire_bench_load::{Address, Event};

/// A process under our eyes; killed when it is dropped.
#[derive(Debug)]
struct Watched {
    child: Child,
    events: Receiver<Event>,
}

/// How a program is started: itself, or under one that counts.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program.
    pub binary: PathBuf,
    /// Put before it, as in `strace -c -o file`.
    pub under: Vec<String>,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// What came of starting a server.
#[derive(Debug)]
pub enum Started {
    /// It listens.
    Listening(Server),
    /// It does not do what was asked, in its words.
    Refused(String),
}

/// How long a server may take until it listens, and until it ends.
const START: Duration = Duration::from_secs(20);
const STOP: Duration = Duration::from_secs(5);

impl Launch {
    fn start(&self) -> io::Result<Watched> {
        let mut command = match self.under.split_first() {
            None => Command::new(&self.binary),
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(&self.binary);
                command
            }
        };
        let name = |error| named(error, &self.binary);
        let mut child = command
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(name)?;
        let (send, events) = channel();
        if let Some(out) = child.stdout.take() {
            thread::spawn(move || {
                for line in BufReader::new(out).lines().map_while(Result::ok) {
                    // What is no event is a program's own talk.
                    let Ok(event) = serde_json::from_str(&line) else { continue };
                    if send.send(event).is_err() {
                        return;
                    }
                }
            });
        }
        Ok(Watched { child, events })
    }
}

fn named(error: io::Error, binary: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", binary.display()))
}

impl Watched {
    fn next(&self, patience: Duration) -> io::Result<Event> {
        self.events.recv_timeout(patience).map_err(|error| match error {
            RecvTimeoutError::Timeout => {
                io::Error::new(io::ErrorKind::TimedOut, "says nothing for too long")
            }
            RecvTimeoutError::Disconnected => io::Error::other("ended before it was done"),
        })
    }

    fn ended(&mut self, patience: Duration) -> io::Result<ExitStatus> {
        let until = Instant::now() + patience;
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            if Instant::now() >= until {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "does not end"));
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        // Either fails only for a process that has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    process: Watched,
    stdin: Option<ChildStdin>,
    /// Where.
    pub address: Address,
    /// The process that serves.
    pub pid: u32,
}

impl Server {
    /// Starts one and waits until it listens, or says that it will not.
    ///
    /// # Errors
    /// A program that cannot be started or does not listen.
    pub fn start(launch: &Launch) -> io::Result<Started> {
        let mut process = launch.start()?;
        let stdin = process.child.stdin.take();
        let event = process.next(START).map_err(|error| named(error, &launch.binary))?;
        let (address, pid) = match event {
            Event::Listening { address, pid } => (address, pid),
            Event::Refused { reason } => return Ok(Started::Refused(reason)),
            _ => return Err(named(io::Error::other("speaks before it listens"), &launch.binary)),
        };
        let address = address.parse().map_err(|why: String| io::Error::other(why))?;
        Ok(Started::Listening(Self { process, stdin, address, pid }))
    }

    /// Ends it and waits until it has.
    ///
    /// # Errors
    /// A process that does not end; it is killed.
    pub fn stop(mut self) -> io::Result<()> {
        drop(self.stdin.take());
        let outcome = self.process.ended(STOP).map(|_| ());
        if let Address::Unix(path) = &self.address {
            // A server may leave its socket's file behind, or not.
            let _ = std::fs::remove_file(path);
        }
        outcome
    }

    /// Waits until it ends by itself.
    ///
    /// # Errors
    /// Those of waiting.
    pub fn wait(mut self) -> io::Result<()> {
        self.process.child.wait().map(|_| ())
    }
}

/// Starts a client and hands its events to `on` until its last.
///
/// # Errors
/// A program that cannot be started, stays silent for `patience` or ends early; errors of `on`.
pub fn client(
    launch: &Launch,
    patience: Duration,
    mut on: impl FnMut(&Event) -> io::Result<()>,
) -> io::Result<Event> {
    let mut process = launch.start()?;
    loop {
        let event = process.next(patience).map_err(|error| named(error, &launch.binary))?;
        on(&event)?;
        if matches!(event, Event::Report(_) | Event::Refused { .. }) {
            // It has said everything; a program under a counter still writes the counts.
            process.ended(STOP).map_err(|error| named(error, &launch.binary))?;
            return Ok(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stubwire_bench_load::ClientReport;

    fn shell(script: &str) -> Launch {
        let arguments = vec!["-c".to_owned(), script.to_owned()];
        Launch { binary: "/bin/sh".into(), under: Vec::new(), arguments }
    }

    #[test]
    fn a_server_lives_until_its_input_ends() {
        let launch = shell(
            r#"echo hello; echo '{"event":"listening","address":"127.0.0.1:7","pid":8}'; cat"#,
        );
        let Started::Listening(server) = Server::start(&launch).unwrap() else {
            panic!("it listens")
        };
        assert_eq!((server.address.to_string(), server.pid), ("127.0.0.1:7".to_owned(), 8));
        server.stop().unwrap();
        let error = Server::start(&shell("exit 3")).unwrap_err().to_string();
        assert_eq!(error, "/bin/sh: ended before it was done");
        let missing = Launch { binary: "/nowhere".into(), ..shell("") };
        assert!(Server::start(&missing).unwrap_err().to_string().starts_with("/nowhere: "));
    }

    #[test]
    fn a_server_may_refuse() {
        let launch = shell(r#"echo '{"event":"refused","reason":"more than one thread"}'; exit 1"#);
        let started = Server::start(&launch).unwrap();
        assert!(matches!(started, Started::Refused(reason) if reason == "more than one thread"));
    }

    #[test]
    fn a_client_is_listened_to_until_its_report() {
        let report = serde_json::to_string(&Event::Report(Box::<ClientReport>::default())).unwrap();
        let script = format!("echo '{{\"event\":\"begin\",\"pid\":1}}'; echo '{report}'");
        let mut seen = Vec::new();
        let last = client(&shell(&script), START, |event| {
            seen.push(format!("{event:?}").split_whitespace().next().unwrap_or("").to_owned());
            Ok(())
        });
        assert!(matches!(last.unwrap(), Event::Report(_)));
        assert_eq!(seen.len(), 2, "{seen:?}");
        assert_eq!(seen[0], "Begin");
        assert!(client(&shell("exit 0"), START, |_| Ok(())).is_err());
    }

    #[test]
    fn a_silent_client_is_given_up() {
        let error = client(&shell("exec cat"), Duration::from_millis(20), |_| Ok(()));
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
