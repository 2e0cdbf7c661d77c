//! One assertion in a process of its own, whose environment a test chooses: `golden_check ROOT HEX`.
//!
//! The bytes are a request of `bench.EchoService/Echo`; the golden is `ROOT/echo`.

use std::process::ExitCode;
use stubwire::golden::{Message, Side, check};
use stubwire_tests_golden::bench;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [root, hex] = &arguments[..] else { return ExitCode::from(2) };
    let bytes: Option<Vec<u8>> =
        hex.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).ok()).collect();
    let Some(bytes) = bytes else { return ExitCode::from(2) };
    // The message alone, without the place of the assertion.
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("{}", panic.payload().downcast_ref::<String>().map_or("", String::as_str));
    }));
    check(root, "echo", &Message::new(&bench::ECHO_SERVICE_ECHO, Side::Request, bytes));
    ExitCode::SUCCESS
}
