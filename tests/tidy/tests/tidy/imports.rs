//! Who may import whom, as ARCHITECTURE.md says.

use stubwire_tests_tidy::files;

/// A room, the rooms it must not name, and why.
struct Ban {
    room: &'static str,
    names: &'static [&'static str],
    reason: &'static str,
}

const RUNTIME: &[Ban] = &[
    Ban {
        room: "runtime/src/status",
        names: &["frame", "payload", "conn", "call", "registry", "channel", "server", "stats"],
        reason: "everything reports through it, so it can know nothing",
    },
    Ban {
        room: "runtime/src/limits.rs",
        names: &["frame", "payload", "conn", "call", "registry", "channel", "server", "stats"],
        reason: "it is a list of numbers with reasons",
    },
    Ban {
        room: "runtime/src/stats",
        names: &["frame", "payload", "conn", "call", "registry", "channel", "server", "status"],
        reason: "it is a leaf: counters know nothing of what they count",
    },
    Ban {
        room: "runtime/src/frame",
        names: &["payload", "conn", "call", "registry", "channel", "server", "limits", "status"],
        reason: "frames are bytes and errors, without I/O, clock or meaning",
    },
    Ban {
        room: "runtime/src/payload",
        names: &["conn", "call", "registry", "channel", "server"],
        reason: "decoding a message depends on no connection",
    },
    Ban {
        room: "runtime/src/conn",
        names: &["call", "registry", "channel", "server", "payload"],
        reason: "a connection cuts frames; what they mean is decided above it",
    },
    Ban {
        room: "runtime/src/call",
        names: &["channel", "server"],
        reason: "client and server share it",
    },
    Ban {
        room: "runtime/src/registry",
        names: &["channel", "server", "conn", "frame"],
        reason: "one table serves every wire protocol, so it names none",
    },
    Ban {
        room: "runtime/src/golden",
        names: &["conn", "call", "stats", "__private"],
        reason: "it pins what the two sides write, and writes nothing itself",
    },
    Ban {
        room: "runtime/src/channel",
        names: &["server"],
        reason: "a program may have only one of the two sides",
    },
    Ban {
        room: "runtime/src/server",
        names: &["channel"],
        reason: "a program may have only one of the two sides",
    },
];

const CODEGEN: &[Ban] = &[
    Ban {
        room: "codegen/src/ir",
        names: &["frontend", "backend", "driver", "render"],
        reason: "the model is what all others agree on",
    },
    Ban {
        room: "codegen/src/frontend",
        names: &["backend", "driver"],
        reason: "no front end knows a back end",
    },
    Ban {
        room: "codegen/src/backend",
        names: &["frontend", "driver"],
        reason: "a back end cannot tell which front end made the model",
    },
    Ban {
        room: "codegen/src/render",
        names: &["frontend", "backend", "driver"],
        reason: "it shows diagnostics whoever made them",
    },
];

fn check(bans: &[Ban]) {
    let mut broken = Vec::new();
    for ban in bans {
        let (folder, ending) = match ban.room.strip_suffix(".rs") {
            Some(_) => (ban.room.rsplit_once('/').map_or("", |(folder, _)| folder), ban.room),
            None => (ban.room, ".rs"),
        };
        let files = files(folder, ".rs");
        let files = files.iter().filter(|file| file.path.ends_with(ending));
        let mut seen = 0;
        for file in files {
            seen += 1;
            for (index, line) in file.text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or(line);
                for name in ban.names {
                    if names(code, name) {
                        let (path, line) = (&file.path, index + 1);
                        broken.push(format!("{path}:{line} names `{name}`: {}", ban.reason));
                    }
                }
            }
        }
        assert!(seen > 0, "no file in `{}`: the rule guards nothing", ban.room);
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// True for `crate::name` and for `name` inside `crate::{…}` on one line.
fn names(code: &str, name: &str) -> bool {
    let direct = format!("crate::{name}");
    let grouped = code.trim_start().starts_with("use crate::{")
        && code.split(['{', '}', ',', ' ', ':']).any(|word| word == name);
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    grouped || code.match_indices(&direct).any(|(at, _)| ends(&code[at + direct.len()..]))
}

#[test]
fn the_runtime_keeps_its_rings() {
    check(RUNTIME);
}

/// It is for tests: what serves and calls does not know it. The two sides have a file each that gives it bytes.
#[test]
fn nothing_but_tests_names_golden() {
    let offenders: Vec<_> = files("runtime/src", ".rs")
        .into_iter()
        .filter(|file| !file.path.starts_with("runtime/src/golden/"))
        .filter(|file| file.text.contains("crate::golden"))
        .map(|file| file.path)
        .collect();
    assert!(offenders.is_empty(), "golden is for users' tests alone: {offenders:?}");
}

#[test]
fn the_generator_keeps_its_rooms_apart() {
    check(CODEGEN);
}

#[test]
fn nothing_but_the_driver_writes_files() {
    let offenders: Vec<_> = files("codegen/src", ".rs")
        .into_iter()
        .filter(|file| !file.path.starts_with("codegen/src/driver/"))
        .filter(|file| {
            ["fs::write", "File::create", "fs::rename"].iter().any(|call| file.text.contains(call))
        })
        .map(|file| file.path)
        .collect();
    assert!(offenders.is_empty(), "only the driver writes: {offenders:?}");
}

#[test]
fn libraries_do_not_print() {
    let mut offenders = Vec::new();
    for file in files("codegen/src", ".rs").into_iter().chain(files("runtime/src", ".rs")) {
        // Cargo reads a build script's directives from its standard output; one file speaks to it. And a handler that
        // blocks its thread is told also to those who set no observer: nothing else would show it.
        if ["codegen/src/driver/cargo.rs", "runtime/src/server/event.rs"].contains(&&*file.path) {
            continue;
        }
        let code = file.text.split("#[cfg(test)]").next().unwrap_or_default();
        for (index, line) in code.lines().enumerate() {
            let line = line.trim_start();
            if !line.starts_with("//")
                && ["println!(", "print!(", "dbg!("].iter().any(|m| line.contains(m))
            {
                offenders.push(format!("{}:{}", file.path, index + 1));
            }
        }
    }
    assert!(offenders.is_empty(), "findings are values: {offenders:?}");
}
