//! Power by frequency, and fits of a power law.

use crate::stats::window::{Window, apply};
use crate::stop::Stop;
use rustfft::FftPlanner;
use rustfft::num_complex::Complex;

/// Frequencies from `lo` to `hi`, in cycles per sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// The lowest.
    pub lo: f64,
    /// The highest.
    pub hi: f64,
}

impl Band {
    /// From `lo` to `hi` cycles per sample.
    pub fn new(lo: f64, hi: f64) -> Self {
        Band { lo, hi }
    }

    /// Whether a frequency lies inside.
    pub fn contains(self, frequency: f64) -> bool {
        frequency >= self.lo && frequency <= self.hi
    }
}

/// The mean of all bins of about the same frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring {
    /// Mean frequency of the bins, in cycles per sample.
    pub frequency: f64,
    /// Mean power density of the bins.
    pub power: f64,
    /// The number of bins; mirror images are not counted.
    pub bins: usize,
}

/// Power density by frequency.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// Rings of rising frequency, from one cycle per piece up to 0.5 cycles per sample.
    pub rings: Vec<Ring>,
}

/// `power = factor · frequency^slope`, by least squares of the logarithms; every ring has the same weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Exponent of the power density.
    pub slope: f64,
    /// Standard error of the slope, from the residuals of the rings.
    pub error: f64,
    /// Power density at one cycle per sample.
    pub factor: f64,
    /// The number of fitted rings.
    pub rings: usize,
}

impl Fit {
    /// The `c` of amplitudes ∝ f^c. The power of a sinusoid is its amplitude squared, so `c` is half the slope of the density.
    ///
    /// In 1D that is the exponent of a colour of noise (red −2, pink −1, white 0, blue 1, violet 2 by the convention for
    /// amplitudes). In 2D it describes single sinusoids along a ring of equal frequency. A straight cut through an isotropic
    /// field collects the power of all sinusoids that cross it, so the slope of its density is larger by one (slope + 1).
    pub fn amplitude_exponent(&self) -> f64 {
        self.slope / 2.0
    }

    /// The fitted power density at a frequency.
    pub fn at(&self, frequency: f64) -> f64 {
        self.factor * frequency.powf(self.slope)
    }
}

impl Spectrum {
    /// The mean periodogram of rows of `length` samples. A long row divided into segments is equivalent (Welch 1967, without
    /// overlap). `None` for rows shorter than four samples, or without any row. Samples after the last whole row are ignored.
    pub fn of_rows(values: &[f32], length: usize, window: Window) -> Option<Self> {
        if length < 4 || values.len() < length {
            return None;
        }
        let factors = window.factors(length);
        let norm: f64 = factors.iter().map(|w| w * w).sum();
        let fft = FftPlanner::<f64>::new().plan_fft_forward(length);
        let mut power = vec![0.0; length / 2];
        let rows = values.len() / length;
        for row in values.chunks_exact(length) {
            let windowed = apply(row, |i| factors[i], &Stop::default()).expect("invariant: it is not stopped");
            let mut bins: Vec<Complex<f64>> = windowed.into_iter().map(Complex::from).collect();
            fft.process(&mut bins);
            for (sum, bin) in power.iter_mut().zip(&bins[1..]) {
                *sum += bin.norm_sqr() / norm;
            }
        }
        let ring = |(i, &sum): (usize, &f64)| Ring { frequency: (i + 1) as f64 / length as f64, power: sum / rows as f64, bins: rows };
        Some(Spectrum { rings: power.iter().enumerate().map(ring).collect() })
    }

    /// The best-fitting power law in a band; `None` with fewer than three rings in it, or without power.
    pub fn fit(&self, band: Band) -> Option<Fit> {
        let inside = self.rings.iter().filter(|ring| band.contains(ring.frequency));
        let points: Vec<[f64; 2]> = inside.map(|ring| [ring.frequency.ln(), ring.power.ln()]).collect();
        if points.len() < 3 || !points.iter().flatten().all(|x| x.is_finite()) {
            return None;
        }
        let count = points.len() as f64;
        let mean = |axis: usize| points.iter().map(|p| p[axis]).sum::<f64>() / count;
        let (x, y) = (mean(0), mean(1));
        let spread: f64 = points.iter().map(|p| (p[0] - x).powi(2)).sum();
        let slope = points.iter().map(|p| (p[0] - x) * (p[1] - y)).sum::<f64>() / spread;
        let residual: f64 = points.iter().map(|p| (p[1] - y - slope * (p[0] - x)).powi(2)).sum();
        let error = (residual / (count - 2.0) / spread).sqrt();
        Some(Fit { slope, error, factor: (y - slope * x).exp(), rings: points.len() })
    }
}

#[cfg(test)]
mod tests {
    use crate::stats::spectrum::*;

    #[test]
    fn a_power_law_is_found() {
        let ring = |i: usize| Ring { frequency: i as f64 / 100.0, power: 3.0 * (i as f64 / 100.0).powf(-2.5), bins: 1 };
        let spectrum = Spectrum { rings: (1..50).map(ring).collect() };
        let fit = spectrum.fit(Band::new(0.02, 0.4)).expect("power");
        assert!((fit.slope + 2.5).abs() < 1e-9 && (fit.factor - 3.0).abs() < 1e-9 && fit.error < 1e-9);
        assert!((fit.amplitude_exponent() + 1.25).abs() < 1e-9 && (fit.at(0.1) - 3.0 * 0.1f64.powf(-2.5)).abs() < 1e-6);
        assert_eq!(spectrum.fit(Band::new(0.02, 0.03)), None, "two rings");
    }

    #[test]
    fn a_sine_has_its_variance_in_its_bin() {
        let row: Vec<f32> = (0..256).map(|i| (std::f32::consts::TAU * 16.0 * i as f32 / 64.0).sin() + 5.0).collect();
        let plain = Spectrum::of_rows(&row, 64, Window::Rectangle).expect("rows");
        assert_eq!((plain.rings.len(), plain.rings[15].bins), (32, 4));
        // Density times bin width, and the mirror image: half of the variance of 1/2 each.
        assert!((plain.rings[15].power / 64.0 - 0.25).abs() < 1e-6, "{}", plain.rings[15].power);
        assert!(plain.rings[14].power < 1e-9);
        let hann = Spectrum::of_rows(&row, 64, Window::Hann).expect("rows");
        let total: f64 = hann.rings.iter().map(|ring| ring.power / 64.0).sum();
        assert!((total - 0.25).abs() < 1e-3, "{total}");
        let flat = Spectrum::of_rows(&[0.1; 64], 64, Window::Hann).expect("rows");
        assert!(flat.rings.iter().all(|ring| ring.power == 0.0) && flat.fit(Band::new(0.0, 0.5)).is_none());
        assert_eq!(Spectrum::of_rows(&row, 3, Window::Hann), None);
        assert_eq!(Spectrum::of_rows(&row[..60], 64, Window::Hann), None);
    }
}
