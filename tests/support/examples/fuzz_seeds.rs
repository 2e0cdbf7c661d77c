//! Writes the recorded frames and the schemas of the tests as first inputs of the fuzz targets:
//! `fuzz_seeds DIRECTORY`.

use std::fs;
use std::path::Path;

use stubwire_tests_support::{Exchange, captures, frpc, probes, rules, split_frames};
use stubwire_tests_walker::ENTRIES;
use stubwire_tests_walker::choices::Choices;

const TARGETS: [&str; 7] = [
    "frame_decoder",
    "frpc_decoder",
    "prpc_meta",
    "decompress_and_scan",
    "proto_frontend",
    "bfbs_frontend",
    "fbs_frontend",
];

fn main() {
    let directory = std::env::args().nth(1).expect("fuzz_seeds DIRECTORY");
    let directory = Path::new(&directory);
    for target in TARGETS {
        fs::create_dir_all(directory.join(target)).expect("the directory can be made");
    }
    for exchange in captures().iter().chain(&probes()).chain(&rules()) {
        write(directory, exchange);
    }
    for exchange in frpc() {
        let target = directory.join("frpc_decoder");
        let reply = exchange.reply.map(|(reply, _)| reply);
        for (side, bytes) in [("request", Some(exchange.request)), ("reply", reply)] {
            let path = target.join(format!("{}.{side}", exchange.name));
            fs::write(path, bytes.unwrap_or_default()).expect("a seed can be written");
        }
    }
    write_buffers(&directory.join("verified_walk"));
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas");
    for language in ["proto", "fbs"] {
        let target = directory.join(format!("{language}_frontend"));
        copy_schemas(&schemas.join(language), &target, language, "");
    }
    write_binary_schemas(&schemas.join("bfbs"), &directory.join("bfbs_frontend"));
}

/// Valid buffers of every kind, and decisions that make some; see the target for the first byte.
fn write_buffers(target: &Path) {
    fs::create_dir_all(target).expect("the directory can be made");
    for (index, entry) in ENTRIES.iter().enumerate() {
        for seed in 0..6_u8 {
            let mut choices = Choices::endless(u64::from(seed));
            let decisions: Vec<u8> = (0..64 << seed).map(|_| choices.byte()).collect();
            let buffer = entry.valid(&mut Choices::new(&decisions));
            for (kind, bytes) in [(0, buffer), (1, decisions)] {
                let first = (index as u8) << 1 | kind;
                let name = format!("{}.{}.{seed}.{kind}", entry.table, u8::from(entry.prefixed));
                fs::write(target.join(name), [&[first], &bytes[..]].concat())
                    .expect("a seed can be written");
            }
        }
    }
}

/// Copies the binary schemas behind the byte that says how many files there are.
fn write_binary_schemas(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("the schemas are readable") {
        let path = entry.expect("an entry is readable").path();
        if path.extension().is_some_and(|extension| extension == "bfbs") {
            let bytes = fs::read(&path).expect("a schema is readable");
            let name = path.file_name().expect("a file has a name");
            fs::write(to.join(name), [&[0], &bytes[..]].concat()).expect("a seed can be written");
        }
    }
}

/// Copies every schema below a directory, with its path as its name.
fn copy_schemas(from: &Path, to: &Path, ending: &str, prefix: &str) {
    for entry in fs::read_dir(from).expect("the schemas are readable") {
        let entry = entry.expect("an entry is readable");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let path = entry.path();
        if path.is_dir() {
            copy_schemas(&path, to, ending, &format!("{name}."));
        } else if path.extension().is_some_and(|extension| extension == ending) {
            fs::copy(&path, to.join(name)).expect("a seed can be written");
        }
    }
}

fn write(directory: &Path, exchange: &Exchange) {
    let put = |target: &str, name: String, parts: &[&[u8]]| {
        fs::write(directory.join(target).join(name), parts.concat())
            .expect("a seed can be written");
    };
    let name = &exchange.name;
    let requests = exchange.chunks.concat();
    let replies: Vec<u8> = exchange.replies.iter().flat_map(|reply| reply.bytes.clone()).collect();
    for (side, stream) in [("request", requests), ("reply", replies)] {
        // The first byte is the size of the pieces that the target cuts the stream into.
        put("frame_decoder", format!("{name}.{side}"), &[&[5], &stream]);
        for (index, frame) in split_frames(&stream).0.into_iter().enumerate() {
            let meta_size = u32::from_be_bytes([frame[8], frame[9], frame[10], frame[11]]);
            let (meta, payload) =
                frame[12..].split_at_checked(meta_size as usize).unwrap_or_default();
            put("prpc_meta", format!("{name}.{side}.{index}"), &[meta]);
            for kind in 0..4 {
                // The kind of compression, and the largest limit.
                let name = format!("{name}.{side}.{index}.{kind}");
                put("decompress_and_scan", name, &[&[kind, 19], payload]);
            }
        }
    }
}
