//! The accept loop. No error ends it.

use super::connection;
use super::event::EventKind;
use super::state::ServerState;
use crate::conn::{Listener, Socket};
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::task::JoinSet;

/// First and longest pause after an `accept` that failed for want of something. The longest keeps
/// a starved server at five attempts a second; without one, servers were seen to spin at 28,000.
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

pub(super) async fn accept_loop(
    listener: &Listener,
    state: &Arc<ServerState>,
    connections: &mut JoinSet<()>,
) {
    let mut pause = FIRST_PAUSE;
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = connections.join_next() => continue,
        };
        match accepted {
            Ok(socket) => {
                pause = FIRST_PAUSE;
                admit(socket, state, connections);
            }
            Err(error) => {
                state.counters.accept_errors.fetch_add(1, Ordering::Relaxed);
                state.events.tell(EventKind::AcceptFailed, || error.to_string());
                if !is_of_one_connection(&error) {
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }
}

/// True for an error that only says that the connection to be accepted is gone again.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{
        ConnectionAborted, ConnectionReset, Interrupted, InvalidInput, NotConnected,
    };
    // InvalidInput and NotConnected come from setting options on a socket that was reset already.
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionReset | Interrupted | InvalidInput | NotConnected
    )
}

fn admit(socket: Socket, state: &Arc<ServerState>, connections: &mut JoinSet<()>) {
    let counters = &state.counters;
    let limit = state.config.limits.max_connections;
    if counters.connections.fetch_add(1, Ordering::Relaxed) >= limit {
        counters.connections.fetch_sub(1, Ordering::Relaxed);
        counters.connections_refused.fetch_add(1, Ordering::Relaxed);
        state.events.tell(EventKind::ConnectionRefused, || {
            format!("{limit} connections are open already (`Limits::max_connections`)")
        });
        return;
    }
    counters.accepted.fetch_add(1, Ordering::Relaxed);
    let open = OpenConnection(state.clone());
    connections.spawn(async move {
        connection::serve(socket, &open.0).await;
    });
}

/// Counts a connection as open until its task is gone, in whatever way.
struct OpenConnection(Arc<ServerState>);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.counters.connections.fetch_sub(1, Ordering::Relaxed);
    }
}
