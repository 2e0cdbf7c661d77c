//! Frames that a real brpc sent: every byte has a field and a meaning.

use stubwire::MethodDescriptor;
use stubwire::frame::frpc::ByteOrder;
use stubwire::golden::{Frame, Region, Side};
use stubwire_tests_golden::{bench, benchmark_fb};
use stubwire_tests_support::{captures, frpc};

/// The regions of a frame, after a look that nothing is left over.
fn told(name: &str, frame: &Frame) -> Vec<Region> {
    let regions = frame.regions();
    for region in &regions {
        let Region { range, field, meaning, .. } = region;
        let known = meaning != "unreferenced"
            && !meaning.starts_with("no Protobuf")
            && !field.contains('#');
        assert!(known, "{name}: {range:?} {field} {meaning}\n{frame}");
    }
    regions
}

fn captured(method: &'static MethodDescriptor, side: Side, bytes: &[u8]) -> Frame {
    Frame::captured(method, side, bytes.to_vec()).expect("a frame")
}

#[test]
fn captured_frames_of_baidu_std_are_told_whole() {
    let mut count = 0;
    for exchange in captures().iter().filter(|exchange| exchange.refused.is_none()) {
        let written: Vec<u8> = exchange.chunks.concat();
        for (bytes, side) in frames(&written)
            .map(|frame| (frame, Side::Request))
            .chain(exchange.replies.iter().map(|reply| (&reply.bytes[..], Side::Reply)))
        {
            if !bytes.starts_with(b"PRPC") {
                continue;
            }
            count += 1;
            told(&exchange.name, &captured(&bench::ECHO_SERVICE_ECHO, side, bytes));
        }
    }
    assert!(count >= 18, "{count} frames");
}

/// Cuts what a client wrote into frames.
fn frames(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let size = u32::from_be_bytes(bytes.get(4..8)?.try_into().ok()?) as usize;
        let (frame, rest) = bytes.split_at_checked(12 + size)?;
        bytes = rest;
        Some(frame)
    })
}

#[test]
fn captured_frames_of_frpc_are_told_whole_in_the_order_they_have() {
    let mut count = 0;
    for exchange in frpc() {
        let order = if exchange.little_endian { ByteOrder::Little } else { ByteOrder::Big };
        let has = |name: &str| exchange.fields.iter().any(|(field, _)| field == name);
        let has_value = |name: &str, value: &str| {
            exchange.fields.iter().any(|field| *field == (name.to_owned(), value.to_owned()))
        };
        if exchange.refused.is_some() || !has("service_id") {
            continue;
        }
        let method = &benchmark_fb::BENCHMARK_SERVICE_ECHO;
        let request = captured(method, Side::Request, &exchange.request);
        // Those that make sense show their order.
        let dump = request.to_string();
        let regions = request.byte_order(order).regions();
        assert_eq!(
            regions.iter().map(|region| region.range.len()).sum::<usize>(),
            exchange.request.len()
        );
        count += 1;
        if let Some((bytes, fields)) = &exchange.reply
            && fields.iter().any(|(field, value)| field == "error_code" && value == "0")
            // Number 0 is the Echo of another schema.
            && has_value("method_id", "7")
        {
            told(&exchange.name, &captured(method, Side::Reply, bytes).byte_order(order));
            let expected = if exchange.little_endian { "little-endian" } else { "big-endian" };
            assert!(dump.starts_with(&format!("FRPC, {expected}")), "{}\n{dump}", exchange.name);
        }
    }
    assert!(count >= 4, "{count} exchanges");
}
