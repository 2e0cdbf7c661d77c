//! Loads a schema of the asked-for size and prints the peak of this process in kB:
//! `load_large MESSAGES SERVICES`. Linux only.

use std::{env, error::Error, fs};

use stubwire_codegen::frontend::proto::load_texts;
use stubwire_tests_frontends::large_schema;

fn main() -> Result<(), Box<dyn Error>> {
    let mut sizes = env::args().skip(1).map(|size| size.parse::<usize>());
    let messages = sizes.next().ok_or("how many messages?")??;
    let services = sizes.next().ok_or("how many services?")??;
    let text = large_schema(messages, services);
    let loaded = load_texts(&[("main.proto", text.as_bytes())])?;
    if loaded.schema.messages.len() != messages || loaded.schema.services.len() != services {
        return Err("something got lost".into());
    }
    let status = fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.split_whitespace().next());
    println!("{}", peak.ok_or("no peak in /proc/self/status")?);
    Ok(())
}
