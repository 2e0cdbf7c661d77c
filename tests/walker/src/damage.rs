//! Changes a valid buffer in a few places, in the ways that lies about offsets and lengths are told.

use crate::choices::Choices;

/// Numbers that are just at, or far beyond, some limit.
const NUMBERS: [u32; 10] = [0, 1, 2, 3, 4, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

/// One to `most` changes.
pub fn change(bytes: &mut Vec<u8>, most: usize, choices: &mut Choices<'_>) {
    for _ in 0..=choices.below(most) {
        if bytes.is_empty() {
            return;
        }
        let at = choices.below(bytes.len());
        match choices.below(8) {
            0 => bytes[at] = choices.byte(),
            1 => bytes[at] ^= 1 << choices.below(8),
            2 => put(bytes, at, &NUMBERS[choices.below(NUMBERS.len())].to_le_bytes()),
            3 => put(bytes, at & !3, &NUMBERS[choices.below(NUMBERS.len())].to_le_bytes()),
            4 => nudge(bytes, at & !3, choices),
            5 => {
                let number = NUMBERS[choices.below(NUMBERS.len())] as u16;
                put(bytes, at & !1, &number.to_le_bytes());
            }
            6 => bytes.truncate(at),
            // An offset to anywhere.
            _ => {
                let to = choices.below(bytes.len()) as u32;
                put(bytes, at & !3, &to.to_le_bytes());
            }
        }
    }
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    for (place, byte) in bytes[at..].iter_mut().zip(value) {
        *place = *byte;
    }
}

/// Moves an offset or a length by a little.
fn nudge(bytes: &mut [u8], at: usize, choices: &mut Choices<'_>) {
    let Some(word) = bytes.get(at..at + 4).and_then(|word| <[u8; 4]>::try_from(word).ok()) else {
        return;
    };
    let by = choices.below(17) as i32 - 8;
    put(bytes, at, &u32::from_le_bytes(word).wrapping_add_signed(by).to_le_bytes());
}
