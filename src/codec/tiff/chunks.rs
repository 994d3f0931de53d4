//! Strips and tiles: their offsets, and their rows decompressed.

use super::directory::{Directory, File};
use crate::limits::DECODER;
use std::borrow::Cow;
use std::io::{Error, ErrorKind, Read, Result};
use weezl::LzwStatus;

/// The chunks of a picture, and their compression.
pub struct Chunks<'a> {
    file: File<'a>,
    /// Columns and rows of a chunk.
    pub size: [u64; 2],
    /// Chunks per row of chunks.
    pub across: u64,
    offsets: Vec<u64>,
    lengths: Vec<u64>,
    compression: Compression,
    predictor: Predictor,
    /// Bits are stored lowest first.
    reversed: bool,
    /// Samples per pixel of a chunk.
    pub samples: u64,
    pub bits: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum Compression {
    None,
    Lzw,
    Deflate,
    PackBits,
    Zstd,
}

#[derive(Clone, Copy, PartialEq)]
enum Predictor {
    None,
    /// Each sample is stored as the difference from its predecessor.
    Horizontal,
    /// The same for the bytes of floats, beginning with the highest bytes of a row.
    Floats,
}

impl<'a> Chunks<'a> {
    /// The chunks of a directory, for the size of its picture and the bits of its samples.
    pub fn of(file: File<'a>, directory: &Directory<'_>, size: [u32; 2], bits: u64, samples: u64) -> std::result::Result<Self, String> {
        let is_planar = directory.whole(284)? == Some(2);
        let [columns, rows] = size.map(u64::from);
        let (size, offsets, lengths) = if let Some(width) = directory.whole(322)? {
            let height = directory.whole(323)?.ok_or("tiles without a height")?;
            ([width, height], directory.wholes(324)?.or(directory.wholes(273)?), directory.wholes(325)?.or(directory.wholes(279)?))
        } else {
            let height = directory.whole(278)?.unwrap_or(rows).min(rows);
            ([columns, height], directory.wholes(273)?, directory.wholes(279)?)
        };
        if size.contains(&0) {
            return Err("strips or tiles without an extent".to_owned());
        }
        let compression = match directory.whole(259)?.unwrap_or(1) {
            1 => Compression::None,
            5 => Compression::Lzw,
            8 | 32946 => Compression::Deflate,
            32773 => Compression::PackBits,
            50000 => Compression::Zstd,
            other => return Err(format!("compression {other} is not allowed; allowed: none, LZW, Deflate, PackBits and Zstandard")),
        };
        let predictor = match directory.whole(317)?.unwrap_or(1) {
            1 => Predictor::None,
            2 if matches!(bits, 8 | 16 | 32 | 64) => Predictor::Horizontal,
            3 if matches!(bits, 16 | 32 | 64) => Predictor::Floats,
            other => return Err(format!("predictor {other} is not allowed for samples of {bits} bits")),
        };
        let across = columns.div_ceil(size[0]);
        let count = across * rows.div_ceil(size[1]);
        let offsets = offsets.ok_or("neither strips nor tiles")?;
        // Some writers omit the length of a picture in one strip.
        let whole = || (offsets.len() == 1 && compression == Compression::None).then(|| vec![u64::MAX]);
        let lengths = lengths.or_else(whole).ok_or("strips or tiles without lengths")?;
        if (offsets.len() as u64) < count || lengths.len() < offsets.len() {
            return Err(format!("{} strips or tiles; allowed: {count}", offsets.len().min(lengths.len())));
        }
        let reversed = directory.whole(266)? == Some(2);
        let samples = if is_planar { 1 } else { samples };
        let chunks = Chunks { file, size, across, offsets, lengths, compression, predictor, reversed, samples, bits };
        if chunks.row_bytes() > DECODER as u64 {
            return Err(format!("a row of {} bytes in a strip or tile; allowed: up to {DECODER}", chunks.row_bytes()));
        }
        Ok(chunks)
    }

    /// Bytes per row of a chunk.
    fn row_bytes(&self) -> u64 {
        self.size[0].saturating_mul(self.samples).saturating_mul(self.bits).div_ceil(8)
    }

    /// Decompresses `rows` rows of a chunk and passes each to `row`, as little-endian numbers. Returns false if the file omits the chunk.
    pub fn rows(&self, chunk: u64, rows: u64, mut row: impl FnMut(u64, &[u8])) -> std::result::Result<bool, String> {
        let (offset, length) = (self.offsets[chunk as usize], self.lengths[chunk as usize]);
        if length == 0 || offset == 0 {
            return Ok(false);
        }
        let row_bytes = self.row_bytes();
        let length = if length == u64::MAX { row_bytes.saturating_mul(rows) } else { length };
        let packed = self.file.slice(offset, length).ok_or_else(|| format!("ends within strip or tile {chunk}"))?;
        let packed =
            if self.reversed { Cow::Owned(packed.iter().map(|byte| byte.reverse_bits()).collect()) } else { Cow::Borrowed(packed) };
        let mut unpacked = self.unpacked(&packed).map_err(|error| format!("strip or tile {chunk}: {error}"))?;
        let mut bytes = vec![0; row_bytes as usize];
        for number in 0..rows {
            unpacked.read_exact(&mut bytes).map_err(|error| match error.kind() {
                ErrorKind::UnexpectedEof => format!("strip or tile {chunk} ends in its row {number}"),
                _ => format!("strip or tile {chunk}: {error}"),
            })?;
            self.restore(&mut bytes);
            row(number, &bytes);
        }
        Ok(true)
    }

    fn unpacked<'b>(&self, packed: &'b [u8]) -> Result<Box<dyn Read + 'b>> {
        Ok(match self.compression {
            Compression::None => Box::new(packed),
            Compression::Lzw => Box::new(Lzw::new(packed)),
            Compression::Deflate => Box::new(flate2::bufread::ZlibDecoder::new(packed)),
            Compression::PackBits => Box::new(PackBits { packed, run: Run::Copied(0) }),
            Compression::Zstd => Box::new(ruzstd::decoding::StreamingDecoder::new(packed).map_err(Error::other)?),
        })
    }

    /// Undoes the predictor and the byte order of a row.
    fn restore(&self, row: &mut [u8]) {
        let each = (self.bits / 8).max(1) as usize;
        if self.predictor == Predictor::Floats {
            let samples = self.samples as usize;
            for i in samples..row.len() {
                row[i] = row[i].wrapping_add(row[i - samples]);
            }
            // The highest bytes of all numbers come first, in files of both byte orders.
            let planes = row.to_vec();
            let count = row.len() / each;
            for (k, byte) in row.iter_mut().enumerate() {
                *byte = planes[(each - 1 - k % each) * count + k / each];
            }
            return;
        }
        if self.file.big_endian && self.bits.is_multiple_of(8) {
            row.chunks_exact_mut(each).for_each(<[u8]>::reverse);
        }
        if self.predictor == Predictor::Horizontal {
            let back = each * self.samples as usize;
            for at in (back..row.len()).step_by(each) {
                let mut carry = 0;
                for k in at..at + each {
                    let sum = u16::from(row[k]) + u16::from(row[k - back]) + carry;
                    (row[k], carry) = (sum as u8, sum >> 8);
                }
            }
        }
    }
}

/// TIFF's variant of LZW. The end code may be missing.
struct Lzw<'a> {
    packed: &'a [u8],
    decoder: weezl::decode::Decoder,
}

impl<'a> Lzw<'a> {
    fn new(packed: &'a [u8]) -> Self {
        Lzw { packed, decoder: weezl::decode::Decoder::with_tiff_size_switch(weezl::BitOrder::Msb, 8) }
    }
}

impl Read for Lzw<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        loop {
            let step = self.decoder.decode_bytes(self.packed, out);
            self.packed = &self.packed[step.consumed_in..];
            match step.status {
                Ok(LzwStatus::Ok) if step.consumed_out == 0 && step.consumed_in > 0 => (),
                Err(error) if step.consumed_out == 0 => return Err(Error::new(ErrorKind::InvalidData, error)),
                _ => return Ok(step.consumed_out),
            }
        }
    }
}

/// Runs of bytes, copied or repeated.
struct PackBits<'a> {
    packed: &'a [u8],
    run: Run,
}

enum Run {
    Copied(usize),
    Repeated(u8, usize),
}

impl Read for PackBits<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        while matches!(self.run, Run::Copied(0) | Run::Repeated(_, 0)) {
            let Some((&head, rest)) = self.packed.split_first() else { return Ok(0) };
            self.packed = rest;
            match head as i8 {
                -128 => (),
                head @ 0.. => self.run = Run::Copied(head as usize + 1),
                head => {
                    let Some((&byte, rest)) = rest.split_first() else { return Ok(0) };
                    (self.packed, self.run) = (rest, Run::Repeated(byte, 1 + usize::from(head.unsigned_abs())));
                }
            }
        }
        Ok(match &mut self.run {
            Run::Copied(left) => {
                let count = (*left).min(out.len()).min(self.packed.len());
                let (copied, rest) = self.packed.split_at(count);
                out[..count].copy_from_slice(copied);
                (self.packed, *left) = (rest, *left - count);
                count
            }
            Run::Repeated(byte, left) => {
                let count = (*left).min(out.len());
                out[..count].fill(*byte);
                *left -= count;
                count
            }
        })
    }
}
