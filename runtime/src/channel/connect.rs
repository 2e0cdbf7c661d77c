//! Opening connections: one attempt, its errors, and when to try again.

use super::connection::{Connection, ConnectionSettings};
use super::target::{Address, Target};
use crate::conn::Socket;
use crate::stats::WriteCounts;
use crate::status::{Code, Status};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// First pause after a failed attempt; it doubles with each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// Longest pause: a server that is back is found within it.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Opens a connection.
///
/// # Errors
/// ETIMEDOUT, ECONNREFUSED, or EHOSTDOWN for everything else, a name that cannot be resolved
/// included. No call was executed.
pub(super) async fn connect(
    target: &Target,
    settings: &Arc<ConnectionSettings>,
    written: &Arc<WriteCounts>,
    patience: Duration,
) -> Result<Arc<Connection>, Status> {
    let opening = async {
        match &target.address {
            Address::Tcp { host, port } => Socket::connect_tcp(host, *port).await,
            Address::Unix(path) => Socket::connect_unix(path).await,
        }
    };
    match timeout(patience, opening).await {
        Ok(Ok(socket)) => {
            let (settings, written) = (settings.clone(), written.clone());
            Ok(Connection::start(socket, target.to_string(), settings, written))
        }
        Ok(Err(error)) => Err(connect_error(target, error)),
        Err(_) => Err(Status::new(
            Code::ETIMEDOUT,
            format!("cannot connect to {target}: no answer within {patience:?}"),
        )),
    }
}

fn connect_error(target: &Target, error: io::Error) -> Status {
    let code = match error.kind() {
        io::ErrorKind::ConnectionRefused => Code::ECONNREFUSED,
        io::ErrorKind::TimedOut => Code::ETIMEDOUT,
        _ => Code::EHOSTDOWN,
    };
    Status::new(code, format!("cannot connect to {target}: {error}")).with_source(error)
}

/// The pause after the attempt number `failures` (from 1) failed: exponential, and spread over its
/// upper half so that the clients of a restarted server do not come back as one.
pub(super) fn pause_after(failures: u32) -> Duration {
    let doubled = FIRST_PAUSE.saturating_mul(1 << failures.saturating_sub(1).min(16));
    jittered(doubled.min(LONGEST_PAUSE))
}

/// Between half of `pause` and all of it.
pub(super) fn jittered(pause: Duration) -> Duration {
    // The standard library's per-instance hash keys are random enough to spread clients.
    let random = RandomState::new().hash_one(0_u8) as u32;
    let share = f64::from(random) / f64::from(u32::MAX);
    pause.mul_f64(0.5 + share / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TRUST C5: pauses grow, end somewhere, and differ between clients.
    #[test]
    fn trust_c05_pauses_grow_and_spread() {
        for failures in 1..100 {
            let full = FIRST_PAUSE.saturating_mul(1 << (failures - 1).min(16)).min(LONGEST_PAUSE);
            let pause = pause_after(failures);
            assert!(pause >= full / 2 && pause <= full, "{failures}: {pause:?}");
        }
        let pauses: std::collections::HashSet<_> = (0..100).map(|_| pause_after(8)).collect();
        assert!(pauses.len() > 90, "a hundred clients would come back at {} times", pauses.len());
    }
}
