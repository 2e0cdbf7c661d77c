//! A server with the echo service, on a port of its own.

use crate::bench::{EchoRequest, EchoResponse, EchoService, EchoServiceClient, EchoServiceServer};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use stubwire::{Call, Channel, ChannelOptions, Registry, Server, ServerHandle, Status};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// The service of the captures: Echo returns what it got, Fail the asked-for error, Slow sleeps
/// and tells what it knows of the caller's patience.
#[derive(Clone, Debug, Default)]
pub struct Echo {
    /// Calls that began.
    pub begun: Arc<AtomicUsize>,
    /// Calls that ended by themselves.
    pub ended: Arc<AtomicUsize>,
    /// Calls that heard of their cancellation.
    pub cancelled: Arc<AtomicUsize>,
    /// Lets calls with the message `hold` go on.
    pub release: Arc<Notify>,
}

impl Echo {
    /// Calls that began so far.
    pub fn begun(&self) -> usize {
        self.begun.load(Ordering::SeqCst)
    }

    /// Calls that ended by themselves so far.
    pub fn ended(&self) -> usize {
        self.ended.load(Ordering::SeqCst)
    }

    /// Calls that heard of their cancellation so far.
    pub fn cancelled(&self) -> usize {
        self.cancelled.load(Ordering::SeqCst)
    }
}

impl EchoService for Echo {
    async fn echo(&self, call: &mut Call, request: EchoRequest) -> Result<EchoResponse, Status> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        match request.message() {
            "panic" => panic!("secret text of a panic"),
            "panic later" => {
                tokio::task::yield_now().await;
                panic!("secret text of a panic");
            }
            "hold" => {
                tokio::select! {
                    () = self.release.notified() => {}
                    () = call.cancelled() => { self.cancelled.fetch_add(1, Ordering::SeqCst); }
                }
            }
            "stubborn" => self.release.notified().await,
            _ => {}
        }
        let attachment = call.take_attachment();
        call.attach(attachment);
        self.ended.fetch_add(1, Ordering::SeqCst);
        Ok(EchoResponse { message: request.message, payload: request.payload })
    }

    async fn fail(&self, _: &mut Call, request: EchoRequest) -> Result<EchoResponse, Status> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        Err(Status::new(request.code(), request.message().to_owned()))
    }

    async fn slow(&self, call: &mut Call, request: EchoRequest) -> Result<EchoResponse, Status> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        let sleep = Duration::from_micros(u64::try_from(request.sleep_us()).unwrap_or(0));
        tokio::time::sleep(sleep).await;
        self.ended.fetch_add(1, Ordering::SeqCst);
        let timeout = call.timeout().map_or(-1, |timeout| timeout.as_millis() as i64);
        let message = format!("timeout_ms={timeout} deadline_us=-1");
        Ok(EchoResponse { message: Some(message), payload: None })
    }
}

/// A registry with the echo service.
pub fn echo_registry(echo: &Echo) -> Registry {
    let registry = Registry::new();
    registry.register(EchoServiceServer::new(echo.clone())).expect("an empty registry");
    registry
}

/// A request with a message.
pub fn request(message: impl Into<String>) -> EchoRequest {
    EchoRequest { message: Some(message.into()), ..EchoRequest::default() }
}

/// A server that runs until it is dropped.
#[derive(Debug)]
pub struct Serving {
    /// Where it listens.
    pub address: SocketAddr,
    /// Its handle.
    pub handle: ServerHandle,
    /// Its task.
    pub task: JoinHandle<()>,
    /// What it serves.
    pub registry: Registry,
    /// The service.
    pub echo: Echo,
}

impl Serving {
    /// A server with default settings.
    pub async fn start() -> Self {
        Self::start_with(|server| server).await
    }

    /// A server set up by `configure`.
    pub async fn start_with(configure: impl FnOnce(Server) -> Server) -> Self {
        let echo = Echo::default();
        let registry = echo_registry(&echo);
        // Many tests look at the order of replies, and on a slow machine any handler may seem slow.
        let server = Server::new(registry.clone()).hand_off(false);
        let bound = configure(server).bind("127.0.0.1:0").await;
        let bound = bound.expect("loopback can be bound");
        let address = bound.local_addr().expect("a TCP listener has an address");
        let handle = bound.handle();
        let task = tokio::spawn(async move { bound.serve().await.expect("serving ends well") });
        Self { address, handle, task, registry, echo }
    }

    /// The target of a client.
    pub fn target(&self) -> String {
        format!("prpc://{}", self.address)
    }

    /// A client with options.
    pub async fn client_with(&self, options: ChannelOptions) -> EchoServiceClient {
        let channel = Channel::connect_with(self.target(), options).await;
        EchoServiceClient::new(channel.expect("the server listens"))
    }

    /// A client with default options.
    pub async fn client(&self) -> EchoServiceClient {
        self.client_with(ChannelOptions::default()).await
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Waits until `condition` holds; hangs when it never does, which a test's guard finds.
pub async fn until(mut condition: impl FnMut() -> bool) {
    while !condition() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
