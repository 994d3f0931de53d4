//! Recording into a caller's command encoder. It neither submits nor waits, and creates nothing after warm-up.

use crate::frame::RegionGrid;
use crate::gpu::layout::GpuDispatch;
use crate::gpu::record::slot::Load;
use crate::gpu::stream::map;
use crate::gpu::wgsl::output::POINTS_ALONG;
use crate::gpu::{Context, Failure, GpuError, Output, PointsTarget, RequestError, Target, foreign};
use crate::program::Program;
use crate::region::Region;
use crate::texel::Mapping;
use glam::UVec3;

impl Context {
    /// The device and its queue.
    pub(crate) fn handles(&self) -> (&wgpu::Device, &wgpu::Queue) {
        (&self.device, &self.queue)
    }

    /// Compiles the kernel of a program.
    pub(crate) fn compile_now(&self, program: &Program, output: Output) -> Result<(), Failure> {
        self.kernel(program, output).map(|_| ())
    }

    pub(crate) fn create_texture(&self, descriptor: &wgpu::TextureDescriptor<'_>) -> Result<wgpu::Texture, Failure> {
        if !self.device.features().contains(descriptor.format.required_features()) {
            self.layout_of(&crate::texel::TexelEncoding::default(), descriptor.format)?;
        }
        let texture = self.guarded(|| self.device.create_texture(descriptor))?;
        self.alive()?;
        Ok(texture)
    }

    pub(crate) fn encoder(&self) -> wgpu::CommandEncoder {
        self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("orogen") })
    }

    /// Submits the commands of this context's own encoder, which may use objects of a caller.
    pub(crate) fn submit(&self, encoder: wgpu::CommandEncoder) -> Result<wgpu::SubmissionIndex, Failure> {
        let index = self.guarded(|| self.queue.submit([encoder.finish()])).map_err(foreign)?;
        self.alive()?;
        Ok(index)
    }

    /// Reads the bytes of a mip level, rows without padding.
    pub(crate) fn read_texture(&self, texture: &wgpu::Texture, mip: u32) -> Result<Vec<u8>, Failure> {
        if !texture.usage().contains(wgpu::TextureUsages::COPY_SRC) {
            return Err(RequestError::Usage { what: "texture", usage: "COPY_SRC" }.into());
        }
        let format = texture.format();
        let Some(texel) = format.block_copy_size(None).filter(|_| format.block_dimensions() == (1, 1)) else {
            let allowed = "formats of one aspect that are not compressed".to_owned();
            return Err(RequestError::not_allowed("format of a texture to read", format!("{format:?}"), allowed).into());
        };
        let along = |size: u32| (size >> mip.min(31)).max(1);
        let deep = texture.dimension() == wgpu::TextureDimension::D3;
        let layers = texture.depth_or_array_layers();
        let size = wgpu::Extent3d {
            width: along(texture.width()),
            height: along(texture.height()),
            depth_or_array_layers: if deep { along(layers) } else { layers },
        };
        let row = u64::from(size.width) * u64::from(texel);
        let padded = row.next_multiple_of(u64::from(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT));
        let rows = u64::from(size.height) * u64::from(size.depth_or_array_layers);
        self.alive()?;
        let bytes = padded * rows;
        let buffer = self.spare("orogen readback", bytes, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST)?;
        let mut encoder = self.encoder();
        let source = wgpu::TexelCopyTextureInfo { mip_level: mip, ..texture.as_image_copy() };
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: u32::try_from(padded).ok(), rows_per_image: Some(size.height) };
        encoder.copy_texture_to_buffer(source, wgpu::TexelCopyBufferInfo { buffer: &buffer, layout }, size);
        let submission = self.submit(encoder)?;
        self.wait(&map(&buffer, bytes), &submission)?;
        let view = buffer.get_mapped_range(..bytes).map_err(|error| GpuError::Refused(error.to_string()))?;
        let mut texels = Vec::with_capacity((row * rows) as usize);
        for line in view.chunks_exact(padded as usize) {
            texels.extend_from_slice(&line[..row as usize]);
        }
        drop(view);
        buffer.unmap();
        self.keep([buffer]);
        Ok(texels)
    }

    /// Records a region of a noise.
    pub(crate) fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        program: &Program,
        region: &Region,
        target: &Target,
    ) -> Result<(), Failure> {
        self.check()?;
        let at = target.fitted(region)?;
        target.encoding.check()?;
        let plain = GpuDispatch::plain(UVec3::from(region.size), 0);
        let head = target.layout.map_or(plain, |layout| {
            let Mapping { scale, offset, strength } = target.encoding.mapping(layout, program.range);
            GpuDispatch { at: UVec3::from(at), scale, offset, strength, ..plain }
        });
        self.record(encoder, program, &program.grids(region)?, head, &target.bind_group, target.output, region.size)
    }

    /// Records the first `count` points of a target, for an anchored program.
    pub(crate) fn encode_points(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        program: &Program,
        anchor: [f64; 3],
        target: &PointsTarget,
        count: u32,
    ) -> Result<(), Failure> {
        self.check()?;
        if count > target.capacity {
            let allowed = format!("at most {}, as the buffers have room for", target.capacity);
            return Err(RequestError::not_allowed("number of points", count, allowed).into());
        }
        let head = GpuDispatch::plain(UVec3::new(count, 1, 1), target.stride);
        let lines = [count.min(POINTS_ALONG), count.div_ceil(POINTS_ALONG), 1];
        self.record(encoder, program, &program.anchored_grids(anchor)?, head, &target.bind_group, target.output, lines)
    }

    #[expect(clippy::too_many_arguments, reason = "one dispatch is all of these, and only these two callers bring them")]
    fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        program: &Program,
        grids: &[RegionGrid],
        head: GpuDispatch,
        output: &wgpu::BindGroup,
        kind: Output,
        size: [u32; 3],
    ) -> Result<(), Failure> {
        let kernel = self.kernel(program, kind)?;
        let rasters = self.rasters(&program.tables.rasters)?;
        let tables = self.load(&kernel, &Load::new(&kernel, head, &program.tables, grids, rasters), encoder)?;
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some(kind.label()), timestamp_writes: None });
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, &tables, &[]);
        pass.set_bind_group(1, output, &[]);
        let [x, y, z] = kernel.groups(size);
        pass.dispatch_workgroups(x, y, z);
        Ok(())
    }
}
