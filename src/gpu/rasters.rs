//! Rasters on the device: uploaded once, and kept as long as the host's rasters exist.

use crate::gpu::tables::{TABLES, TableSource};
use crate::gpu::{Context, Failure, RequestError, layout, lock};
use crate::raster::Surface;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use wgpu::BufferUsages as Usage;

/// The rasters of programs, on the device.
#[derive(Default)]
pub(crate) struct DeviceRasters {
    all: Mutex<Vec<RasterEntry>>,
    made: AtomicU64,
}

struct RasterEntry {
    /// The rasters' numbers on the host, in order.
    of: Vec<Weak<[f32]>>,
    rasters: Rasters,
}

/// A buffer with the numbers of a program's rasters, in sequence.
#[derive(Clone)]
pub(crate) struct Rasters {
    pub buffer: wgpu::Buffer,
    /// A unique identifier.
    pub id: u64,
    /// False once the host's rasters are gone. Slots with the buffer are then discarded.
    pub kept: Arc<AtomicBool>,
}

impl RasterEntry {
    fn is_of(&self, rasters: &[Surface]) -> bool {
        let same = |(ours, raster): (&Weak<[f32]>, &Surface)| ours.upgrade().is_some_and(|ours| Arc::ptr_eq(&ours, &raster.values));
        self.of.len() == rasters.len() && self.of.iter().zip(rasters).all(same)
    }

    /// Whether all of the host's rasters still exist.
    fn is_alive(&self) -> bool {
        self.of.iter().all(|of| of.strong_count() > 0)
    }
}

impl Context {
    /// The buffer with these rasters. An empty one is also bound if kernels read none.
    ///
    /// # Errors
    /// Returns an error if the rasters exceed what the device can bind, or its memory.
    pub(crate) fn rasters(&self, rasters: &[Surface]) -> Result<Rasters, Failure> {
        let mut all = lock(&self.rasters.all);
        if let Some(entry) = all.iter().find(|entry| entry.is_of(rasters)) {
            return Ok(entry.rasters.clone());
        }
        let gone: Vec<RasterEntry> = all.extract_if(.., |entry| !entry.is_alive()).collect();
        if !gone.is_empty() {
            gone.iter().for_each(|entry| entry.rasters.kept.store(false, Ordering::Relaxed));
            self.forget_slots();
        }
        let table = TABLES.iter().find(|table| matches!(table.source, TableSource::Rasters)).expect("invariant: rasters have a table");
        let samples: usize = rasters.iter().map(|raster| raster.values.len()).sum();
        let size = (4 * samples as u64).max(table.uniform_size());
        let limits = self.device.limits();
        let most = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        if size > most {
            let allowed = format!("{} on this device, all rasters of a noise together", most / 4);
            return Err(RequestError::not_allowed("number of samples of rasters", samples, allowed).into());
        }
        let buffer = self.guarded(|| self.buffer("orogen rasters", size, Usage::UNIFORM | Usage::STORAGE | Usage::COPY_DST))?;
        self.guarded(|| {
            let mut at = 0;
            for raster in rasters {
                let bytes = layout::height_bytes(raster);
                self.queue.write_buffer(&buffer, at, bytes);
                at += bytes.len() as u64;
            }
        })?;
        let id = self.rasters.made.fetch_add(1, Ordering::Relaxed);
        let made = Rasters { buffer, id, kept: Arc::new(AtomicBool::new(true)) };
        all.push(RasterEntry { of: rasters.iter().map(|raster| Arc::downgrade(&raster.values)).collect(), rasters: made.clone() });
        Ok(made)
    }
}
