//! Callers over plain connections, and over a pool of them.

use crate::plan;
use std::sync::{Arc, Mutex, PoisonError};
use stubwire_bench_load::{Caller, Callers, ClientOptions, Failure, Request, Shape, Verified};
use tokio::sync::Semaphore;

/// A caller on a connection, or on whichever the pool has free.
#[derive(Clone)]
pub enum Lane<C> {
    /// This one.
    Direct(C),
    /// Any one, for the length of a call.
    Pooled(Arc<Pool<C>>),
}

/// Connections, each with one call in flight at most. Who comes first is served first.
pub struct Pool<C> {
    free: Semaphore,
    idle: Mutex<Vec<C>>,
}

impl<C> Pool<C> {
    fn new(connections: Vec<C>) -> Self {
        Self { free: Semaphore::new(connections.len()), idle: Mutex::new(connections) }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<C>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: Caller> Caller for Lane<C> {
    async fn echo(&mut self, request: &Request) -> Result<Verified, Failure> {
        let pool = match self {
            Self::Direct(caller) => return caller.echo(request).await,
            Self::Pooled(pool) => pool,
        };
        let _permit = pool.free.acquire().await.map_err(Failure::of)?;
        // A call that was given up takes its connection along, which leaves a permit without one.
        let caller = pool.idle().pop();
        let mut caller = caller.ok_or_else(|| Failure::Call("the pool is empty".to_owned()))?;
        let outcome = caller.echo(request).await;
        pool.idle().push(caller);
        outcome
    }
}

/// Opens the connections of a shape one after another.
///
/// # Errors
/// Those of [`plan`] and of `connect`.
pub async fn open<C, F>(
    options: &ClientOptions,
    connect: impl Fn() -> F,
) -> Result<Callers<Lane<C>>, Failure>
where
    C: Caller,
    F: Future<Output = Result<C, Failure>>,
{
    let count = plan(options)?;
    let mut connections = Vec::with_capacity(count);
    for _ in 0..count {
        connections.push(connect().await?);
    }
    let callers = match options.shape {
        Shape::Pooled => vec![Lane::Pooled(Arc::new(Pool::new(connections)))],
        _ => connections.into_iter().map(Lane::Direct).collect(),
    };
    Ok(Callers { callers, opened: Box::new(move || Some(count)) })
}
