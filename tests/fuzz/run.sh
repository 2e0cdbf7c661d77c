#!/bin/sh
# Fuzzes: tests/fuzz/run.sh SECONDS [TARGET...]
#
# Every target, or those named, for SECONDS each and two at a time, from the recorded frames and whatever earlier
# runs found. Ends with an error if one of them crashes, hangs for ten seconds, leaks, or takes more than 512 MB.
# Needs a nightly compiler and cargo-fuzz.
set -eu

usage='usage: tests/fuzz/run.sh SECONDS [TARGET...]'
seconds=${1:?$usage}
shift
cd "$(dirname "$0")"

targets=${*:-$(cargo +nightly fuzz list --fuzz-dir .)}
cargo run --quiet --package stubwire-tests-support --manifest-path ../support/Cargo.toml \
    --example fuzz_seeds -- corpus
for target in $targets; do
    cargo +nightly fuzz build --fuzz-dir . "$target"
done
printf '%s\n' $targets | xargs -P 2 -I TARGET \
    cargo +nightly fuzz run --fuzz-dir . TARGET -- \
    -max_total_time="$seconds" -rss_limit_mb=512 -timeout=10 -max_len=65536 -print_final_stats=1
