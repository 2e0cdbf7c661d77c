//! The connections behind a channel, by its policy, and which channels share them.

use super::connection::{Connection, InFlight};
use super::options::ConnectionPolicy;
use super::slot::{Connector, Slot};
use crate::call::{Failure, RawReply};
use crate::status::Status;
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::task::{Context, Poll};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// All connections of one group to one target.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) connector: Arc<Connector>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Shared { slots: Box<[Arc<Slot>]>, next: AtomicUsize },
    Pooled(Arc<Idle>),
    Short,
}

/// Connections of a pooled channel.
#[derive(Debug)]
pub(super) struct Idle {
    connections: Mutex<Vec<Arc<Connection>>>,
    max_idle: usize,
    permits: Arc<Semaphore>,
    /// Connections closed although they worked, because enough were idle.
    churned: AtomicU64,
}

/// A connection lent to one call.
pub(super) struct Lease {
    pub(super) connection: Arc<Connection>,
    /// Where it goes back to, unless it is shared.
    pub(super) home: Option<Home>,
}

/// Where a connection came from that is lent to one call at a time, and the right to have it.
pub(super) struct Home {
    idle: Arc<Idle>,
    permit: OwnedSemaphorePermit,
}

impl Pool {
    pub(super) fn new(connector: Connector, policy: ConnectionPolicy) -> Self {
        let kind = match policy {
            ConnectionPolicy::Shared(connections) => Kind::Shared {
                slots: (0..connections.max(1)).map(|_| Arc::default()).collect(),
                next: AtomicUsize::new(0),
            },
            ConnectionPolicy::Pooled { max_idle, max_connections } => {
                Kind::Pooled(Arc::new(Idle {
                    connections: Mutex::default(),
                    max_idle,
                    permits: Arc::new(Semaphore::new(
                        max_connections.clamp(1, Semaphore::MAX_PERMITS),
                    )),
                    churned: AtomicU64::new(0),
                }))
            }
            ConnectionPolicy::Short => Kind::Short,
        };
        Self { connector: Arc::new(connector), kind }
    }

    /// A connection that can be used at once. Shared ones take turns; one that is not open is
    /// opened in the background while another stands in for it.
    pub(super) fn ready(&self) -> Option<Lease> {
        match &self.kind {
            Kind::Shared { slots, next } => {
                let turn = next.fetch_add(1, Ordering::Relaxed) % slots.len();
                let connection = slots[turn].ready().or_else(|| {
                    let others = slots[turn + 1..].iter().chain(&slots[..turn]);
                    let stand_in = others.into_iter().find_map(|slot| slot.ready());
                    if stand_in.is_some() {
                        slots[turn].warm_up(&self.connector);
                    }
                    stand_in
                })?;
                Some(Lease { connection, home: None })
            }
            Kind::Pooled(idle) => {
                let permit = idle.permits.clone().try_acquire_owned().ok()?;
                let connection = idle.take()?;
                Some(Lease { connection, home: Some(Home { idle: idle.clone(), permit }) })
            }
            Kind::Short => None,
        }
    }

    /// A connection, opened if need be.
    ///
    /// # Errors
    /// Why none can be opened.
    pub(super) async fn open(&self) -> Result<Lease, Status> {
        match &self.kind {
            Kind::Shared { slots, next } => {
                // The turn is not passed on: the call that found nothing ready opens its own slot.
                let turn = next.load(Ordering::Relaxed).wrapping_sub(1) % slots.len();
                let connection = slots[turn].open(&self.connector).await?;
                Ok(Lease { connection, home: None })
            }
            Kind::Pooled(idle) => {
                let permit = idle
                    .permits
                    .clone()
                    .acquire_owned()
                    .await
                    .map_err(|_| Status::internal("the pool of connections was closed"))?;
                let connection = match idle.take() {
                    Some(connection) => connection,
                    None => self.connector.open().await?,
                };
                Ok(Lease { connection, home: Some(Home { idle: idle.clone(), permit }) })
            }
            Kind::Short => Ok(Lease { connection: self.connector.open().await?, home: None }),
        }
    }

    /// Connections that are open now; for pooled channels those that are idle.
    pub(super) fn connections(&self) -> Vec<Arc<Connection>> {
        match &self.kind {
            Kind::Shared { slots, .. } => slots.iter().filter_map(|slot| slot.ready()).collect(),
            Kind::Pooled(idle) => idle.lock().clone(),
            Kind::Short => Vec::new(),
        }
    }

    /// Connections closed although they worked.
    pub(super) fn churned(&self) -> u64 {
        match &self.kind {
            Kind::Pooled(idle) => idle.churned.load(Ordering::Relaxed),
            _ => 0,
        }
    }
}

impl Idle {
    fn take(&self) -> Option<Arc<Connection>> {
        let mut connections = self.lock();
        // The youngest first: the others may then age and be closed by the server.
        std::iter::from_fn(|| connections.pop()).find(|connection| !connection.is_over())
    }

    fn put_back(&self, connection: Arc<Connection>) {
        let mut connections = self.lock();
        if connections.len() < self.max_idle {
            connections.push(connection);
        } else {
            self.churned.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Connection>>> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lease {
    /// Gives a connection back that was not used.
    pub(super) fn give_back(self) {
        if let Some(home) = self.home {
            home.take_back(self.connection);
        }
    }
}

impl Home {
    fn take_back(self, connection: Arc<Connection>) {
        self.idle.put_back(connection);
        drop(self.permit);
    }
}

/// A call on a lent connection. The connection goes back when the reply is there; a call that ends
/// without one takes its exclusive connection with it, since its reply may still come.
pub(super) struct LeasedCall {
    call: InFlight,
    home: Option<Home>,
}

impl LeasedCall {
    pub(super) fn new(call: InFlight, home: Option<Home>) -> Self {
        Self { call, home }
    }
}

impl Future for LeasedCall {
    type Output = Result<RawReply, Failure>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let poll = Pin::new(&mut self.call).poll(context);
        if matches!(poll, Poll::Ready(Ok(_)))
            && let Some(home) = self.home.take()
        {
            home.take_back(self.call.connection.clone());
        }
        poll
    }
}

/// Which channels share connections: same target, same group, same way of using them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct GroupKey {
    pub(super) target: String,
    pub(super) group: String,
    /// Everything else that shapes a connection, so that no channel gets another's settings.
    pub(super) settings: String,
}

/// The pool of a group, made by the first channel that asks for it.
pub(super) fn pool_of(key: GroupKey, make: impl FnOnce() -> Pool) -> Arc<Pool> {
    static POOLS: OnceLock<Mutex<HashMap<GroupKey, Weak<Pool>>>> = OnceLock::new();
    let pools = POOLS.get_or_init(Mutex::default);
    let mut pools = pools.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = pools.get(&key).and_then(Weak::upgrade) {
        return pool;
    }
    pools.retain(|_, pool| pool.strong_count() > 0);
    let pool = Arc::new(make());
    pools.insert(key, Arc::downgrade(&pool));
    pool
}
