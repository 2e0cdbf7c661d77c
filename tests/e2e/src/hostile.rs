//! A server that does what a script says, connection by connection.

use crate::raw::Raw;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A scripted server; gone when it is dropped.
#[derive(Debug)]
pub struct Scripted {
    /// Where it listens.
    pub address: SocketAddr,
    /// Connections accepted so far.
    pub accepted: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Scripted {
    /// Runs `script` for every connection, with its number from 0.
    pub async fn start<Script, Running>(script: Script) -> Self
    where
        Script: Fn(Raw, usize) -> Running + Send + 'static,
        Running: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback can be bound");
        Self::on(listener, script)
    }

    /// The same on a listener that there is.
    pub fn on<Script, Running>(listener: TcpListener, script: Script) -> Self
    where
        Script: Fn(Raw, usize) -> Running + Send + 'static,
        Running: Future<Output = ()> + Send + 'static,
    {
        let address = listener.local_addr().expect("a listener has an address");
        let accepted = Arc::new(AtomicUsize::new(0));
        let counter = accepted.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let number = counter.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(script(Raw::over(stream), number));
            }
        });
        Self { address, accepted, task }
    }

    /// The target of a client.
    pub fn target(&self) -> String {
        format!("prpc://{}", self.address)
    }

    /// Connections accepted so far.
    pub fn accepted(&self) -> usize {
        self.accepted.load(Ordering::SeqCst)
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.task.abort();
    }
}
