//! Names handlers that block a thread of the runtime, while they do.
//!
//! Such a handler holds up every call whose turn it is on its thread, and everything else there. What one sees is slow
//! calls of other methods; so the one to blame is looked for and told.

use super::event::EventKind;
use super::state::{Phase, ServerState};
use crate::call::{UnderWay, under_way};
use crate::registry::MethodHandle;
use std::sync::{Arc, Weak};
use std::time::Duration;

/// Starts a thread that looks until the server closes. Without one, for want of threads, nothing is told.
pub(super) fn start(server: &Arc<ServerState>) {
    let Some(patience) = server.config.report_blocking_after else { return };
    let server = Arc::downgrade(server);
    let thread = std::thread::Builder::new().name("stubwire-watchdog".to_owned());
    let _ = thread.spawn(move || look_every(patience, &server));
}

fn look_every(patience: Duration, server: &Weak<ServerState>) {
    let mut watchdog = Watchdog::default();
    loop {
        std::thread::sleep(patience);
        let Some(server) = server.upgrade().filter(|server| server.is_before(Phase::Closing))
        else {
            return;
        };
        for method in watchdog.look(under_way(), &server) {
            method.note_blocked();
            server.events.tell(EventKind::HandlerBlocks, || describe(&method, patience));
        }
    }
}

fn describe(method: &MethodHandle, patience: Duration) -> String {
    format!(
        "a handler of `{}` has held a thread of the runtime for {} ms or longer, and with it the calls behind it; \
         let it await, or mark the method with `registry.method(\"{0}\")?.offload()`",
        method.full_name(),
        patience.as_millis(),
    )
}

#[derive(Debug, Default)]
struct Watchdog {
    /// What was under way when it last looked.
    seen: Vec<UnderWay>,
    /// Those of them that were told already.
    told: Vec<UnderWay>,
}

impl Watchdog {
    /// The methods of this server whose handlers are found at the same poll for the second time.
    fn look(&mut self, now: Vec<UnderWay>, server: &ServerState) -> Vec<MethodHandle> {
        self.told.retain(|poll| now.contains(poll));
        let still: Vec<UnderWay> = now
            .iter()
            .filter(|poll| self.seen.contains(poll) && !self.told.contains(poll))
            .copied()
            .collect();
        self.seen = now;
        if still.is_empty() {
            return Vec::new();
        }
        let blocking = server
            .registry
            .methods()
            .filter(|method| still.iter().any(|poll| method.is_number(poll.method)))
            .collect();
        self.told.extend(still);
        blocking
    }
}
