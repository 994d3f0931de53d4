//! Slots: the tables of one recorded dispatch, from recording until the device has run it.
//!
//! A caller may record any number of dispatches before submitting, so each has its own tables. They are written to a mapped buffer
//! and copied by the caller's command buffer, which also maps the buffer again when it is done. So recording submits nothing and
//! waits for nothing. It creates nothing once the number of slots equals the largest number of dispatches in flight.

use crate::frame::RegionGrid;
use crate::gpu::kernel::Kernel;
use crate::gpu::layout::GpuDispatch;
use crate::gpu::rasters::Rasters;
use crate::gpu::tables::{COUNT, TABLES, TableBinding};
use crate::gpu::{Context, GpuError, lock};
use crate::program::Tables;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// The size of a slot: bytes of each table in their order, whether each is uniform, and the id of the rasters.
type TableSizes = ([u64; COUNT], [bool; COUNT], u64);

/// The order of tables in a slot: the largest is the last. In uniform memory it has space for many more elements than are used,
/// and a copy ends with the last used element.
fn order() -> [usize; COUNT] {
    let mut order = std::array::from_fn(|binding| binding);
    order.sort_by_key(|&binding| TABLES.iter().all(|table| table.uniform_size() <= TABLES[binding].uniform_size()));
    order
}

/// Free slots, by size.
#[derive(Default)]
pub(crate) struct Slots {
    free: Arc<Mutex<HashMap<TableSizes, Vec<Slot>>>>,
}

/// Buffers and bindings of one dispatch.
pub(crate) struct Slot {
    /// Mapped while the slot is free.
    upload: wgpu::Buffer,
    tables: wgpu::Buffer,
    bind_group: wgpu::BindGroup,
    sizes: TableSizes,
    /// Whether the host's rasters still exist.
    kept: Arc<AtomicBool>,
}

/// The tables of a dispatch as bytes, in their order, and its rasters.
pub(crate) struct Load {
    tables: [Vec<u8>; COUNT],
    rasters: Rasters,
    sizes: TableSizes,
}

impl Load {
    pub fn new(kernel: &Kernel, head: GpuDispatch, tables: &Tables, grids: &[RegionGrid], rasters: Rasters) -> Self {
        let order = order();
        let bytes = |table: &TableBinding| if table.is_in_slot() { table.bytes(head, tables, grids) } else { Vec::new() };
        let tables = order.map(|binding| bytes(&TABLES[binding]));
        let uniform = order.map(|binding| kernel.uniform[binding]);
        let size = |i: usize| match &TABLES[order[i]] {
            table if table.is_in_slot() => table.binding_size(uniform[i], tables[i].len() as u64),
            _ => 0,
        };
        let sizes = (std::array::from_fn(size), uniform, rasters.id);
        Load { tables, rasters, sizes }
    }
}

impl Context {
    /// Records the upload of the tables, and returns their bind group, which only this command buffer may use.
    pub(crate) fn load(&self, kernel: &Kernel, load: &Load, encoder: &mut wgpu::CommandEncoder) -> Result<wgpu::BindGroup, GpuError> {
        let free = lock(&self.slots.free).get_mut(&load.sizes).and_then(Vec::pop);
        let slot = free.map_or_else(|| self.slot(kernel, load), Ok)?;
        let mut used = 0;
        {
            let mapped = slot.upload.get_mapped_range_mut(..);
            let mut mapped = mapped.map_err(|error| self.blamed(GpuError::Refused(error.to_string())))?;
            let mut at = 0;
            for (table, size) in load.tables.iter().zip(load.sizes.0) {
                used = at + table.len();
                mapped.slice(at..used).copy_from_slice(table);
                at += size as usize;
            }
        }
        slot.upload.unmap();
        encoder.copy_buffer_to_buffer(&slot.upload, 0, &slot.tables, 0, used as u64);
        let bind_group = slot.bind_group.clone();
        let (pool, upload) = (Arc::clone(&self.slots.free), slot.upload.clone());
        // A command buffer that is never submitted drops this closure, and with it the slot.
        encoder.map_buffer_on_submit(&upload, wgpu::MapMode::Write, .., move |mapped| {
            let mut pool = lock(&pool);
            if mapped.is_ok() && slot.kept.load(Ordering::Relaxed) {
                pool.entry(slot.sizes).or_default().push(slot);
            }
        });
        Ok(bind_group)
    }

    /// Removes slots whose rasters are gone: free ones now, others once the device has run them.
    pub(crate) fn forget_slots(&self) {
        lock(&self.slots.free).retain(|_, slots| slots.iter().all(|slot| slot.kept.load(Ordering::Relaxed)));
    }

    fn slot(&self, kernel: &Kernel, load: &Load) -> Result<Slot, GpuError> {
        let Load { sizes, rasters, .. } = load;
        let sizes = *sizes;
        use wgpu::BufferUsages as Usage;
        self.created.fetch_add(1, Ordering::Relaxed);
        let total = sizes.0.iter().sum();
        self.guarded(|| {
            let buffer = |label, usage, mapped_at_creation| {
                let descriptor = wgpu::BufferDescriptor { label: Some(label), size: total, usage, mapped_at_creation };
                self.device.create_buffer(&descriptor)
            };
            let upload = buffer("orogen upload", Usage::MAP_WRITE | Usage::COPY_SRC, true);
            let tables = buffer("orogen tables", Usage::UNIFORM | Usage::STORAGE | Usage::COPY_DST, false);
            let mut offset = 0;
            let entries: Vec<_> = order()
                .into_iter()
                .zip(sizes.0)
                .map(|(binding, size)| {
                    if !TABLES[binding].is_in_slot() {
                        return wgpu::BindGroupEntry { binding: binding as u32, resource: rasters.buffer.as_entire_binding() };
                    }
                    let binding_of = wgpu::BufferBinding { buffer: &tables, offset, size: std::num::NonZeroU64::new(size) };
                    offset += size;
                    wgpu::BindGroupEntry { binding: binding as u32, resource: wgpu::BindingResource::Buffer(binding_of) }
                })
                .collect();
            let bind_group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("orogen tables"),
                layout: &kernel.layout,
                entries: &entries,
            });
            Slot { upload, tables, bind_group, sizes, kept: Arc::clone(&rasters.kept) }
        })
    }
}
