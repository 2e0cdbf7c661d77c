#!/bin/sh
# Fuzzes: tests/fuzz/run.sh SECONDS [TARGET...]
#
# Every target, or those named, for SECONDS each and two at a time, from the recorded frames and whatever earlier
# runs found. Ends with an error if one of them crashes, hangs for ten seconds, leaks, or takes more than 512 MB; 1 GB
# for the front ends, which hold a tree and its descriptors.
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
for target in $targets; do
    case $target in
        *_frontend) echo "$target 1024" ;;
        *) echo "$target 512" ;;
    esac
done | xargs -P 2 -L 1 sh -c 'exec cargo +nightly fuzz run --fuzz-dir . "$1" -- \
    -rss_limit_mb="$2" -max_total_time="$0" -timeout=10 -max_len=65536 -print_final_stats=1' "$seconds"
