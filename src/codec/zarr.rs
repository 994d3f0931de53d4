//! A file of 8 × 8 chunks of an array, a shard of Zarr's codec *sharding-indexed*. The bytes depend on the samples only: chunks
//! are in their order with any number of threads, and numbers are little endian.

use super::tile::{ANY_LAYER, Coder, Placement, Storage, TileFacts};
use std::io::{Error, ErrorKind, Result};
use std::num::NonZeroU64;
use std::sync::Arc;
use zarrs::array::codec::array_to_bytes::sharding::{ShardingCodec, ShardingCodecBuilder};
use zarrs::array::codec::{ArrayToBytesCodecTraits, BytesCodec, CodecOptions, Crc32cCodec, ZstdCodec};
use zarrs::array::{ArrayBytes, ChunkRepresentation, DataType, FillValue};

/// Chunks along the edge of a file.
pub(crate) const CHUNKS: u32 = 8;
/// Zstandard's default level: a tenth of the time of the highest levels, for nearly the same size.
const COMPRESSION: i32 = 3;

pub const TILE: TileFacts = TileFacts {
    ending: "zarr",
    storage: Storage::Floats(Coder {
        encode: |values, shape| FileCodec::new(shape.size[0], shape.channels)?.encode(values),
        decode: |bytes, shape| FileCodec::new(shape.size[0], shape.channels)?.decode(bytes),
    }),
    channels: ANY_LAYER,
    placement: Placement::Array,
};

/// Encodes and decodes the files of an array.
pub(crate) struct FileCodec {
    chunk: Vec<NonZeroU64>,
    file: ChunkRepresentation,
}

fn invalid(what: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}

impl FileCodec {
    /// The codec of files with a number of samples along each edge, and a number of channels.
    ///
    /// # Errors
    /// Returns an error if the edge is not a multiple of [`CHUNKS`].
    pub fn new(edge: u32, channels: usize) -> Result<Self> {
        let shape = |edge: u32| -> Option<Vec<NonZeroU64>> {
            let edge = NonZeroU64::new(u64::from(edge))?;
            let deep = NonZeroU64::new(channels as u64).filter(|deep| deep.get() > 1);
            Some([Some(edge), Some(edge), deep].into_iter().flatten().collect())
        };
        let uncut = || Error::new(ErrorKind::InvalidInput, format!("a file of {edge} samples; allowed: a multiple of {CHUNKS}"));
        let chunk = shape(edge / CHUNKS).filter(|_| edge.is_multiple_of(CHUNKS)).ok_or_else(uncut)?;
        let file = ChunkRepresentation::new(shape(edge).ok_or_else(uncut)?, DataType::Float32, FillValue::from(f32::NAN));
        Ok(FileCodec { chunk, file: file.map_err(Error::other)? })
    }

    /// The codec for the metadata of an array.
    pub fn sharding(&self) -> ShardingCodec {
        let mut builder = ShardingCodecBuilder::new(self.chunk.clone().into());
        builder
            .array_to_bytes_codec(Arc::new(BytesCodec::little()))
            .bytes_to_bytes_codecs(vec![Arc::new(ZstdCodec::new(COMPRESSION, false)), Arc::new(Crc32cCodec::new())])
            .index_array_to_bytes_codec(Arc::new(BytesCodec::little()));
        builder.build()
    }

    /// Encodes a file. Chunks of the fill value only, which lie beyond the world's edge, are omitted.
    pub fn encode(&self, values: &[f32]) -> Result<Vec<u8>> {
        let bytes = ArrayBytes::from(bytemuck::cast_slice::<f32, u8>(values));
        let encoded = self.sharding().encode(bytes, &self.file, &options()).map_err(invalid_codec)?;
        Ok(encoded.into_owned())
    }

    /// Decodes the samples of a file.
    ///
    /// # Errors
    /// Returns an error if the file is damaged or of another format.
    pub fn decode(&self, bytes: &[u8]) -> Result<Vec<f32>> {
        check_index(bytes)?;
        let decoded = self.sharding().decode(bytes.into(), &self.file, &options()).map_err(invalid_codec)?;
        let decoded = decoded.into_fixed().map_err(invalid_codec)?;
        Ok(decoded.as_chunks::<4>().0.iter().map(|four| f32::from_ne_bytes(*four)).collect())
    }
}

fn invalid_codec(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    invalid(error)
}

/// One thread: with more, the order of chunks depends on timing.
fn options() -> CodecOptions {
    CodecOptions::builder().concurrent_target(1).build()
}

/// Refuses an index that points outside the file. The sum of offset and size would overflow in the crate.
fn check_index(bytes: &[u8]) -> Result<()> {
    let index = (CHUNKS * CHUNKS) as usize * 16;
    let end = bytes.len().checked_sub(index + 4).ok_or_else(|| invalid("is shorter than its index"))?;
    for entry in bytes[end..end + index].as_chunks::<16>().0 {
        let [offset, size] = [0, 8].map(|from| entry[from..].first_chunk::<8>().map_or(u64::MAX, |eight| u64::from_le_bytes(*eight)));
        let inside = offset.checked_add(size).is_some_and(|last| last <= end as u64);
        if !inside && [offset, size] != [u64::MAX; 2] {
            return Err(invalid("has an index that leads out of the file"));
        }
    }
    Ok(())
}
