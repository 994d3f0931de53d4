//! Power by direction.

use crate::stats::periodogram::Periodogram;
use crate::stats::spectrum::Band;
use crate::stop::{Stop, Stopped};

/// Power by direction in a band of frequencies, with every ring relative to its own mean: 1 everywhere for an isotropic field.
/// Otherwise a direction with one more low-frequency bin of a steep spectrum would appear strong.
#[derive(Clone, Debug, PartialEq)]
pub struct Isotropy {
    /// Relative power of equal sectors of the half circle, the first centred on the x axis, turning towards y.
    pub sectors: Vec<f64>,
    /// Relative standard deviation of the sectors.
    pub deviation: f64,
    /// The expected deviation for an isotropic Gaussian field, by chance alone: √(1 / independent bins in a sector). The power of
    /// a bin is exponentially distributed; a window reduces the number of independent bins.
    pub chance: f64,
}

impl Isotropy {
    /// The strongest sector divided by the weakest; `None` if the weakest has no power.
    pub fn ratio(&self) -> Option<f64> {
        let least = self.sectors.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.sectors.iter().copied().fold(0.0, f64::max);
        (least > 0.0).then(|| most / least)
    }
}

impl Periodogram {
    /// Power by direction, in `sectors` sectors. `None` if a sector contains no bin (a narrow band, few samples) or the band has
    /// no power.
    pub fn isotropy(&self, sectors: usize, band: Band) -> Option<Isotropy> {
        self.isotropy_until(sectors, band, &Stop::default()).expect("invariant: it is not stopped")
    }

    /// As [`isotropy`](Self::isotropy), with cancellation.
    ///
    /// # Errors
    /// Returns an error a few milliseconds after cancellation.
    pub fn isotropy_until(&self, sectors: usize, band: Band, stop: &Stop) -> Result<Option<Isotropy>, Stopped> {
        if sectors == 0 {
            return Ok(None);
        }
        let edge = self.edge() as f64;
        let rings = self.radial_until(stop)?.rings;
        let mut sums = vec![(0.0, 0usize); sectors];
        self.each_bin(stop, |bin| {
            if !band.contains(bin.radius() / edge) {
                return;
            }
            let mean = rings[bin.ring() - 1].power;
            if mean > 0.0 {
                let turn = (bin.at[1] as f64).atan2(bin.at[0] as f64) / std::f64::consts::PI;
                let sector = (turn * sectors as f64).round() as usize % sectors;
                sums[sector].0 += bin.power / mean;
                sums[sector].1 += 1;
            }
        })?;
        Ok(self.isotropy_of(&sums))
    }

    /// Isotropy from the sums of power and the numbers of bins per sector.
    fn isotropy_of(&self, sums: &[(f64, usize)]) -> Option<Isotropy> {
        let fewest = sums.iter().map(|(_, count)| *count).min().filter(|count| *count > 0)?;
        let means: Vec<f64> = sums.iter().map(|(sum, count)| sum / *count as f64).collect();
        let mean = means.iter().sum::<f64>() / means.len() as f64;
        let variance = means.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / means.len() as f64;
        Some(Isotropy { deviation: variance.sqrt() / mean, chance: (self.window().shared(2) / fewest as f64).sqrt(), sectors: means })
    }
}

#[cfg(test)]
mod tests {
    use crate::stats::Window;
    use crate::stats::isotropy::*;

    #[test]
    fn a_striped_field_is_strong_across_its_stripes() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1u64 << 24) as f32 - 0.5
        };
        let white: Vec<f32> = (0..128 * 128).map(|_| random()).collect();
        let isotropy =
            |values: &[f32]| Periodogram::of(values, 128, Window::Hann).and_then(|p| p.isotropy(16, Band::new(0.05, 0.4))).expect("power");
        let even = isotropy(&white);
        assert!(even.deviation < 2.0 * even.chance && even.ratio().is_some_and(|r| r < 2.0), "{even:?}");
        let striped: Vec<f32> = white.iter().enumerate().map(|(i, x)| x + (i % 128 % 8) as f32 * 0.1).collect();
        let uneven = isotropy(&striped);
        assert!(uneven.sectors[0] > 2.0 && uneven.deviation > 4.0 * uneven.chance, "{uneven:?}");
        let flat = Periodogram::of(&[1.0; 64], 8, Window::Hann).expect("a square");
        assert_eq!(flat.isotropy(16, Band::new(0.0, 0.5)), None);
        let white = Periodogram::of(&white, 128, Window::Hann).expect("a square");
        assert_eq!(white.isotropy(0, Band::new(0.0, 0.5)), None);
        assert_eq!(white.isotropy(1000, Band::new(0.01, 0.02)), None, "sectors without a bin");
    }
}
