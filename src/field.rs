//! Results: values and gradients on a region, and layers of pipelines.

use crate::region::Region;

/// Values on a region, x fastest, then y, then z.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The region of the samples.
    pub region: Region,
    /// One value per sample.
    pub values: Vec<f32>,
    /// One gradient per sample (per world unit), if requested.
    pub gradients: Option<Vec<[f32; 3]>>,
}

/// Whether gradients are computed as well. They take 1.5 to 2 times as long as values alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Gradient {
    /// Values alone.
    #[default]
    Without,
    /// Values and gradients.
    With,
}

impl Gradient {
    /// Whether this is [`With`](Self::With).
    pub fn is_wanted(self) -> bool {
        self == Gradient::With
    }
}

/// The value at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The value; an f32 widened, except from the oracle.
    pub value: f64,
    /// The gradient per world unit, if requested.
    pub gradient: Option<[f64; 3]>,
}

impl Field {
    /// Smallest and largest value.
    pub fn extent(&self) -> [f32; 2] {
        self.values.iter().fold([f32::INFINITY, f32::NEG_INFINITY], |[lo, hi], &x| [lo.min(x), hi.max(x)])
    }
}

/// A layer of a pipeline on a region.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// The stage, one of its outputs (`stage.water`), or the node.
    pub name: String,
    /// The region of the samples.
    pub region: Region,
    /// Numbers per sample: 1, 3 for a normal, 4 for a colour (linear red, green, blue, opacity).
    pub channels: usize,
    /// The numbers: the channels of a sample are contiguous, x fastest.
    pub values: Vec<f32>,
}

/// A layer of one channel without a name; gradients are dropped.
impl From<Field> for Layer {
    fn from(Field { region, values, .. }: Field) -> Self {
        Layer { name: String::new(), region, channels: 1, values }
    }
}

impl Layer {
    #[cfg(feature = "bake")]
    pub(crate) fn new(name: &str, field: Field) -> Self {
        Layer { name: name.to_owned(), ..field.into() }
    }

    /// The samples of a region inside this one.
    pub(crate) fn part(&self, region: &Region) -> Layer {
        let [x, y] = [0, 1].map(|a| (region.origin[a] - self.region.origin[a]) as usize);
        let [width, columns] = [self.region.size[0], region.size[0]].map(|n| n as usize * self.channels);
        let rows = self.values.chunks_exact(width).skip(y).take(region.size[1] as usize);
        let values = rows.flat_map(|row| &row[x * self.channels..][..columns]).copied().collect();
        Layer { name: self.name.clone(), region: *region, channels: self.channels, values }
    }

    /// Smallest and largest number.
    pub fn extent(&self) -> [f32; 2] {
        self.values.iter().fold([f32::INFINITY, f32::NEG_INFINITY], |[lo, hi], &x| [lo.min(x), hi.max(x)])
    }
}

/// Values, and gradients if requested, in memory order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples<R> {
    /// One value per sample.
    pub values: Vec<R>,
    /// One gradient per sample, per world unit.
    pub gradients: Option<Vec<[R; 3]>>,
}

impl Samples<f32> {
    /// Zeros, in pages that the system provides as they are written: [`Samples::place`] writes all of them.
    pub(crate) fn blank(region: &Region, outputs: usize, gradient: bool) -> Self {
        let count = region.samples() as usize * outputs;
        Samples { values: vec![0.0; count], gradients: gradient.then(|| vec![[0.0; 3]; count]) }
    }

    /// Copies a part of a region to its place. The values of a sample, one per output, are contiguous.
    pub(crate) fn place(&mut self, region: &Region, outputs: usize, part: &Region, at: [u32; 3], got: &[f32]) {
        let [width, height, _] = region.size.map(|s| s as usize);
        let [part_width, part_height, _] = part.size.map(|s| s as usize);
        let [width, part_width, first] = [width, part_width, at[0] as usize].map(|samples| samples * outputs);
        let stride = if self.gradients.is_some() { 4 } else { 1 };
        for (row, numbers) in got.chunks_exact(part_width * stride).enumerate() {
            let (y, z) = (row % part_height + at[1] as usize, row / part_height + at[2] as usize);
            let start = (z * height + y) * width + first;
            let values = &mut self.values[start..start + part_width];
            match &mut self.gradients {
                None => values.copy_from_slice(numbers),
                Some(gradients) => {
                    for ((value, gradient), jet) in values.iter_mut().zip(&mut gradients[start..]).zip(numbers.as_chunks::<4>().0) {
                        *value = jet[0];
                        *gradient = [jet[1], jet[2], jet[3]];
                    }
                }
            }
        }
    }
}
