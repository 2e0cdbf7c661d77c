//! The echo service and small helpers that the end-to-end tests share.

stubwire::include_tree!();
pub mod clock;
pub mod frpc;
pub mod hostile;
pub mod memory;
pub mod raw;
pub mod services;
pub mod serving;

pub use serving::{Echo, Serving, echo_registry, request, until};

/// Runs a test on a current-thread runtime and on a multi-thread one.
#[macro_export]
macro_rules! on_both_runtimes {
    ($(#[$attribute:meta])* $name:ident, $body:expr) => {
        mod $name {
            use super::*;

            $(#[$attribute])*
            #[tokio::test(flavor = "current_thread")]
            async fn on_current_thread() {
                $crate::guarded($body()).await;
            }

            $(#[$attribute])*
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn on_multi_thread() {
                $crate::guarded($body()).await;
            }
        }
    };
}

/// Fails a test that hangs; fifty times longer than any of them takes.
pub async fn guarded(test: impl Future<Output = ()>) {
    let limit = std::time::Duration::from_secs(100);
    assert!(tokio::time::timeout(limit, test).await.is_ok(), "the test hangs");
}
