//! The reasons why an evaluation fails: of a noise, and of a pipeline.

use crate::cpu::threads::ThreadsError;
use crate::gpu::{Failure, GpuError, RequestError};
use crate::params::Setting;
use crate::program::ProgramError;
use crate::region::RegionError;
use crate::stage::{ScheduleError, StageError};
use crate::stop::Stopped;

/// The reason why a field could not be evaluated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The graph cannot be evaluated, or not in this region.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The region is invalid.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// The GPU failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The request to the GPU cannot be fulfilled.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The requested threads are not available.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// A point is not a valid position.
    #[error("point {index}: {value:?} is not allowed; allowed: finite numbers of magnitude up to 2^53 world units")]
    Point {
        /// Its index, from 0.
        index: usize,
        /// Its coordinates.
        value: [f64; 3],
    },
    /// A [`Stop`](crate::Stop) was called.
    #[error("stopped before completion")]
    Stopped,
}

impl From<Stopped> for EngineError {
    fn from(_: Stopped) -> Self {
        EngineError::Stopped
    }
}

impl EngineError {
    /// The error for a point in a part, with its index counted from the first of all points.
    pub(crate) fn after(self, first: usize) -> Self {
        match self {
            EngineError::Point { index, value } => EngineError::Point { index: first + index, value },
            error => error,
        }
    }
}

impl From<Failure> for EngineError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Device(error) => EngineError::Gpu(error),
            Failure::Request(error) => EngineError::Request(error),
            Failure::Program(error) => EngineError::Program(error),
        }
    }
}

/// The reason why a pipeline could not be evaluated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LayersError {
    /// The pipeline is invalid.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// A noise cannot be evaluated.
    #[error("'{node}': {error}")]
    Noise {
        /// The node, or the stage with a noise of its own.
        node: String,
        /// The error of the noise.
        error: Box<ProgramError>,
    },
    /// The region is invalid, or the device failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A block is too large.
    #[error("{}a halo of {halo} samples needs a block of at least {edge}² samples and {:.1} MiB; allowed: {:.1} MiB (use fewer iterations, smaller radii, or a higher EngineOptions::memory or --memory)", lead(widest.as_ref()), mib(.needed), mib(.allowed))]
    Memory {
        /// Width of the halo.
        halo: u32,
        /// Edge of the smallest block.
        edge: u64,
        /// Required memory in bytes.
        needed: u64,
        /// Allowed memory in bytes.
        allowed: u64,
        /// The stage with the largest reach; `None` for a block without a halo.
        widest: Option<Widest>,
    },
    /// The device cannot bind a block of that size.
    #[error(
        "{}a halo of {halo} samples needs a block of at least {edge}² samples; allowed: {allowed} samples, the limit of this device (the CPU has no such limit)",
        lead(widest.as_ref())
    )]
    Device {
        /// Width of the halo.
        halo: u32,
        /// Edge of the smallest block.
        edge: u64,
        /// Number of samples that fit.
        allowed: u64,
        /// The stage with the largest reach; `None` for a block without a halo.
        widest: Option<Widest>,
    },
    /// The square of a frequency synthesis is too large.
    #[error("stage '{stage}': size = {size} is not allowed, because it is one block; allowed: powers of two up to {} (limited by EngineOptions::memory, --memory, and the device)", 1_u64 << .allowed)]
    Square {
        /// The stage.
        stage: String,
        /// Its size.
        size: u32,
        /// The exponent of the largest allowed size.
        allowed: u32,
    },
    /// A sample is not a number.
    #[error("{what}: sample {index} is not a finite number")]
    NotFinite {
        /// The field.
        what: String,
        /// The index of the sample, from 0.
        index: usize,
    },
    /// A stage depends on the whole world, but the world is empty.
    #[error("stage '{stage}' depends on the whole world, which has no samples here; allowed: one or more tiles")]
    Nothing {
        /// The stage.
        stage: String,
    },
    /// A stage that needs a finite world does not have one, or the region is not in it.
    #[error("stage '{stage}': {reason}")]
    World {
        /// The stage.
        stage: String,
        /// The reason, with what is allowed.
        reason: String,
    },
    /// A temporary file, or an object of a bake, with the facts about the whole world that a stage needs, could not be written or read.
    #[error("stage '{stage}': {reason}")]
    Storage {
        /// The stage.
        stage: String,
        /// The reason, with what is allowed.
        reason: String,
    },
    /// The pipeline needs a field from the caller.
    #[error("stage '{stage}' stands for the caller's field; allowed: with Engine::apply only")]
    Given {
        /// The stage.
        stage: String,
    },
}

fn lead(widest: Option<&Widest>) -> String {
    widest.map_or_else(String::new, |widest| format!("{widest}: "))
}

fn mib(bytes: &u64) -> f64 {
    *bytes as f64 / 1_048_576.0
}

impl LayersError {
    /// Adds the stage that makes a block too large.
    pub(crate) fn because_of(mut self, stage: Option<Widest>) -> Self {
        if let LayersError::Memory { widest, .. } | LayersError::Device { widest, .. } = &mut self {
            *widest = stage;
        }
        self
    }
}

impl From<RegionError> for LayersError {
    fn from(error: RegionError) -> Self {
        LayersError::Engine(error.into())
    }
}

impl From<ProgramError> for LayersError {
    fn from(error: ProgramError) -> Self {
        LayersError::Engine(error.into())
    }
}

impl From<ScheduleError> for LayersError {
    fn from(error: ScheduleError) -> Self {
        match error {
            ScheduleError::Stage(error) => LayersError::Stage(error),
            ScheduleError::Noise { node, error } => LayersError::Noise { node, error },
        }
    }
}

/// The stage of a pipeline with the largest reach, and the parameter that determines it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("stage '{stage}': {param} = {value} reaches {reach} samples")]
#[non_exhaustive]
pub struct Widest {
    /// Name of the stage.
    pub stage: String,
    /// Name of the parameter.
    pub param: &'static str,
    /// Its value.
    pub value: Setting,
    /// Samples to either side that this stage alone reads.
    pub reach: u32,
}
