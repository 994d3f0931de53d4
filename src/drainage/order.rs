//! The total order of cells, and of the passes between them. Both are free of ties.

/// The bits of a height as a number with the same order. −0 equals +0.
pub(crate) fn key(height: f32) -> u32 {
    let bits = (height + 0.0).to_bits();
    bits ^ if bits >> 31 == 1 { u32::MAX } else { 1 << 31 }
}

/// The height with a key.
pub(crate) fn height(key: u32) -> f32 {
    f32::from_bits(key ^ if key >> 31 == 1 { 1 << 31 } else { u32::MAX })
}

/// A hash that decides between cells of the same height. The index alone would draw parallel lines on flats.
pub(crate) fn hash(seed: u32, index: u64) -> u32 {
    mix(index as u32 ^ mix((index >> 32) as u32 ^ seed))
}

/// A bijection of 32 bits in which every bit of the input changes about half of the output.
fn mix(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x7feb_352d);
    x ^= x >> 15;
    x = x.wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

/// A cell of the world in the total order: by height, then by hash, then by index. The index is that in the rows of the whole world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    pub key: u32,
    pub hash: u32,
    pub index: u64,
}

/// The weight of a pass between two neighbouring cells: the higher of them decides, then the lower. Distinct pairs have distinct weights, so a
/// minimum spanning tree is unique, whatever algorithm finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Weight {
    pub high: Rank,
    pub low: Rank,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_ordered_as_heights_and_come_back() {
        let heights = [f32::NEG_INFINITY, f32::MIN, -1.5, -f32::MIN_POSITIVE, -1e-45, 0.0, 1e-45, 1.0, f32::MAX, f32::INFINITY];
        assert!(heights.map(key).is_sorted_by(|a, b| a < b));
        assert_eq!(heights.map(|h| height(key(h))), heights);
        assert_eq!(key(-0.0), key(0.0));
    }
}
