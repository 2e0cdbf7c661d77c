//! As `pool`, for callers that stay on their thread.

use crate::plan;
use std::cell::RefCell;
use std::rc::Rc;
use stubwire_bench_load::{Callers, ClientOptions, Failure, LocalCaller, Request, Shape, Verified};
use tokio::sync::Semaphore;

/// A caller on a connection, or on whichever the pool has free.
#[derive(Clone)]
pub enum LocalLane<C> {
    /// This one.
    Direct(C),
    /// Any one, for the length of a call.
    Pooled(Rc<LocalPool<C>>),
}

/// Connections, each with one call in flight at most.
pub struct LocalPool<C> {
    free: Semaphore,
    idle: RefCell<Vec<C>>,
}

impl<C: LocalCaller> LocalCaller for LocalLane<C> {
    async fn echo(&mut self, request: &Request) -> Result<Verified, Failure> {
        let pool = match self {
            Self::Direct(caller) => return caller.echo(request).await,
            Self::Pooled(pool) => pool,
        };
        let _permit = pool.free.acquire().await.map_err(Failure::of)?;
        let caller = pool.idle.borrow_mut().pop();
        let mut caller = caller.ok_or_else(|| Failure::Call("the pool is empty".to_owned()))?;
        let outcome = caller.echo(request).await;
        pool.idle.borrow_mut().push(caller);
        outcome
    }
}

/// Opens the connections of a shape one after another.
///
/// # Errors
/// Those of [`plan`] and of `connect`.
pub async fn open_local<C, F>(
    options: &ClientOptions,
    connect: impl Fn() -> F,
) -> Result<Callers<LocalLane<C>>, Failure>
where
    C: LocalCaller,
    F: Future<Output = Result<C, Failure>>,
{
    let count = plan(options)?;
    let mut connections = Vec::with_capacity(count);
    for _ in 0..count {
        connections.push(connect().await?);
    }
    let callers = match options.shape {
        Shape::Pooled => {
            let (free, idle) = (Semaphore::new(count), RefCell::new(connections));
            vec![LocalLane::Pooled(Rc::new(LocalPool { free, idle }))]
        }
        _ => connections.into_iter().map(LocalLane::Direct).collect(),
    };
    Ok(Callers { callers, opened: Box::new(move || Some(count)) })
}
