//! A noise as a compute shader that writes planes of samples into textures, for devices that another program owns, such as those of
//! a web page.

use crate::export::source::{declarations, reachable};
use crate::export::{ExportError, Language, Table, header, joined};
use crate::gpu::{GpuDispatch, KernelMemory, Output, SamplesPerCall, TABLES, TableBinding, TableSource, emit_kernel};
use crate::graph::Noise;
use crate::graph::lower::check_gradients;
use crate::program::Program;
use crate::region::{Region, RegionError};
use crate::texel::Content;
use glam::UVec3;
use wgpu::{TextureFormat, TextureViewDimension};

/// A binding of a [`PlaneShader`] in group 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneBinding {
    /// Its number.
    pub binding: u32,
    /// Whether it is a uniform buffer; else it is a storage buffer that the shader reads.
    pub uniform: bool,
    /// The smallest size of its buffer in bytes. A table may be shorter: the rest is not read.
    pub size: u64,
}

/// A noise as a WGSL compute shader that writes a plane of samples into a storage texture. It has the coordinates and operations of
/// [`Engine::texture`](crate::Engine::texture), so the bits are the same unless the device's driver fuses operations.
///
/// | binding | contents |
/// |---|---|
/// | group 0, [`bindings`](Self::bindings) | the tables: [`tables`](Self::tables) for every region, [`rasters`](Self::rasters) |
/// | group 1, binding 0 | the texture, of the given format, written at texels from (0, 0) on |
///
/// The entry point is `main`, its numbers of workgroups are [`groups`](Self::groups).
///
/// ```
/// use orogen::export::PlaneShader;
/// use orogen::node::Simplex;
/// use orogen::texture::Content;
/// use orogen::{Noise, Region};
///
/// let hills = |wavelength| Noise::simplex(Simplex { wavelength, ..Default::default() });
/// let mut shader = PlaneShader::new(&hills(300.0), Content::Value, orogen::wgpu::TextureFormat::R32Float)?;
/// let region = Region::plane(1024, 1024);
/// assert!(shader.text().contains("fn main("));
/// assert!(shader.tables(&region)?.iter().all(|table| shader.bindings().iter().any(|known| known.binding == table.binding)));
/// // Other numbers need no other shader.
/// assert!(shader.renew(&hills(500.0))?);
/// # Ok::<(), orogen::export::ExportError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlaneShader {
    program: Program,
    output: Output,
    memory: KernelMemory,
    text: String,
    shape: String,
    bindings: Vec<PlaneBinding>,
    samples_per_thread: u32,
}

impl PlaneShader {
    /// Writes the shader of a noise, for textures of a format.
    ///
    /// # Errors
    /// Returns an error if the noise is invalid, if the format cannot hold the content, or if the content needs gradients that the
    /// noise does not have.
    pub fn new(noise: &Noise, content: Content, format: TextureFormat) -> Result<Self, ExportError> {
        let output = Output::Texels { content, format, dimension: TextureViewDimension::D2 };
        let program = lowered(noise, output)?;
        let memory = KernelMemory::of(&program.tables, MOST_UNIFORM);
        let rows = SamplesPerCall::GPU;
        content.layout(format)?;
        let whole = emit_kernel(&program.structure, &program.outputs, output, memory, None, rows)
            .map_err(|error| ExportError::Translation { language: Language::Wgsl, message: error.to_string() })?;
        let kept = reachable(&declarations(&whole), &["main"]);
        let is_read = |name: &str| kept.iter().any(|declaration| declaration.kind == "var" && declaration.name == name);
        let uniform = memory.uniform(output);
        let bindings = (0..).zip(&TABLES).zip(uniform).filter(|((_, table), _)| is_read(table.name)).map(|((binding, table), uniform)| {
            PlaneBinding { binding, uniform, size: if uniform { table.uniform_size() } else { table.size } }
        });
        let (bindings, text) = (bindings.collect(), joined(&kept));
        let samples_per_thread = output.along_x(&program.structure, None, rows);
        Ok(PlaneShader { shape: header::shape(&text), program, output, memory, text, bindings, samples_per_thread })
    }

    /// The shader as WGSL.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Identifies the text: shaders of the same shape differ in their tables only.
    pub fn shape(&self) -> &str {
        &self.shape
    }

    /// The bindings of group 0 that the shader reads.
    pub fn bindings(&self) -> &[PlaneBinding] {
        &self.bindings
    }

    /// Numbers of workgroups for a plane of this many samples along x and y.
    pub fn groups(&self, [width, height]: [u32; 2]) -> [u32; 2] {
        let [x, y, _] = self.output.workgroup();
        [width.div_ceil(x * self.samples_per_thread), height.div_ceil(y)]
    }

    /// Takes the numbers of a noise of the same shape, without writing the text again. Returns false if the noise has another shape,
    /// and changes nothing then.
    ///
    /// # Errors
    /// Returns an error if the noise is invalid, or if gradients are needed that it does not have.
    pub fn renew(&mut self, noise: &Noise) -> Result<bool, ExportError> {
        let program = lowered(noise, self.output)?;
        let memory = KernelMemory::of(&program.tables, MOST_UNIFORM);
        let fits = memory == self.memory && program.structure == self.program.structure && program.outputs == self.program.outputs;
        if fits {
            self.program = program;
        }
        Ok(fits)
    }

    /// The contents of the buffers for a region, except those of rasters. The region has one sample along z.
    ///
    /// # Errors
    /// Returns an error if the region is invalid, or does not suit the noise.
    pub fn tables(&self, region: &Region) -> Result<Vec<Table>, ExportError> {
        region.check()?;
        let size = region.size;
        if size[2] != 1 || size.iter().any(|&edge| edge > LARGEST_EDGE) {
            return Err(RegionError::new("size", format!("{size:?}"), "1 to 65535 samples along x and y, 1 along z").into());
        }
        let grids = self.program.grids(region)?;
        let head = GpuDispatch::plain(UVec3::from(size), 0);
        let tables = self.bound().filter(|(_, table)| !matches!(table.source, TableSource::Rasters));
        Ok(tables.map(|(binding, table)| contents(binding, table, &table.bytes(head, &self.program.tables, &grids))).collect())
    }

    /// The contents of the buffer with the samples of all rasters; `None` if the noise has none.
    pub fn rasters(&self) -> Option<Table> {
        let (binding, table) = self.bound().find(|(_, table)| matches!(table.source, TableSource::Rasters))?;
        (!self.program.tables.rasters.is_empty())
            .then(|| contents(binding, table, &table.bytes(GpuDispatch::plain(UVec3::ONE, 0), &self.program.tables, &[])))
    }

    /// The tables that the shader reads.
    fn bound(&self) -> impl Iterator<Item = (u32, &'static TableBinding)> {
        self.bindings.iter().map(|known| (known.binding, &TABLES[known.binding as usize]))
    }
}

/// The size in bytes of uniform buffers that every device can bind.
const MOST_UNIFORM: u64 = 65_536;

/// The largest edge of a plane: coordinates advance by indices of 16 bits.
const LARGEST_EDGE: u32 = 65_535;

fn lowered(noise: &Noise, output: Output) -> Result<Program, ExportError> {
    if output.gradient().is_wanted() {
        check_gradients(noise.graph())?;
    }
    Ok(Program::new(noise.graph())?)
}

fn contents(binding: u32, table: &TableBinding, bytes: &[u8]) -> Table {
    Table { name: table.name.to_owned(), group: 0, binding, stride: table.size as u32, words: bytemuck::pod_collect_to_vec(bytes) }
}
