//! The measured cases: a basis, its use, and the samples.

/// A basis that every library has under a similar name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    Value,
    Perlin,
    Simplex,
    /// The distance to the nearest point: full jitter, Euclidean.
    Cellular,
}

/// The use of the basis. Octaves: 8, lacunarity 2, gain 1/2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Single,
    Fbm,
    Ridged,
    /// FBM, displaced by one octave for each axis.
    Warped,
}

pub const OCTAVES: u32 = 8;
pub const LACUNARITY: f64 = 2.0;
pub const GAIN: f64 = 0.5;

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    pub basis: Basis,
    pub shape: Shape,
    pub dimensions: u32,
    /// Samples per cell of the first octave.
    pub wavelength: f64,
}

impl Case {
    /// Samples along x, y and z.
    pub fn size(&self) -> [usize; 3] {
        if self.dimensions == 2 { [1024, 1024, 1] } else { [128, 128, 64] }
    }

    pub fn samples(&self) -> usize {
        self.size().iter().product()
    }

    /// Cells per sample.
    pub fn frequency(&self) -> f64 {
        1.0 / self.wavelength
    }

    /// Maximum displacement by a warp, in samples.
    pub fn warp(&self) -> f64 {
        0.4 * self.wavelength
    }

    pub fn name(&self) -> String {
        let basis = match self.basis {
            Basis::Value => "value",
            Basis::Perlin => "Perlin",
            Basis::Simplex => "simplex",
            Basis::Cellular => "cellular F1",
        };
        let shape = match self.shape {
            Shape::Single => "",
            Shape::Fbm => "FBM-8 ",
            Shape::Ridged => "ridged-8 ",
            Shape::Warped => "warped FBM-8 ",
        };
        format!("{shape}{basis} {}D", self.dimensions)
    }

    /// Every case at one wavelength.
    pub fn all(wavelength: f64) -> Vec<Case> {
        use Basis::{Cellular, Perlin, Simplex, Value};
        use Shape::{Fbm, Ridged, Single, Warped};
        let mut cases = Vec::new();
        for basis in [Value, Perlin, Simplex, Cellular] {
            cases.extend([2, 3].map(|dimensions| Case { basis, shape: Single, dimensions, wavelength }));
        }
        let fractals = [(Fbm, Value, 2), (Fbm, Perlin, 2), (Fbm, Perlin, 3), (Fbm, Simplex, 2), (Fbm, Simplex, 3)];
        let others = [(Ridged, Value, 2), (Ridged, Perlin, 2), (Ridged, Simplex, 2), (Warped, Simplex, 2)];
        for (shape, basis, dimensions) in fractals.into_iter().chain(others) {
            cases.push(Case { basis, shape, dimensions, wavelength });
        }
        cases
    }
}

/// Fills planes of a volume or rows of a plane, given their numbers and memory.
pub type Fill = Box<dyn Fn(std::ops::Range<usize>, &mut [f32]) + Send + Sync>;
