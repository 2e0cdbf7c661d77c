//! Compressed messages: what comes back, what is refused, and how much memory that takes.

use flate2::{Compress, FlushCompress};
use stubwire::frame::compress::{CompressError, Compression, compress, decompress};
use stubwire_tests_support::captures;

const LIMIT: usize = 1 << 20;
const KINDS: [Compression; 3] = [Compression::Snappy, Compression::Gzip, Compression::Zlib];

fn message(len: usize) -> Vec<u8> {
    // Repetitive enough to compress, not so much that every kind makes one run of it.
    (0..len).map(|index| (index * index / 7) as u8).collect()
}

#[test]
fn every_size_comes_back_and_fills_the_limit_exactly() {
    for kind in [KINDS.as_slice(), &[Compression::None]].concat() {
        for len in [0, 1, 2, 60, 4095, 4096, 4097, 65_535, 70_000, LIMIT] {
            let message = message(len);
            let data = compress(kind, &message);
            assert_eq!(decompress(kind, &data, LIMIT).as_ref(), Ok(&message), "{kind} {len}");
            assert_eq!(decompress(kind, &data, len).as_ref(), Ok(&message), "{kind} {len}");
            if let Some(less) = len.checked_sub(1) {
                let too_large = Err(CompressError::TooLarge { limit: less });
                assert_eq!(decompress(kind, &data, less), too_large, "{kind} {len}");
            }
        }
    }
}

#[test]
fn a_limit_without_end_is_no_overflow() {
    for kind in KINDS {
        assert_eq!(
            decompress(kind, &compress(kind, b"abc"), usize::MAX).as_deref(),
            Ok(&b"abc"[..])
        );
    }
}

#[test]
fn messages_that_brpc_compressed() {
    let captures = captures();
    for (name, kind) in
        [("gzip_request", Compression::Gzip), ("snappy_request", Compression::Snappy)]
    {
        let capture = captures.iter().find(|capture| capture.name == name).expect("captured");
        let (_, message) = capture.requests[0].last().expect("has fields");
        let message: Vec<u8> =
            message.split(' ').map(|byte| u8::from_str_radix(byte, 16).expect("hex")).collect();
        let text = [&b"\x0a\xc8\x01"[..], &[b'r'; 200]].concat();
        assert_eq!(decompress(kind, &message, LIMIT), Ok(text), "{name}");
    }
}

#[test]
fn trust_a13_unknown_compress_type() {
    for number in [4, 5, 77, 99, -1, i32::MIN, i32::MAX] {
        let unknown = Err(CompressError::UnknownType { number });
        assert_eq!(Compression::from_wire(number), unknown);
    }
    for number in 0..4 {
        assert_eq!(Compression::from_wire(number).map(Compression::to_wire), Ok(number));
    }
}

#[test]
fn probe_13_and_45_flag_on_a_plain_message() {
    let plain = b"\x0a\x05hello";
    for kind in [Compression::Gzip, Compression::Zlib] {
        assert_eq!(decompress(kind, plain, LIMIT), Err(CompressError::NotCompressed));
        // One is not the other either.
        let other = if kind == Compression::Gzip { Compression::Zlib } else { Compression::Gzip };
        assert_eq!(
            decompress(kind, &compress(other, plain), LIMIT),
            Err(CompressError::NotCompressed)
        );
    }
}

#[test]
fn probe_44_snappy_flag_on_a_plain_message() {
    assert_eq!(
        decompress(Compression::Snappy, b"\x0a\x05hello", LIMIT),
        Err(CompressError::Corrupt)
    );
}

#[test]
fn probe_47_no_bytes_are_an_empty_message_but_not_to_snappy() {
    assert_eq!(decompress(Compression::Gzip, b"", LIMIT), Ok(Vec::new()));
    assert_eq!(decompress(Compression::Zlib, b"", LIMIT), Ok(Vec::new()));
    assert_eq!(decompress(Compression::Snappy, b"", LIMIT), Err(CompressError::Truncated));
    assert_eq!(decompress(Compression::Snappy, b"\0", LIMIT), Ok(Vec::new()));
}

#[test]
fn trust_a15_truncated_data_is_an_error_at_every_cut() {
    let message = message(3_000);
    for kind in KINDS {
        let data = compress(kind, &message);
        // No bytes at all are a case of their own (probe 47).
        for cut in 1..data.len() {
            let error = decompress(kind, &data[..cut], LIMIT).expect_err("cut");
            let expected = if kind == Compression::Snappy {
                // The block carries its own length, which no longer fits.
                CompressError::Corrupt
            } else {
                CompressError::Truncated
            };
            assert_eq!(error, expected, "{kind} cut at {cut}");
        }
    }
}

#[test]
fn trust_a15_corrupt_data_is_an_error_or_a_whole_message() {
    let message = message(600);
    for kind in KINDS {
        let data = compress(kind, &message);
        for index in 0..data.len() {
            for bit in 0..8 {
                let mut data = data.clone();
                data[index] ^= 1 << bit;
                if let Ok(other) = decompress(kind, &data, LIMIT) {
                    // Snappy has no checksum, and gzip's header has fields that change nothing.
                    let same = other == message;
                    assert!(kind == Compression::Snappy || same, "{kind} {index} {bit}");
                }
            }
        }
    }
}

#[test]
fn trust_a15_snappy_that_does_not_fill_its_length_gives_nothing() {
    // Declares 64 bytes and holds a literal of one: the rest would be whatever was in the buffer.
    assert_eq!(
        decompress(Compression::Snappy, b"\x40\x00a\x00b\x00c", LIMIT),
        Err(CompressError::Corrupt)
    );
    // A copy from before the start of the message.
    assert_eq!(
        decompress(Compression::Snappy, b"\x08\x00a\x0d\x04", LIMIT),
        Err(CompressError::Corrupt)
    );
}

#[test]
fn trust_a14_snappy_with_a_lying_length() {
    // 4 GiB - 1 from six bytes.
    let huge = b"\xff\xff\xff\xff\x0f\x00";
    assert_eq!(
        decompress(Compression::Snappy, huge, LIMIT),
        Err(CompressError::TooLarge { limit: LIMIT })
    );
    // Within the limit, but no six bytes of snappy can make a mebibyte.
    let lie = b"\x80\x80\x40\x00a";
    assert_eq!(decompress(Compression::Snappy, lie, LIMIT), Err(CompressError::Corrupt));
    // A length of 2^35 is no snappy block at all.
    let beyond = b"\x80\x80\x80\x80\x80\x01\x00a";
    assert_eq!(decompress(Compression::Snappy, beyond, LIMIT), Err(CompressError::Corrupt));
}

#[test]
fn trust_a14_snappy_ratio_of_an_honest_message_is_accepted() {
    let zeros = vec![0; LIMIT];
    let data = compress(Compression::Snappy, &zeros);
    assert_eq!(decompress(Compression::Snappy, &data, LIMIT), Ok(zeros));
}

#[test]
fn trust_a14_gzip_with_a_lying_length() {
    let mut data = compress(Compression::Gzip, b"hello");
    let end = data.len();
    for lie in [0_u32, 4, 6, 1 << 20, u32::MAX] {
        data[end - 4..].copy_from_slice(&lie.to_le_bytes());
        assert_eq!(
            decompress(Compression::Gzip, &data, LIMIT),
            Err(CompressError::ChecksumMismatch)
        );
    }
}

#[test]
fn trust_a14_nested_gzip_is_opened_once() {
    let inner = compress(Compression::Gzip, &vec![0; LIMIT]);
    let outer = compress(Compression::Gzip, &inner);
    assert_eq!(decompress(Compression::Gzip, &outer, LIMIT), Ok(inner));
}

#[test]
fn bytes_after_the_end_are_refused() {
    let message = b"hello";
    for kind in [Compression::Gzip, Compression::Zlib] {
        let data = compress(kind, message);
        for more in [&b"\0"[..], b"garbage", &data] {
            let data = [&data[..], more].concat();
            assert_eq!(decompress(kind, &data, LIMIT), Err(CompressError::TrailingBytes), "{kind}");
        }
    }
    let snappy = [compress(Compression::Snappy, message), b"\0x".to_vec()].concat();
    assert_eq!(decompress(Compression::Snappy, &snappy, LIMIT), Err(CompressError::Corrupt));
}

#[test]
fn gzip_header_fields_are_passed_over() {
    let plain = compress(Compression::Gzip, b"hello");
    let with = |flags: u8, fields: &[u8]| {
        [&plain[..3], &[flags], &plain[4..10], fields, &plain[10..]].concat()
    };
    let hello = Ok(b"hello".to_vec());
    let named = with(0b0001_1100, b"\x03\0ext\x6eame\0comment\0");
    assert_eq!(decompress(Compression::Gzip, &named, LIMIT), hello);
    // Bit 0 says that the message is text.
    assert_eq!(decompress(Compression::Gzip, &with(1, b""), LIMIT), hello);
    assert_eq!(decompress(Compression::Gzip, &with(0x20, b""), LIMIT), Err(CompressError::Corrupt));
    assert_eq!(
        decompress(Compression::Gzip, &with(2, b"\0\0"), LIMIT),
        Err(CompressError::ChecksumMismatch)
    );
    let mut header = with(2, b"");
    header.truncate(10);
    let mut crc = flate2::Crc::new();
    crc.update(&header);
    let checked = with(2, &(crc.sum() as u16).to_le_bytes());
    assert_eq!(decompress(Compression::Gzip, &checked, LIMIT), hello);
    // Fields that run beyond the data.
    for short in [
        &b"\x1f\x8b\x08\x04\0\0\0\0\0\0"[..],
        b"\x1f\x8b\x08\x04\0\0\0\0\0\0\xff\xff",
        b"\x1f\x8b\x08\x08\0\0\0\0\0\0name",
    ] {
        assert_eq!(decompress(Compression::Gzip, short, LIMIT), Err(CompressError::Truncated));
    }
}

/// A deflate stream of a gibibyte of zeros, without its end: a mebibyte flushed so that it can be repeated.
pub(crate) fn deflate_bomb() -> Vec<u8> {
    let zeros = vec![0; 1 << 20];
    let mut stream = Compress::new(flate2::Compression::best(), false);
    let mut segment = Vec::with_capacity(1 << 16);
    stream.compress_vec(&zeros, &mut segment, FlushCompress::Full).expect("compresses");
    assert_eq!(stream.total_in(), 1 << 20);
    segment.repeat(1 << 10)
}

#[test]
fn trust_a14_bombs_are_refused_at_the_limit() {
    let deflated = deflate_bomb();
    let gzip = [&b"\x1f\x8b\x08\0\0\0\0\0\0\x03"[..], &deflated].concat();
    let zlib = [&b"\x78\x9c"[..], &deflated].concat();
    assert!(gzip.len() < 3 << 20);
    for limit in [0, 1, 5_000, LIMIT, 3 * LIMIT] {
        let too_large = Err(CompressError::TooLarge { limit });
        assert_eq!(decompress(Compression::Gzip, &gzip, limit), too_large);
        assert_eq!(decompress(Compression::Zlib, &zlib, limit), too_large);
    }
}
