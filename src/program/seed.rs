//! Seeds: from the user's numbers to the bits that a lattice needs.

/// SplitMix64's output function (Steele, Lea and Flood 2014): every input bit reaches every output bit.
fn scramble(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A stream of bits that depends on all the numbers given, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seed(u64);

impl Seed {
    /// The stream that also depends on `number`.
    pub fn with(self, number: u64) -> Self {
        Seed(scramble(self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ scramble(number.wrapping_add(0x9e37_79b9_7f4a_7c15))))
    }

    /// 32 bits for a lattice's hash.
    pub fn bits(self) -> u32 {
        (scramble(self.0 ^ 0x5851_f42d_4c95_7f2d) >> 32) as u32
    }

    /// Three numbers in `−reach..reach` on a grid of `2·reach / 2²⁴`: for a power of two, exact in f32 and f64.
    pub fn offset(self, reach: f64) -> [f64; 3] {
        [1, 2, 3].map(|axis| {
            let bits = self.with(axis).0 >> 40;
            (bits as f64 / f64::from(1 << 23) - 1.0) * reach
        })
    }
}
