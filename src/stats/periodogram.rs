//! Power of a square field by frequency vector.

use crate::stats::spectrum::{Ring, Spectrum};
use crate::stats::window::{Window, apply};
use crate::stop::{PIECE, Stop, Stopped};
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftPlanner};

/// Power density of a square field at every frequency vector.
#[derive(Clone, Debug, PartialEq)]
pub struct Periodogram {
    edge: usize,
    window: Window,
    /// Rows of bins, frequency 0 first, in the order of the transform.
    power: Vec<f64>,
}

/// One bin of a half plane of frequencies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bin {
    /// Cycles per edge along x and y.
    pub at: [i64; 2],
    pub power: f64,
}

impl Bin {
    /// Cycles per edge.
    pub fn radius(&self) -> f64 {
        (self.at[0] as f64).hypot(self.at[1] as f64)
    }

    /// The ring it belongs to.
    pub fn ring(&self) -> usize {
        self.radius().round() as usize
    }
}

impl Periodogram {
    /// The periodogram of `edge`² samples in row order, with their mean removed. `None` if the number of values differs, or if
    /// `edge` is below four.
    pub fn of(values: &[f32], edge: usize, window: Window) -> Option<Self> {
        Self::of_until(values, edge, window, &Stop::default()).expect("invariant: it is not stopped")
    }

    /// As [`of`](Self::of), with cancellation.
    ///
    /// # Errors
    /// Returns an error a few milliseconds after cancellation.
    pub fn of_until(values: &[f32], edge: usize, window: Window, stop: &Stop) -> Result<Option<Self>, Stopped> {
        if edge < 4 || edge.checked_mul(edge) != Some(values.len()) {
            return Ok(None);
        }
        let factors = window.factors(edge);
        let norm: f64 = factors.iter().map(|w| w * w).sum::<f64>().powi(2);
        let windowed = apply(values, |i| factors[i % edge] * factors[i / edge], stop)?;
        let mut bins: Vec<Complex<f64>> = stop.map(&windowed, |&x| Complex::from(x))?;
        drop(windowed);
        let fft = FftPlanner::new().plan_fft_forward(edge);
        transform(&mut bins, &*fft, stop)?;
        transpose(&mut bins, edge, stop)?;
        transform(&mut bins, &*fft, stop)?;
        transpose(&mut bins, edge, stop)?;
        let power = stop.map(&bins, |bin| bin.norm_sqr() / norm)?;
        Ok(Some(Periodogram { edge, window, power }))
    }

    /// Samples along each edge.
    pub fn edge(&self) -> usize {
        self.edge
    }

    /// The window that was applied.
    pub fn window(&self) -> Window {
        self.window
    }

    /// Power density at a frequency vector, in whole cycles per edge; frequencies wrap as sampled frequencies do.
    pub fn power(&self, x: i64, y: i64) -> f64 {
        let wrap = |k: i64| k.rem_euclid(self.edge as i64) as usize;
        self.power[wrap(y) * self.edge + wrap(x)]
    }

    /// Calls a function for every frequency vector once, without its mirror image and without 0, up to the last whole ring.
    pub(super) fn each_bin(&self, stop: &Stop, mut see: impl FnMut(Bin)) -> Result<(), Stopped> {
        let last = self.last_ring() as i64;
        for y in 0..=last {
            stop.check()?;
            let along = (-last..=last).filter(|x| y > 0 || *x > 0).map(|x| Bin { at: [x, y], power: self.power(x, y) });
            along.filter(|bin| bin.ring() <= last as usize).for_each(&mut see);
        }
        Ok(())
    }

    /// The last ring that lies completely below half a cycle per sample.
    pub(super) fn last_ring(&self) -> usize {
        (self.edge - 1) / 2
    }

    /// The mean over rings one cycle per edge wide.
    pub fn radial(&self) -> Spectrum {
        self.radial_until(&Stop::default()).expect("invariant: it is not stopped")
    }

    /// As [`radial`](Self::radial), with cancellation.
    ///
    /// # Errors
    /// Returns an error a few milliseconds after cancellation.
    pub fn radial_until(&self, stop: &Stop) -> Result<Spectrum, Stopped> {
        let mut sums = vec![(0.0, 0.0, 0usize); self.last_ring() + 1];
        self.each_bin(stop, |bin| {
            let (radius, power, count) = &mut sums[bin.ring()];
            *radius += bin.radius();
            *power += bin.power;
            *count += 1;
        })?;
        let edge = self.edge as f64;
        let ring = |&(radius, power, bins): &(f64, f64, usize)| {
            let count = bins as f64;
            Ring { frequency: radius / count / edge, power: power / count, bins }
        };
        Ok(Spectrum { rings: sums[1..].iter().map(ring).collect() })
    }
}

/// Transforms rows.
fn transform(bins: &mut [Complex<f64>], fft: &dyn Fft<f64>, stop: &Stop) -> Result<(), Stopped> {
    let mut scratch = vec![Complex::default(); fft.get_inplace_scratch_len()];
    for rows in bins.chunks_mut(fft.len() * (PIECE / fft.len()).max(1)) {
        stop.check()?;
        fft.process_with_scratch(rows, &mut scratch);
    }
    Ok(())
}

fn transpose(bins: &mut [Complex<f64>], edge: usize, stop: &Stop) -> Result<(), Stopped> {
    for y in 0..edge {
        stop.check()?;
        for x in 0..y {
            bins.swap(y * edge + x, x * edge + y);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::stats::periodogram::*;

    #[test]
    fn a_plane_wave_is_one_bin_and_its_mirror() {
        let edge = 48;
        let wave = |i: usize| {
            let (x, y) = (i % edge, i / edge);
            (std::f64::consts::TAU * (5 * x + 48 * y - 3 * y) as f64 / edge as f64).cos() as f32 + 2.0
        };
        let values: Vec<f32> = (0..edge * edge).map(wave).collect();
        let p = Periodogram::of(&values, edge, Window::Rectangle).expect("a square");
        let per_bin = (edge * edge) as f64;
        assert!((p.power(5, -3) / per_bin - 0.25).abs() < 1e-6 && (p.power(-5, 3) / per_bin - 0.25).abs() < 1e-6);
        assert!(p.power(5, 3) < 1e-9 && p.power(0, 0) < 1e-9);
        let rings = p.radial().rings;
        assert_eq!(rings.len(), 23);
        assert!((rings[5].power * rings[5].bins as f64 / per_bin - 0.25).abs() < 1e-6, "√34 is in ring 6");
        assert!((rings[5].frequency * edge as f64 - 6.0).abs() < 0.2);
    }

    #[test]
    fn what_is_no_square_has_none_and_a_flat_one_no_power() {
        assert_eq!(Periodogram::of(&[0.0; 15], 4, Window::Hann), None);
        assert_eq!(Periodogram::of(&[0.0; 9], 3, Window::Hann), None);
        assert_eq!(Periodogram::of(&[], usize::MAX, Window::Hann), None);
        let flat = Periodogram::of(&[0.3; 64], 8, Window::Hann).expect("a square");
        flat.each_bin(&Stop::default(), |bin| assert_eq!(bin.power, 0.0)).expect("not stopped");
    }
}
