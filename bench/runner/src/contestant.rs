//! Who takes part, and where its program is.

use crate::cell::Host;
use crate::environment::root;
use crate::ratio::PRODUCT;
use std::path::{Path, PathBuf};

/// The product's two protocols; one program.
pub const OURS: [&str; 2] = ["stubwire-prpc", "stubwire-frpc"];
/// All peers; those whose program is missing have an empty column.
pub const PEERS: [&str; 9] = [
    "raw-tokio",
    "raw-epoll",
    "tarpc",
    "ttrpc",
    "tonic",
    "volo-grpc",
    "volo-thrift",
    "connectrpc",
    "capnp",
];
/// The product's program.
pub const PRODUCT_BINARY: &str = "stubwire-benchmark";

/// A contestant whose program is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// As it was asked for: a name, or `name+multi2` for one on a runtime of its own.
    pub name: String,
    /// The program.
    pub binary: PathBuf,
    /// Options of its own, for both roles.
    pub arguments: Vec<String>,
    /// The runtime of both sides instead of the cell's.
    pub host: Option<Host>,
}

/// Where programs are looked for.
#[derive(Clone, Debug)]
pub struct Folders {
    /// The product's.
    pub product: PathBuf,
    /// The peers'.
    pub peers: PathBuf,
}

impl Folders {
    /// Beside this program, and where the workspace of the peers builds to.
    pub fn usual() -> Self {
        let own = std::env::current_exe().unwrap_or_default();
        Self {
            product: own.parent().unwrap_or(Path::new("")).to_owned(),
            peers: root().join("bench/peers/target/release"),
        }
    }
}

impl Contestant {
    /// Finds one.
    ///
    /// # Errors
    /// A suffix that is no runtime; a program that is not there, with where it was looked for.
    pub fn find(name: &str, folders: &Folders) -> Result<Self, String> {
        let (base, suffix) = name.split_once('+').unwrap_or((name, ""));
        let host = match suffix.strip_prefix("multi") {
            None if suffix.is_empty() => None,
            Some("") => Some(Host::multi(1)),
            workers => match workers.and_then(|workers| workers.parse().ok()) {
                Some(workers @ 1..=256) => Some(Host::multi(workers)),
                _ => return Err(format!("`+{suffix}` is no runtime; write `+multi` or `+multi2`")),
            },
        };
        if base.is_empty() || base.contains(['/', '\\']) {
            return Err(format!("`{name}` is no contestant"));
        }
        let (binary, arguments) = match base.strip_prefix(PRODUCT) {
            Some(protocol @ ("prpc" | "frpc")) => {
                let arguments = vec!["--protocol".to_owned(), protocol.to_owned()];
                (folders.product.join(PRODUCT_BINARY), arguments)
            }
            _ => (folders.peers.join(base), Vec::new()),
        };
        if !binary.is_file() {
            return Err(format!("no program at {}", binary.display()));
        }
        Ok(Self { name: name.to_owned(), binary, arguments, host })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn programs_are_found_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let folders = Folders { product: path.clone(), peers: path.join("peers") };
        fs::create_dir(path.join("peers")).unwrap();
        for program in [PRODUCT_BINARY, "peers/tarpc"] {
            fs::write(path.join(program), "").unwrap();
        }
        let frpc = Contestant::find("stubwire-frpc+multi2", &folders).unwrap();
        assert_eq!(frpc.arguments, ["--protocol", "frpc"]);
        assert_eq!(frpc.host, Some(Host::multi(2)));
        assert_eq!(Contestant::find("tarpc", &folders).unwrap().host, None);
        let tarpc = Contestant::find("tarpc+multi", &folders).unwrap();
        assert_eq!((tarpc.host, tarpc.arguments.len()), (Some(Host::multi(1)), 0));
        for missing in ["tonic", "stubwire-x", "tarpc+x", "tarpc+multi0", "../tarpc", "", "+multi"]
        {
            assert!(Contestant::find(missing, &folders).is_err(), "{missing}");
        }
        let error = Contestant::find("ttrpc", &folders).unwrap_err();
        assert!(error.starts_with("no program at "), "{error}");
    }
}
