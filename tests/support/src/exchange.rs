//! Bytes written to a `baidu_std` server and what came back, read from `data/`.
//!
//! One file is one exchange, in lines:
//!
//! ```text
//! # what it is about
//! id 21                        number of the probe or capture, or a name of our own
//! connection open              what brpc does with the connection afterwards: open or closed
//! answer CODE ID SIZE PAYLOAD  what brpc answers, where its bytes were not kept
//! because REASON               our server deliberately does otherwise,
//! ours connection closed       namely this
//! ours answer CODE ID SIZE PAYLOAD
//! recoded otherwise: REASON     encoding what was decoded does not give the same bytes again
//!
//! write 50 52                  one write of the client
//!   frame                      a frame completed by the writes above, field by field
//!   correlation_id 21
//!   refused WrongMagic         or: the rule that the bytes break
//! reply 50 52 50 43            one frame of the server, with its fields in the same form
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use crate::Answer;

/// The fields of a frame by their numbers, as name and value. Numbers are decimal; byte strings are hexadecimal.
pub type Fields = Vec<(String, String)>;

/// One exchange.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// Number of the probe or capture, or a name.
    pub id: String,
    /// Name of the file.
    pub name: String,
    /// What the client writes, write by write.
    pub chunks: Vec<Vec<u8>>,
    /// The frames in these writes.
    pub requests: Vec<Fields>,
    /// The rule that the writes break.
    pub refused: Option<String>,
    /// The frames that brpc answered with, where they were kept.
    pub replies: Vec<Reply>,
    /// What brpc did.
    pub brpc: Outcome,
    /// What our server has to do.
    pub ours: Outcome,
    /// Why that is something else.
    pub because: Option<String>,
    /// Why encoding the decoded requests does not give their bytes again.
    pub recoded_otherwise: Option<String>,
}

/// A frame of the server.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The frame.
    pub bytes: Vec<u8>,
    /// Its fields.
    pub fields: Fields,
}

/// How an exchange ends. Answers may come in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What becomes of the connection.
    pub connection: Connection,
    /// The replies.
    pub answers: Vec<Answer>,
}

/// A connection after an exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Connection {
    /// It takes further requests.
    #[default]
    Open,
    /// The server closed it.
    Closed,
}

/// Exchanges between two ends of brpc.
pub fn captures() -> Vec<Exchange> {
    load("captures")
}

/// Hand-made requests, with what brpc replied.
pub fn probes() -> Vec<Exchange> {
    load("probes")
}

/// Hand-made requests for single rules of the protocol, without brpc's bytes.
pub fn rules() -> Vec<Exchange> {
    load("rules")
}

fn load(directory: &str) -> Vec<Exchange> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(directory);
    let entries = fs::read_dir(&directory).expect("the data directory is readable");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry is readable").path()).collect();
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Exchange {
    let text = fs::read_to_string(path).expect("a data file is readable");
    let mut file = File::default();
    for (index, line) in text.lines().enumerate() {
        let (word, rest) = line.trim_start().split_once(' ').unwrap_or((line.trim_start(), ""));
        if line.is_empty() || word == "#" {
            continue;
        }
        let understood = if line.starts_with(' ') {
            file.inner_line(word, rest)
        } else {
            file.outer_line(word, rest)
        };
        assert!(understood.is_some(), "{}:{}: cannot read `{line}`", path.display(), index + 1);
    }
    let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a file has a name");
    file.finish(name)
}

/// A file as far as it was read.
#[derive(Default)]
struct File {
    id: String,
    chunks: Vec<Vec<u8>>,
    requests: Vec<Fields>,
    refused: Option<String>,
    replies: Vec<Reply>,
    brpc: Connection,
    brpc_answers: Vec<Answer>,
    ours: Connection,
    ours_answers: Vec<Answer>,
    because: Option<String>,
    recoded_otherwise: Option<String>,
}

impl File {
    fn outer_line(&mut self, word: &str, rest: &str) -> Option<()> {
        match word {
            "id" => self.id = rest.into(),
            "connection" => self.brpc = connection(rest)?,
            "answer" => self.brpc_answers.push(answer(rest)?),
            "because" => self.because = Some(rest.into()),
            "recoded" => {
                self.recoded_otherwise = Some(rest.strip_prefix("otherwise: ")?.into());
            }
            "write" => self.chunks.push(hex(rest)?),
            "reply" => {
                let bytes = hex(rest)?;
                self.brpc_answers.push(Answer::of_frame(&bytes));
                self.replies.push(Reply { bytes, fields: Fields::new() });
            }
            "ours" => match rest.split_once(' ')? {
                ("connection", rest) => self.ours = connection(rest)?,
                ("answer", rest) => self.ours_answers.push(answer(rest)?),
                _ => return None,
            },
            _ => return None,
        }
        Some(())
    }

    fn inner_line(&mut self, word: &str, rest: &str) -> Option<()> {
        match (word, self.replies.last_mut()) {
            ("frame", None) => self.requests.push(Fields::new()),
            ("frame", Some(_)) => {}
            ("refused", None) => self.refused = Some(rest.into()),
            (field, Some(reply)) => reply.fields.push((field.into(), rest.into())),
            (field, None) => self.requests.last_mut()?.push((field.into(), rest.into())),
        }
        Some(())
    }

    fn finish(self, name: &str) -> Exchange {
        let brpc = Outcome { connection: self.brpc, answers: self.brpc_answers };
        let ours = if self.because.is_some() {
            Outcome { connection: self.ours, answers: self.ours_answers }
        } else {
            brpc.clone()
        };
        Exchange {
            id: self.id,
            name: name.into(),
            chunks: self.chunks,
            requests: self.requests,
            refused: self.refused,
            replies: self.replies,
            brpc,
            ours,
            because: self.because,
            recoded_otherwise: self.recoded_otherwise,
        }
    }
}

pub(crate) fn connection(text: &str) -> Option<Connection> {
    match text {
        "open" => Some(Connection::Open),
        "closed" => Some(Connection::Closed),
        _ => None,
    }
}

fn answer(text: &str) -> Option<Answer> {
    let mut words = text.splitn(4, ' ');
    let mut number = || words.next()?.parse().ok();
    let (error_code, correlation_id, attachment_size) = (number()?, number()?, number()?);
    let payload = hex(words.next().unwrap_or(""))?;
    Some(Answer { error_code, correlation_id, attachment_size, payload })
}

pub(crate) fn hex(text: &str) -> Option<Vec<u8>> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).ok()).collect()
}
