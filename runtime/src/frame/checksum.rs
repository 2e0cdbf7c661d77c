//! The checksum of `baidu_std`: a masked CRC32C over the message as sent, then over the attachment if the
//! metadata says so.

/// What `checksum_type` says for a CRC32C. 0 is none; brpc ignores every other number.
pub const CRC32C: i32 = 1;

/// Added by the mask, so that a checksum over bytes that hold a checksum does not degenerate.
const MASK_DELTA: u32 = 0xa282_ead8;

/// The four bytes that stand in `checksum_value`: the CRC32C of the parts one after the other, masked, big-endian.
pub fn masked_crc32c(parts: &[&[u8]]) -> [u8; 4] {
    let crc = parts.iter().fold(0, |crc, part| crc32c::crc32c_append(crc, part));
    crc.rotate_right(15).wrapping_add(MASK_DELTA).to_be_bytes()
}

/// Whether `value` is the checksum of the parts. A value of another length than four bytes never is.
pub fn verify_crc32c(value: &[u8], parts: &[&[u8]]) -> bool {
    value == masked_crc32c(parts)
}
