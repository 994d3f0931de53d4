//! The GPU backend of a build without the feature `gpu`: opening it is refused, so nothing that needs an open device can run.

#[path = "error.rs"]
mod error;
#[path = "lock.rs"]
mod lock;
#[path = "parity.rs"]
mod parity;

pub(crate) use error::Failure;
pub use error::{GpuError, RequestError};
pub(crate) use lock::lock;
pub use parity::{Arithmetic, Parity};

use crate::drainage::down::{Amounts, Sums};
use crate::drainage::grid::{Grid, Rect};
use crate::drainage::square::Found;
use crate::drainage::surface::Outlets;
use crate::field::Samples;
use crate::program::Program;
use crate::region::{Region, RegionBatch};
use crate::schedule::{CoarserSource, PassStep, PlaneId, PlaneSource, SampleBlock, Schedule};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Passes submitted at a time, by which the CPU recognises work in small steps.
pub(crate) const PASSES: usize = 64;

/// The options of a device.
pub(crate) struct DeviceOptions {
    pub arithmetic: Option<Arithmetic>,
    pub cache: Option<PathBuf>,
}

/// The description of an open adapter.
#[derive(Debug)]
pub struct AdapterSummary {
    pub name: String,
}

/// An open device. This build cannot open one.
#[derive(Debug)]
pub enum Context {}

impl Context {
    pub(crate) fn open(_name: Option<&str>, _software: bool, _wanted: &DeviceOptions) -> Result<Context, Failure> {
        Err(GpuError::NotBuilt.into())
    }

    pub(crate) fn save_cache(&self, _folder: &Path) -> std::io::Result<()> {
        match *self {}
    }

    pub(crate) fn summary(&self) -> &AdapterSummary {
        match *self {}
    }

    pub(crate) fn arithmetic(&self) -> Arithmetic {
        match *self {}
    }

    pub(crate) fn parity(&self) -> Parity {
        match *self {}
    }

    pub(crate) fn bounded_because(&self) -> Option<&'static str> {
        match *self {}
    }

    pub(crate) fn compilations(&self) -> usize {
        match *self {}
    }

    pub(crate) fn find_basins(&self, _: &Grid, _: &Rect, _: (&[f32], Option<&[f32]>), _: &Outlets) -> Result<Found, Failure> {
        match *self {}
    }

    pub(crate) fn sum_downwards(&self, _: [u32; 2], _: &[u8], _: &Amounts) -> Result<Sums, Failure> {
        match *self {}
    }

    pub(crate) fn largest_block(&self, _schedule: &Schedule) -> u64 {
        match *self {}
    }
}

/// Evaluates points on a device.
pub(crate) fn points(context: &Context, _program: &Program, _positions: &[[f64; 3]], _gradient: bool) -> Result<Samples<f32>, Failure> {
    match *context {}
}

/// Evaluates regions on a device.
pub(crate) fn regions(
    context: &Context,
    _program: &Program,
    _batch: RegionBatch,
    _all: &mut dyn Iterator<Item = Region>,
    _gradient: bool,
    _done: &mut dyn FnMut(usize, Region, Samples<f32>) -> ControlFlow<()>,
) -> Result<(), Failure> {
    match *context {}
}

/// A schedule in execution on a device.
pub(crate) struct GpuRun<'e> {
    context: &'e Context,
}

impl GpuRun<'_> {
    pub fn new(context: &Arc<Context>, _schedule: &Schedule, _block: &SampleBlock, _at_most: usize) -> Result<Self, GpuError> {
        match **context {}
    }

    pub fn begin_coarser(&mut self, _schedule: &Schedule, _block: &SampleBlock) -> Result<Self, GpuError> {
        match *self.context {}
    }

    pub fn spread(&mut self, _from: Self, _source: &CoarserSource) -> Result<(), Failure> {
        match *self.context {}
    }

    pub fn upload(&mut self, _plane: PlaneId, _values: &[f32]) -> Result<(), Failure> {
        match *self.context {}
    }

    pub fn source(&mut self, _source: &PlaneSource) -> Result<(), Failure> {
        match *self.context {}
    }

    pub fn step(&mut self, _i: usize, _step: &PassStep) -> Result<(), Failure> {
        match *self.context {}
    }

    pub fn outputs(&mut self, _schedule: &Schedule) -> Result<Vec<Vec<Vec<f32>>>, Failure> {
        match *self.context {}
    }

    pub fn is_busy(&self) -> Result<bool, Failure> {
        match *self.context {}
    }

    pub fn wait(&self) -> Result<(), Failure> {
        match *self.context {}
    }

    pub fn flush(&mut self) -> Result<(), Failure> {
        match *self.context {}
    }
}

/// A region in evaluation on a device.
pub(crate) enum PendingRegion {}

impl PendingRegion {
    pub fn start(context: &Arc<Context>, _program: Program, _region: &Region, _gradient: bool) -> Result<Self, Failure> {
        match **context {}
    }

    pub fn advance(&mut self) -> Result<bool, Failure> {
        match *self {}
    }

    pub fn finish(self) -> Result<Samples<f32>, Failure> {
        match self {}
    }
}
