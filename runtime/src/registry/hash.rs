//! The number by which FRPC addresses a service.

/// MurmurHash3 (x86, 32 bits, seed 1) of a service's full name, the `service_id` of brpc's
/// FlatBuffers protocol.
pub fn service_id(full_name: &str) -> u32 {
    const C1: u32 = 0xcc9e_2d51;
    const C2: u32 = 0x1b87_3593;
    let scramble = |block: u32| block.wrapping_mul(C1).rotate_left(15).wrapping_mul(C2);

    let mut hash: u32 = 1;
    let mut blocks = full_name.as_bytes().chunks_exact(4);
    for block in &mut blocks {
        let block = u32::from_le_bytes([block[0], block[1], block[2], block[3]]);
        hash = (hash ^ scramble(block)).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
    }
    let tail = blocks.remainder().iter().rev().fold(0, |tail, byte| tail << 8 | u32::from(*byte));
    hash ^= scramble(tail);
    hash ^= full_name.len() as u32;
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

#[cfg(test)]
mod tests {
    use super::service_id;

    #[test]
    fn agrees_with_brpc() {
        let vectors = [
            ("benchmark_fb.BenchmarkService", 0x01e1_e2ce),
            ("test.BenchmarkService", 0x3533_7ad9),
            ("example.EchoService", 0x0e36_1d02),
            ("bench.EchoService", 0x6f5c_89cf),
            ("brpc_fbtest.ProtocolService", 0xd51e_03eb),
            ("EchoService", 0xd7da_39fd),
            ("a", 0x588a_dce8),
            ("", 0x514e_28b7),
        ];
        for (name, id) in vectors {
            assert_eq!(service_id(name), id, "{name}");
        }
    }
}
