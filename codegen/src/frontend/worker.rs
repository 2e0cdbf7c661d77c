//! The thread that a load runs on: a large stack, and a fence against panics.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    thread,
};

use super::{Failed, session::Session};
use crate::ir::{Code, Diagnostic, code};

/// How the thread of a front end is set up.
#[derive(Clone, Copy)]
pub(super) struct Worker {
    /// The name of the thread.
    pub(super) name: &'static str,
    /// Its stack.
    pub(super) stack_bytes: usize,
    /// The code of the finding that a panic becomes.
    pub(super) panic: Code,
}

/// Runs `stages` with a fresh session.
pub(super) fn run<T: Send>(
    worker: Worker,
    stages: impl FnOnce(&mut Session) -> Option<T> + Send,
) -> Result<T, Failed> {
    thread::scope(|scope| {
        let body = || guarded(worker, stages);
        let spawned = thread::Builder::new()
            .name(worker.name.to_owned())
            .stack_size(worker.stack_bytes)
            .spawn_scoped(scope, body);
        match spawned.map(|thread| thread.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => Err(failed(Session::default(), panicked(worker, &*panic))),
            Err(err) => {
                let message = format!("cannot start a thread: {err}");
                Err(failed(Session::default(), Diagnostic::error(code::UNREADABLE, message)))
            }
        }
    })
}

fn guarded<T>(worker: Worker, stages: impl FnOnce(&mut Session) -> Option<T>) -> Result<T, Failed> {
    let mut session = Session::default();
    // The session is only appended to; after a panic it holds what was found before.
    let result = catch_unwind(AssertUnwindSafe(|| stages(&mut session)));
    match result {
        Ok(Some(loaded)) => Ok(loaded),
        Ok(None) => Err(Failed { sources: session.sources, diagnostics: session.diagnostics }),
        Err(panic) => Err(failed(session, panicked(worker, &*panic))),
    }
}

fn failed(mut session: Session, found: Diagnostic) -> Failed {
    session.report(found);
    Failed { sources: session.sources, diagnostics: session.diagnostics }
}

fn panicked(worker: Worker, panic: &(dyn Any + Send)) -> Diagnostic {
    let text = match (panic.downcast_ref::<String>(), panic.downcast_ref::<&str>()) {
        (Some(text), _) => text.as_str(),
        (_, Some(text)) => text,
        _ => "no message",
    };
    let message = format!("the front end failed: {text}");
    Diagnostic::error(worker.panic, message)
        .help("this is a bug, not a mistake in the schema: please report it with the schema")
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKER: Worker = Worker { name: "test", stack_bytes: 64 << 20, panic: code::PROTO_PANIC };

    #[test]
    fn trust_e21_a_panic_of_a_dependency_is_a_finding() {
        let result: Result<(), _> = run(WORKER, |session| {
            session.report(Diagnostic::warning(code::PROTO_SYNTAX, "found before"));
            panic!("index out of {}", "bounds")
        });
        let found = result.expect_err("it panicked").diagnostics.0;
        assert_eq!(found[0].message, "found before");
        assert_eq!(found[1].code, code::PROTO_PANIC);
        assert!(found[1].message.ends_with("index out of bounds"), "{}", found[1].message);
    }

    /// The stack is large enough for what the prescan lets through, and then some.
    #[test]
    fn trust_e03_the_stack_holds_a_thousand_frames_of_a_page() {
        fn recurse(depth: usize) -> usize {
            let page = std::hint::black_box([depth; 512]);
            if depth == 0 { page[0] } else { recurse(depth - 1) + page[511].min(1) }
        }
        let result: Result<(), _> = run(WORKER, |session| {
            let message = recurse(1_000).to_string();
            session.report(Diagnostic::error(code::PROTO_SYNTAX, message));
            None
        });
        assert_eq!(result.expect_err("an error").diagnostics.0[0].message, "1000");
    }
}
