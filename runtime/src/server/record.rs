//! The answer to one request as bytes: for `golden`, through a server's own connection over a pair of sockets.

use super::connection;
use super::state::{Config, ServerState};
use crate::conn::Socket;
use crate::frame::prpc::HEADER_LEN;
use crate::registry::Registry;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

/// Serves one request frame with default options and returns the frame that comes back.
///
/// # Errors
/// The connection was closed without an answer.
pub(crate) async fn answer(registry: Registry, request: &[u8]) -> io::Result<Vec<u8>> {
    let (mut client, socket) = UnixStream::pair()?;
    let state = Arc::new(ServerState::new(registry, Config::default()));
    let serving =
        tokio::spawn(async move { connection::serve(Socket::Unix(socket), &state).await });
    client.write_all(request).await?;
    let mut frame = vec![0; HEADER_LEN];
    client.read_exact(&mut frame).await?;
    // Both protocols have the length of what follows in the second word, in network order.
    let len = frame.get(4..).and_then(<[u8]>::first_chunk).copied().map_or(0, u32::from_be_bytes);
    let mut body = vec![0; len as usize];
    client.read_exact(&mut body).await?;
    frame.extend_from_slice(&body);
    drop(client);
    // The connection ends with its last call.
    let _ = serving.await;
    Ok(frame)
}
