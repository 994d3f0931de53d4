//! A prepared noise at a fourth coordinate, for a single call.

use super::prepared::{Prepared, check_length, check_positions, in_turn, widen};
use super::{EngineError, Inner, check_position};
use crate::cpu::Out;
use crate::cpu::simd::Real;
use crate::field::{Field, Gradient, Sample, Samples};
use crate::gpu;
#[cfg(feature = "gpu")]
use crate::gpu::Target;
use crate::program::Program;
use crate::region::{Region, RegionBatch, RegionError};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// Maximum magnitude of a fourth coordinate, as of `w` of a node.
const FARTHEST: f64 = 1e12;

/// A prepared noise at a fourth coordinate, returned by [`Prepared::at`]. It borrows the noise and costs nothing to create.
///
/// On the CPU, calls that end in `_into` and calls for one position allocate nothing after warm-up, at any coordinate.
#[derive(Clone, Copy, Debug)]
pub struct PreparedAt<'a> {
    pub(super) noise: &'a Prepared,
    w: f64,
}

impl Prepared {
    /// The noise at a fourth coordinate, in world units, such as time. It is added to the `w` of every 4D node and of every
    /// node whose gradients turn, inside octaves as well. The bits are those after [`set`](Self::set) of each `w` to that sum,
    /// but the noise is not prepared again. Noises without such nodes do not depend on it.
    ///
    /// ```
    /// use orogen::prelude::*;
    /// let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() })?;
    /// let clouds = Noise::simplex(Simplex { dimensions: 4, ..Default::default() }).fractal(Fractal::default()).named("clouds");
    /// let mut clouds = engine.prepare(&clouds)?;
    /// let (mut now, mut then) = (vec![0.0; 64 * 64], vec![0.0; 64 * 64]);
    /// for frame in 0..3 {
    ///     clouds.at(f64::from(frame) * 0.25).field_into(&Region::plane(64, 64), &mut now)?;
    /// }
    /// clouds.set("simplex.w", 0.5)?;
    /// clouds.field_into(&Region::plane(64, 64), &mut then)?;
    /// assert_eq!(now, then);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at(&self, w: f64) -> PreparedAt<'_> {
        PreparedAt { noise: self, w }
    }
}

impl PreparedAt<'_> {
    /// The coordinate, if it is in range.
    pub(super) fn w(&self) -> Result<f64, EngineError> {
        let allowed = "a finite number of magnitude up to 1e12 world units";
        if self.w.abs() <= FARTHEST { Ok(self.w) } else { Err(RegionError::new("w", self.w, allowed).into()) }
    }

    /// The program for the device, with frames moved to the coordinate.
    pub(super) fn program(&self) -> Result<Cow<'_, Program>, EngineError> {
        Ok(self.noise.lowered.program.at_fourth(self.w()?)?)
    }

    /// The value at a position; see [`Prepared::value`].
    ///
    /// # Errors
    /// Returns an error if the position or the fourth coordinate is out of range for the noise.
    pub fn value(&self, position: [f64; 3]) -> Result<f64, EngineError> {
        if let Some(value) = self.direct(position) {
            return Ok(value);
        }
        let (value, _) = self.one_point(position, Gradient::Without)?;
        Ok(value)
    }

    /// Value and gradient (per world unit) at a position; see [`Prepared::value_with_gradient`].
    ///
    /// # Errors
    /// Returns the errors of [`value`](Self::value).
    pub fn value_with_gradient(&self, position: [f64; 3]) -> Result<(f64, [f64; 3]), EngineError> {
        self.one_point(position, Gradient::With)
    }

    /// The value, if the noise has code for a single position. `None` also stands for errors, which [`one_point`](Self::one_point)
    /// returns.
    #[inline]
    fn direct(&self, position: [f64; 3]) -> Option<f64> {
        let is_usual = check_position(0, position).is_ok() && self.w == 0.0 && !matches!(&*self.noise.engine.inner, Inner::Oracle(_));
        let value = is_usual.then(|| self.noise.lowered.single().direct(position)).flatten()?;
        self.noise.whole(value.wide()).ok()
    }

    fn one_point(&self, position: [f64; 3], gradient: Gradient) -> Result<(f64, [f64; 3]), EngineError> {
        check_position(0, position)?;
        self.noise.check_gradients(gradient)?;
        let (lowered, w) = (&self.noise.lowered, self.w()?);
        // On the stack, for either type of number.
        macro_rules! one {
            ($evaluation:expr) => {{
                let (mut value, mut slope) = ([Default::default()], [[Default::default(); 3]]);
                let gradients = gradient.is_wanted().then_some(&mut slope[..]);
                $evaluation.points_into(&[position], w, Out { values: &mut value, gradients })?;
                (value[0].wide(), slope[0].map(Real::wide))
            }};
        }
        let found = if matches!(&*self.noise.engine.inner, Inner::Oracle(_)) { one!(lowered.double()) } else { one!(lowered.single()) };
        self.noise.whole(found)
    }

    /// Values at any positions, in order; see [`Prepared::sample`].
    ///
    /// # Errors
    /// Returns an error if a position or the fourth coordinate is out of range for the noise, or if the device failed.
    pub fn sample(&self, positions: &[[f64; 3]], gradient: Gradient) -> Result<Vec<Sample>, EngineError> {
        check_positions(positions)?;
        self.noise.check_gradients(gradient)?;
        let (lowered, w) = (&self.noise.lowered, self.w()?);
        self.noise.whole(match &*self.noise.engine.inner {
            Inner::Gpu(context) => widen(&gpu::points(context, self.program()?.as_ref(), positions, gradient.is_wanted())?),
            Inner::Cpu => widen(&lowered.single().points(positions, w, gradient.is_wanted())?),
            Inner::Oracle(_) => widen(&lowered.double().points(positions, w, gradient.is_wanted())?),
        })
    }

    /// Values at any positions, in f32, into a slice of the same length.
    ///
    /// # Errors
    /// Returns the errors of [`sample`](Self::sample), and an error for a slice of another length.
    pub fn sample_into(&self, positions: &[[f64; 3]], values: &mut [f32]) -> Result<(), EngineError> {
        self.points_into(positions, values, None)
    }

    /// Values and gradients (per world unit) at any positions, in f32, into slices of the same length.
    ///
    /// # Errors
    /// Returns the errors of [`sample_into`](Self::sample_into).
    pub fn sample_with_gradient_into(
        &self,
        positions: &[[f64; 3]],
        values: &mut [f32],
        gradients: &mut [[f32; 3]],
    ) -> Result<(), EngineError> {
        check_length("positions", positions.len() as u64, gradients.len())?;
        self.noise.check_gradients(Gradient::With)?;
        self.points_into(positions, values, Some(gradients))
    }

    fn points_into(&self, positions: &[[f64; 3]], values: &mut [f32], gradients: Option<&mut [[f32; 3]]>) -> Result<(), EngineError> {
        check_positions(positions)?;
        check_length("positions", positions.len() as u64, values.len())?;
        let w = self.w()?;
        match &*self.noise.engine.inner {
            Inner::Cpu => self.noise.lowered.single().points_into(positions, w, Out { values, gradients })?,
            Inner::Gpu(context) => {
                let found = gpu::points(context, self.program()?.as_ref(), positions, gradients.is_some())?;
                found.copy_to(values, gradients);
            }
            Inner::Oracle(_) => {
                let found = self.noise.lowered.double().points(positions, w, gradients.is_some())?;
                found.copy_to(values, gradients);
            }
        }
        self.noise.engine.go_on()
    }

    /// Values on a region.
    ///
    /// # Errors
    /// Returns an error if the region or the fourth coordinate is out of range for the noise, or if the device failed.
    pub fn field(&self, region: &Region) -> Result<Field, EngineError> {
        self.one_field(region, Gradient::Without)
    }

    /// Values and gradients on a region.
    ///
    /// # Errors
    /// Returns the errors of [`field`](Self::field).
    pub fn field_with_gradient(&self, region: &Region) -> Result<Field, EngineError> {
        self.one_field(region, Gradient::With)
    }

    /// Values on a region, into a slice with an element per sample, x fastest, then y, then z.
    ///
    /// # Errors
    /// Returns the errors of [`field`](Self::field), and an error for a slice of another length.
    pub fn field_into(&self, region: &Region, values: &mut [f32]) -> Result<(), EngineError> {
        self.region_into(region, values, None)
    }

    /// Values and gradients (per world unit) on a region, into slices with an element per sample.
    ///
    /// # Errors
    /// Returns the errors of [`field_into`](Self::field_into).
    pub fn field_with_gradient_into(&self, region: &Region, values: &mut [f32], gradients: &mut [[f32; 3]]) -> Result<(), EngineError> {
        region.check()?;
        check_length("size", region.samples(), gradients.len())?;
        self.noise.check_gradients(Gradient::With)?;
        self.region_into(region, values, Some(gradients))
    }

    fn region_into(&self, region: &Region, values: &mut [f32], gradients: Option<&mut [[f32; 3]]>) -> Result<(), EngineError> {
        region.check()?;
        check_length("size", region.samples(), values.len())?;
        let w = self.w()?;
        if matches!(&*self.noise.engine.inner, Inner::Cpu) {
            return self.noise.whole(self.noise.lowered.single().field_into(region, w, Out { values, gradients })?);
        }
        let gradient = if gradients.is_some() { Gradient::With } else { Gradient::Without };
        let Field { values: found, gradients: slopes, .. } = self.one_field(region, gradient)?;
        Samples { values: found, gradients: slopes }.copy_to(values, gradients);
        Ok(())
    }

    fn one_field(&self, region: &Region, gradient: Gradient) -> Result<Field, EngineError> {
        let mut field = None;
        region.check()?;
        let batch = RegionBatch { first: *region, largest: region.samples() };
        self.fields(batch, &mut std::iter::once(*region), gradient, &mut |_, found| {
            field = Some(found);
            ControlFlow::Continue(())
        })?;
        Ok(field.expect("invariant: every region is handed over"))
    }

    /// Evaluates the regions of a batch in order, and passes each to `done` until that stops it.
    pub(crate) fn fields(
        &self,
        batch: RegionBatch,
        regions: &mut dyn Iterator<Item = Region>,
        gradient: Gradient,
        done: &mut dyn FnMut(usize, Field) -> ControlFlow<()>,
    ) -> Result<(), EngineError> {
        self.noise.check_gradients(gradient)?;
        let (engine, lowered, w) = (&self.noise.engine, &self.noise.lowered, self.w()?);
        // A field that was stopped half-way is dropped.
        let mut done = |index, field| if engine.go_on().is_ok() { done(index, field) } else { ControlFlow::Break(()) };
        match &*engine.inner {
            Inner::Gpu(context) => {
                let mut take =
                    |index, region, Samples { values, gradients }: Samples<f32>| done(index, Field { region, values, gradients });
                gpu::regions(context, self.program()?.as_ref(), batch, regions, gradient.is_wanted(), &mut take)?;
            }
            Inner::Cpu => in_turn(lowered.single(), w, regions, gradient, &mut done)?,
            Inner::Oracle(_) => in_turn(lowered.double(), w, regions, gradient, &mut done)?,
        }
        engine.go_on()
    }

    /// Records the evaluation of a region into an encoder; see [`Engine::encode`](crate::Engine::encode). Copies the noise's
    /// tables on the host if the coordinate is not 0.
    ///
    /// # Errors
    /// Returns the errors of [`Engine::encode`](crate::Engine::encode), and an error if the fourth coordinate is out of range.
    #[cfg(feature = "gpu")]
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, region: &Region, target: &Target) -> Result<(), EngineError> {
        let context = self.noise.engine.context()?;
        region.check()?;
        self.noise.check_gradients(target.output().gradient())?;
        Ok(context.encode(encoder, self.program()?.as_ref(), region, target)?)
    }
}
