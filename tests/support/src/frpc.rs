//! Recorded FRPC requests and their replies, read from `data/frpc/`.
//!
//! One file is one exchange, in lines:
//!
//! ```text
//! # what it is about
//! id F3                        number of the capture or probe
//! order big                    byte order of the metadata: big or little
//! connection open              what the recorded server does with the connection afterwards
//! because REASON               our server deliberately does otherwise,
//! ours connection closed       namely this
//!
//! request 46 52 50 43          the frame that the client writes
//!   service_id 0x01e1e2ce      its fields; byte strings are hexadecimal
//!   refused FrameTooLarge      or: the rule that it breaks
//! reply 46 52 50 43            the frame that comes back, with its fields
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use crate::exchange::{connection, hex};
use crate::{Connection, Fields};

/// One exchange.
#[derive(Clone, Debug, Default)]
pub struct FrpcExchange {
    /// Number of the capture or probe.
    pub id: String,
    /// Name of the file.
    pub name: String,
    /// Whether the metadata is little-endian.
    pub little_endian: bool,
    /// What the client writes.
    pub request: Vec<u8>,
    /// The fields of the request.
    pub fields: Fields,
    /// The rule that the request breaks.
    pub refused: Option<String>,
    /// What comes back, with its fields.
    pub reply: Option<(Vec<u8>, Fields)>,
    /// What the recorded server does with the connection.
    pub recorded: Connection,
    /// What our server has to do with it.
    pub ours: Connection,
    /// Why that is something else.
    pub because: Option<String>,
}

/// Every recorded exchange.
pub fn frpc() -> Vec<FrpcExchange> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join("frpc");
    let entries = fs::read_dir(&directory).expect("the data directory is readable");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry is readable").path()).collect();
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> FrpcExchange {
    let text = fs::read_to_string(path).expect("a data file is readable");
    let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a file has a name");
    let mut exchange = FrpcExchange { name: name.to_owned(), ..FrpcExchange::default() };
    for (index, line) in text.lines().enumerate() {
        let (word, rest) = line.trim_start().split_once(' ').unwrap_or((line.trim_start(), ""));
        if line.is_empty() || word == "#" {
            continue;
        }
        let understood = exchange.take_line(line.starts_with(' '), word, rest);
        assert!(understood.is_some(), "{}:{}: cannot read `{line}`", path.display(), index + 1);
    }
    if exchange.because.is_none() {
        exchange.ours = exchange.recorded;
    }
    exchange
}

impl FrpcExchange {
    fn take_line(&mut self, inner: bool, word: &str, rest: &str) -> Option<()> {
        match (inner, word) {
            (false, "id") => self.id = rest.into(),
            (false, "order") => {
                self.little_endian = match rest {
                    "big" => false,
                    "little" => true,
                    _ => return None,
                }
            }
            (false, "connection") => self.recorded = connection(rest)?,
            (false, "because") => self.because = Some(rest.into()),
            (false, "ours") => self.ours = connection(rest.strip_prefix("connection ")?)?,
            (false, "request") => self.request = hex(rest)?,
            (false, "reply") => self.reply = Some((hex(rest)?, Fields::new())),
            (true, "refused") => self.refused = Some(rest.into()),
            (true, field) => {
                let fields = self.reply.as_mut().map_or(&mut self.fields, |(_, fields)| fields);
                fields.push((field.into(), rest.into()));
            }
            (false, _) => return None,
        }
        Some(())
    }
}
