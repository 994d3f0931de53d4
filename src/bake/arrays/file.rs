//! A file of 8 × 8 chunks of an array: what Zarr's codec *sharding-indexed* calls a shard. Bytes follow from the samples alone: chunks stand in
//! their order whatever the threads, numbers are little endian.

use std::io::{Error, ErrorKind, Result};
use std::num::NonZeroU64;
use std::sync::Arc;
use zarrs::array::codec::array_to_bytes::sharding::{ShardingCodec, ShardingCodecBuilder};
use zarrs::array::codec::{ArrayToBytesCodecTraits, BytesCodec, CodecOptions, Crc32cCodec, ZstdCodec};
use zarrs::array::{ArrayBytes, ChunkRepresentation, DataType, FillValue};

/// Chunks along the edge of a file.
pub(crate) const CHUNKS: u32 = 8;
/// Zstandard's own middle: a tenth of the time of its highest levels, nearly their size.
const COMPRESSION: i32 = 3;

/// How samples become files, and come back.
pub(crate) struct FileCodec {
    chunk: Vec<NonZeroU64>,
    file: ChunkRepresentation,
}

fn invalid(what: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}

impl FileCodec {
    /// Of files of so many samples along an edge, and so many channels.
    ///
    /// # Errors
    /// An edge that cannot be cut.
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

    /// The codec as an array's description has it.
    pub fn sharding(&self) -> ShardingCodec {
        let mut builder = ShardingCodecBuilder::new(self.chunk.clone().into());
        builder
            .array_to_bytes_codec(Arc::new(BytesCodec::little()))
            .bytes_to_bytes_codecs(vec![Arc::new(ZstdCodec::new(COMPRESSION, false)), Arc::new(Crc32cCodec::new())])
            .index_array_to_bytes_codec(Arc::new(BytesCodec::little()));
        builder.build()
    }

    /// A file's bytes. Chunks of nothing but the fill value, which lie beyond the world's edge, are left out.
    pub fn encode(&self, values: &[f32]) -> Result<Vec<u8>> {
        let bytes = ArrayBytes::from(bytemuck::cast_slice::<f32, u8>(values));
        let encoded = self.sharding().encode(bytes, &self.file, &options()).map_err(invalid_codec)?;
        Ok(encoded.into_owned())
    }

    /// The samples in a file.
    ///
    /// # Errors
    /// It is no such file, or not what was written.
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

/// One thread: with more of them, chunks would stand in the order in which they are done.
fn options() -> CodecOptions {
    CodecOptions::builder().concurrent_target(1).build()
}

/// Refuses an index that leads out of the file, which the crate would add up beyond the largest number.
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
