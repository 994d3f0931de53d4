//! A program's tables in the backend's number type.

use crate::cpu::eval::call::Abreast;
use crate::cpu::eval::constants::{LaneConstants, LatticeConstants, NeighbourConstants};
use crate::cpu::lib::spline;
use crate::cpu::simd::Real;
use crate::program::{Scalar, Span, SplinePoint, Tables};
use crate::raster::Surface;

/// All numbers that a program's operations read.
pub struct ProgramNumbers<R> {
    pub scalars: Vec<R>,
    /// The constants of each frame.
    pub lattices: Vec<LatticeConstants<R>>,
    neighbours: NeighbourConstants<R>,
    series: Vec<R>,
    points: Vec<spline::CurvePoint<R>>,
    pub rasters: Vec<Surface>,
    spans: Vec<[u32; 2]>,
}

impl<R: Real> ProgramNumbers<R> {
    pub fn new(tables: &Tables) -> Self {
        let all = |numbers: &[f64]| numbers.iter().map(|&x| R::of(x)).collect();
        let point = |p: &SplinePoint| spline::CurvePoint {
            at: R::of(p.at),
            value: R::of(p.value),
            anchor: R::of(p.anchor),
            inverse_width: R::of(p.inverse_width),
        };
        let lattices: Vec<_> = tables.frames.iter().map(LatticeConstants::new).collect();
        ProgramNumbers {
            scalars: all(&tables.scalars),
            neighbours: NeighbourConstants::new(&lattices),
            lattices,
            series: all(&tables.series),
            points: tables.points.iter().map(point).collect(),
            rasters: tables.rasters.clone(),
            spans: tables.spans.clone(),
        }
    }

    /// The first entry of a span in its table, and the number of entries.
    #[inline(always)]
    pub fn span(&self, Span(span): Span) -> (u32, u32) {
        let [start, count] = self.spans[span as usize];
        (start, count)
    }

    pub fn scalar(&self, Scalar(scalar): Scalar) -> R {
        self.scalars[scalar as usize]
    }

    /// Four scalars from this index on.
    pub fn four(&self, Scalar(first): Scalar) -> [R; 4] {
        std::array::from_fn(|i| self.scalars[first as usize + i])
    }

    pub fn series(&self, span: Span) -> &[R] {
        let (start, count) = self.span(span);
        &self.series[start as usize..(start + count) as usize]
    }

    pub fn points(&self, span: Span) -> &[spline::CurvePoint<R>] {
        let (start, count) = self.span(span);
        &self.points[start as usize..(start + count) as usize]
    }

    /// The constants of a call's lanes: those of one frame, or of neighbouring frames from it on.
    #[inline(always)]
    pub fn lanes(&self, frame: usize, abreast: Option<Abreast>) -> LaneConstants<'_, R> {
        match abreast {
            None => LaneConstants::Same(&self.lattices[frame]),
            Some(_) => LaneConstants::Each(&self.neighbours, frame),
        }
    }
}
