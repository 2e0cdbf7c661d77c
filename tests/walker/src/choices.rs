//! Decisions read from bytes: whoever chooses the bytes, a property test or a fuzzer, chooses all that
//! is built with them. Bytes that have run out read as zero, the smallest decision.

/// Bytes that are read as decisions.
#[derive(Debug)]
pub struct Choices<'a> {
    bytes: &'a [u8],
    /// Turns the same bytes into other decisions; zero keeps them.
    stir: u64,
}

impl<'a> Choices<'a> {
    /// Decisions that are these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, stir: 0 }
    }

    /// Decisions without end, the same ones for the same number.
    pub fn endless(seed: u64) -> Self {
        Self { bytes: &[], stir: seed | 1 << 63 }
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        if let Some((first, rest)) = self.bytes.split_first() {
            self.bytes = rest;
            return *first;
        }
        if self.stir == 0 {
            return 0;
        }
        // splitmix64.
        self.stir = self.stir.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.stir;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed >> 33) as u8
    }

    /// The next four bytes.
    pub fn word(&mut self) -> u32 {
        u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }

    /// A number below `end`, which is not zero.
    pub fn below(&mut self, end: usize) -> usize {
        let number = if end <= 256 { u32::from(self.byte()) } else { self.word() };
        number as usize % end
    }

    /// True once in `times`, and when the bytes have run out never.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }
}
