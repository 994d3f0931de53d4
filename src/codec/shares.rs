//! Shares of masks in 255, whose sum is 255.

/// The largest number of masks in a picture: red, green, blue, alpha.
pub const MOST: usize = 4;

/// Converts masks to shares of 255.
pub fn shares(values: &[f32], masks: usize) -> Vec<u8> {
    values.chunks_exact(masks.max(1)).flat_map(shares_of).collect()
}

/// Converts shares of 255 to shares of 1, and omits channels without a mask.
pub fn masks(shares: &[u8], masks: usize) -> Vec<f32> {
    shares.as_chunks::<MOST>().0.iter().flat_map(|pixel| pixel.iter().take(masks).map(|&share| f32::from(share) / 255.0)).collect()
}

/// The four bytes of a sample: the shares of its masks in 255, by largest-remainder rounding. A mask below 0 counts as 0. If
/// all masks are 0, the first one has the whole share.
fn shares_of(masks: &[f32]) -> [u8; MOST] {
    let masks: [f64; MOST] = std::array::from_fn(|k| masks.get(k).map_or(0.0, |&mask| f64::from(mask).max(0.0)));
    let whole: f64 = masks.iter().sum();
    if whole <= 0.0 {
        return [255, 0, 0, 0];
    }
    let exact = masks.map(|mask| mask / whole * 255.0);
    let mut shares = exact.map(|share| share as u8);
    // The rest goes to the masks with the largest remainders. If two are equal, the first one takes it.
    let left = 255 - shares.iter().map(|&share| i32::from(share)).sum::<i32>();
    for _ in 0..left.max(0) {
        let lost = |k: usize| exact[k] - f64::from(shares[k]);
        let most = (1..MOST).fold(0, |most, k| if lost(k) > lost(most) { k } else { most });
        shares[most] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_255_and_are_as_near_as_they_can_be() {
        assert_eq!(shares_of(&[1.0, 1.0, 1.0]), [85, 85, 85, 0]);
        assert_eq!(shares_of(&[1.0, 1.0]), [128, 127, 0, 0]);
        assert_eq!(shares_of(&[0.0, 0.0, 0.0, 0.0]), [255, 0, 0, 0]);
        assert_eq!(shares_of(&[-1.0, 0.25]), [0, 255, 0, 0]);
        assert_eq!(shares_of(&[f32::MAX, f32::MAX, 1e-30, 0.0]), [128, 127, 0, 0]);
        for i in 0..4096_u32 {
            let masks: [f32; 4] = std::array::from_fn(|k| (i >> (3 * k) & 7) as f32 * [0.1, 1.0, 3.7, 0.01][k]);
            let found = shares_of(&masks);
            assert_eq!(found.iter().map(|&share| u32::from(share)).sum::<u32>(), 255, "{masks:?}");
            let whole: f32 = masks.iter().sum();
            let near = |k: usize| (f32::from(found[k]) - masks[k] / whole * 255.0).abs() < 1.0;
            assert!(whole == 0.0 || (0..4).all(near), "{masks:?}: {found:?}");
        }
    }
}
