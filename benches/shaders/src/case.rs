//! The noises that are compared.

use orogen::Noise;
use orogen::node::{Fractal, Hash, Perlin, Simplex, Value, Worley};

/// A noise in one octave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    Simplex2,
    Simplex3,
    /// The terrain document's 3D simplex, which is that of glsl-noise in exact arithmetic.
    Document3,
    Perlin2,
    Perlin3,
    Value2,
    Value3,
    /// Distance to the nearest point of cellular noise.
    Cellular2,
    Cellular3,
    /// Difference between the distances to the two nearest points.
    Borders2,
    Borders3,
}

impl Basis {
    pub const ALL: [Basis; 11] = [
        Basis::Simplex2,
        Basis::Simplex3,
        Basis::Document3,
        Basis::Perlin2,
        Basis::Perlin3,
        Basis::Value2,
        Basis::Value3,
        Basis::Cellular2,
        Basis::Cellular3,
        Basis::Borders2,
        Basis::Borders3,
    ];

    /// The name, as files of `OROGEN_SHADERS` use it.
    pub fn name(self) -> &'static str {
        match self {
            Basis::Simplex2 => "simplex 2D",
            Basis::Simplex3 => "simplex 3D",
            Basis::Document3 => "simplex permutation289 3D",
            Basis::Perlin2 => "Perlin 2D",
            Basis::Perlin3 => "Perlin 3D",
            Basis::Value2 => "value 2D",
            Basis::Value3 => "value 3D",
            Basis::Cellular2 => "cellular F1 2D",
            Basis::Cellular3 => "cellular F1 3D",
            Basis::Borders2 => "cellular F2-F1 2D",
            Basis::Borders3 => "cellular F2-F1 3D",
        }
    }

    fn noise(self, wavelength: f64) -> Noise {
        let simplex = |dimensions| Noise::simplex(Simplex { dimensions, wavelength, ..Default::default() });
        let perlin = |dimensions| Noise::perlin(Perlin { dimensions, wavelength, ..Default::default() });
        let value = |dimensions| Noise::value(Value { dimensions, wavelength, ..Default::default() });
        let worley = |dimensions, weights| Noise::worley(Worley { dimensions, weights, wavelength, ..Default::default() });
        match self {
            Basis::Simplex2 => simplex(2),
            Basis::Simplex3 => simplex(3),
            Basis::Document3 => Noise::simplex(Simplex { dimensions: 3, hash: Hash::Permutation289, wavelength, ..Default::default() }),
            Basis::Perlin2 => perlin(2),
            Basis::Perlin3 => perlin(3),
            Basis::Value2 => value(2),
            Basis::Value3 => value(3),
            Basis::Cellular2 => worley(2, vec![1.0]),
            Basis::Cellular3 => worley(3, vec![1.0]),
            Basis::Borders2 => worley(2, vec![-1.0, 1.0]),
            Basis::Borders3 => worley(3, vec![-1.0, 1.0]),
        }
    }
}

/// The combination of a basis's evaluations in a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One evaluation.
    Single,
    /// Eight octaves.
    Sum,
    /// Eight octaves, at a position that two other sums of eight octaves displace.
    Warped,
}

pub const OCTAVES: u32 = 8;
/// Displacement of [`Shape::Warped`], in cells of the first octave.
pub const WARP: f32 = 4.0;

impl Shape {
    pub const ALL: [Shape; 3] = [Shape::Single, Shape::Sum, Shape::Warped];

    pub fn name(self) -> &'static str {
        match self {
            Shape::Single => "",
            Shape::Sum => "FBM-8 ",
            Shape::Warped => "warped FBM-8 ",
        }
    }

    /// The expression of a pasted kernel, with `vec3` as its language calls it.
    pub fn expression(self, vec3: &str) -> String {
        match self {
            Shape::Single => "orogen_noise(p)".to_owned(),
            Shape::Sum => "orogen_sum(p)".to_owned(),
            Shape::Warped => format!("orogen_sum(p + orogen_frame.warp * {vec3}(orogen_sum(p + 5.2), orogen_sum(p + 1.3), 0.0))"),
        }
    }

    /// Our noise.
    pub fn noise(self, basis: Basis, wavelength: f64) -> Noise {
        let sum = |seed| basis.noise(wavelength).fractal(Fractal { octaves: OCTAVES, seed, ..Default::default() });
        match self {
            Shape::Single => basis.noise(wavelength),
            Shape::Sum => sum(0),
            Shape::Warped => sum(0).warp([sum(1), sum(2), Noise::constant(0.0)], f64::from(WARP) * wavelength),
        }
    }
}
