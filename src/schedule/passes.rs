//! The one table of passes.

/// What there is to know of a pass.
#[derive(Clone, Copy, Debug)]
pub struct PassInfo {
    /// The file in `shaders/passes/`.
    pub file: &'static str,
    /// The function in it.
    pub function: &'static str,
    pub reads: usize,
    pub writes: usize,
    /// Whether it has a table.
    pub table: bool,
    /// Reads that are 0 beyond the edges.
    pub zero: &'static [usize],
    /// Reads of the own sample only, that the writes of the same place in the list may overwrite: (read, write).
    pub overwrites: &'static [(usize, usize)],
}

macro_rules! passes {
    ($( $(#[doc = $doc:literal])* $pass:ident: $file:literal $function:literal, $reads:literal => $writes:literal
        $(, table $table:literal)? $(, zero [$($zero:literal),+])? $(, over [$($over:expr),+])?; )+) => {
        /// Every pass there is: a function of the same name in `shaders/passes/` and in `src/cpu/passes/`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Pass { $( $(#[doc = $doc])* $pass, )+ }

        impl Pass {
            /// All of them.
            pub const ALL: &'static [Pass] = &[ $( Pass::$pass, )+ ];

            pub fn info(self) -> PassInfo {
                match self {
                    $( Pass::$pass => PassInfo {
                        file: $file,
                        function: $function,
                        reads: $reads,
                        writes: $writes,
                        table: false $(|| $table)?,
                        zero: &[$($($zero),+)?],
                        overwrites: &[$($($over),+)?],
                    }, )+
                }
            }
        }
    };
}

passes! {
    /// The same number everywhere.
    Fill: "point" "point_fill", 0 => 1;
    /// Scaled, shifted and held.
    Scale: "point" "point_scale", 1 => 1;
    /// From one range to another, its ends exactly.
    Stretch: "point" "point_stretch", 1 => 1;
    /// Where among quantiles a value stands.
    Rank: "point" "point_rank", 1 => 1, table true;
    /// A smooth step.
    Mask: "point" "point_mask", 1 => 1;
    Add: "point" "point_add", 2 => 1;
    Subtract: "point" "point_subtract", 2 => 1;
    Multiply: "point" "point_multiply", 2 => 1;
    Minimum: "point" "point_minimum", 2 => 1;
    Maximum: "point" "point_maximum", 2 => 1;
    Blend: "point" "point_blend", 3 => 1;
    /// Surface, depth, mask and shore.
    Ocean: "point" "point_ocean", 1 => 4;
    /// Neighbours ahead.
    AdjacentMinimum: "adjacent" "adjacent_minimum", 1 => 1;
    AdjacentMaximum: "adjacent" "adjacent_maximum", 1 => 1;
    AdjacentMean: "adjacent" "adjacent_mean", 1 => 1;
    AdjacentDifference: "adjacent" "adjacent_difference", 1 => 1;
    /// Along one axis.
    Gaussian: "window" "window_gaussian", 1 => 1, table true;
    Median: "window" "window_median", 1 => 1;
    Occlusion: "window" "window_occlusion", 1 => 1, table true;
    Slope: "surface" "surface_slope", 1 => 1;
    SlopeDegrees: "surface" "surface_degrees", 1 => 1;
    CurvatureMean: "surface" "surface_mean", 1 => 1;
    CurvaturePlan: "surface" "surface_plan", 1 => 1;
    CurvatureProfile: "surface" "surface_profile", 1 => 1;
    Normal: "surface" "surface_normal", 1 => 3;
    Hillshade: "surface" "surface_hillshade", 1 => 1;
    /// Slopes along x and y.
    Gradient: "surface" "surface_gradient", 1 => 2;
    Thermal: "thermal" "thermal_slide", 1 => 1;
    /// Soil, water, four flows → the four flows.
    HydraulicFlow: "hydraulic" "hydraulic_flow", 6 => 4, over [(2, 0), (3, 1), (4, 2), (5, 3)];
    /// Four flows, water, sediment → sediment.
    HydraulicCarry: "hydraulic" "hydraulic_carry", 6 => 1, zero [0, 1, 2, 3];
    /// Four flows, water, mean discharge → water, mean discharge, speed.
    HydraulicWater: "hydraulic" "hydraulic_water", 6 => 3, zero [0, 1, 2, 3], over [(4, 0), (5, 1)];
    /// Soil, speed, hardness, rain, water, sediment → soil, water, sediment.
    HydraulicSoil: "hydraulic" "hydraulic_soil", 6 => 3, over [(4, 1), (5, 2)];
    /// Height and its slopes → height and ridge.
    Gully: "gully" "gully_carve", 3 => 2, table true;
    /// A ramp of stops.
    Colour: "colour" "colour_ramp", 1 => 4, table true;
    /// A number for every index.
    White: "lattice" "lattice_white", 0 => 1;
    /// Random values at the corners of cells.
    Corners: "lattice" "lattice_corners", 0 => 1;
    /// The middles of cells.
    Diamond: "lattice" "lattice_diamond", 1 => 1;
    /// The middles of edges.
    Square: "lattice" "lattice_square", 1 => 1;
    /// The middles of both, from the corners.
    Midpoint: "lattice" "lattice_midpoint", 1 => 1;
    Voss: "lattice" "lattice_voss", 0 => 1;
    /// A square that repeats.
    Tile: "lattice" "lattice_tile", 0 => 1, table true;
    /// One round of a Fourier transform: real and imaginary part.
    Fourier: "fourier" "fourier_round", 2 => 2, table true;
    /// Amplitudes by frequency.
    Spectrum: "fourier" "fourier_shape", 1 => 1, table true;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_fit_the_fewest_buffers_that_every_device_can_bind() {
        for pass in Pass::ALL {
            let info = pass.info();
            let buffers = info.reads + info.writes + usize::from(info.table) - info.overwrites.len();
            assert!(buffers <= 8, "{pass:?} needs {buffers}");
        }
    }
}
