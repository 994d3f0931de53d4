//! OpenEXR: one channel of one part, at its largest level. The samples are those of the data window.

use super::{Decoded, Grid, sized};
use exr::block::UncompressedBlock;
use exr::block::reader::ChunksReader;
use exr::meta::attribute::SampleType;
use exr::meta::header::Header;
use half::f16;
use std::io::Cursor;

/// Channels that hold heights, the first of them that there is; with a layer's name before them too.
const NAMES: [&str; 2] = ["Y", "R"];

pub fn decode(bytes: &[u8]) -> Decoded {
    let failed = |error: exr::error::Error| error.to_string();
    let reader = exr::block::read(Cursor::new(bytes), false).map_err(failed)?;
    let (part, channel) = find(reader.headers())?;
    let header = &reader.headers()[part];
    let size = sized([header.layer_size.width() as u64, header.layer_size.height() as u64])?;
    let description = &header.channels.list[channel];
    if description.sampling != exr::math::Vec2(1, 1) {
        return Err(format!("channel {} has fewer samples than pixels; allowed: one for each", description.name));
    }
    let (kind, columns) = (description.sample_type, size[0] as usize);
    let mut values = vec![f32::NAN; columns * size[1] as usize];
    let mut missing = values.len();
    let wanted = |level: exr::math::Vec2<usize>| level == exr::math::Vec2(0, 0);
    let chunks = reader.filter_chunks(false, |_, tile, block| block.layer == part && wanted(tile.level_index)).map_err(failed)?;
    let mut insert = |meta: &exr::meta::MetaData, block: UncompressedBlock| {
        for line in block.lines(&meta.headers[part].channels).filter(|line| line.location.channel == channel) {
            let first = line.location.position.y() * columns + line.location.position.x();
            let row = values.get_mut(first..first + line.location.sample_count);
            let row = row.ok_or_else(|| exr::error::Error::Invalid("a line outside of the picture".into()))?;
            missing = missing.saturating_sub(row.len());
            let bytes = line.value;
            match kind {
                SampleType::F16 => fill(row, bytes, |two| f16::from_ne_bytes(two).to_f32()),
                SampleType::F32 => fill(row, bytes, f32::from_ne_bytes),
                SampleType::U32 => fill(row, bytes, |four| u32::from_ne_bytes(four) as f32),
            }
        }
        Ok(())
    };
    chunks.decompress_sequential(false, &mut insert).map_err(failed)?;
    if missing > 0 {
        return Err(format!("{missing} samples are missing"));
    }
    Ok(Grid { size, values, place: None })
}

fn fill<const N: usize>(row: &mut [f32], bytes: &[u8], number: impl Fn([u8; N]) -> f32) {
    for (value, bytes) in row.iter_mut().zip(bytes.as_chunks::<N>().0) {
        *value = number(*bytes);
    }
}

/// The part and the channel that hold heights: by the names that are known, else the only channel there is besides opacity.
fn find(headers: &[Header]) -> Result<(usize, usize), String> {
    let all = || {
        let flat = headers.iter().enumerate().filter(|(_, header)| !header.deep);
        flat.flat_map(|(part, header)| header.channels.list.iter().enumerate().map(move |(k, channel)| (part, k, channel.name.to_string())))
    };
    let last = |name: &str| name.rsplit('.').next().map_or(String::new(), str::to_ascii_uppercase);
    for wanted in NAMES {
        let exact = all().find(|(.., name)| name.eq_ignore_ascii_case(wanted));
        if let Some((part, channel, _)) = exact.or_else(|| all().find(|(.., name)| last(name) == wanted)) {
            return Ok((part, channel));
        }
    }
    let mut others = all().filter(|(.., name)| last(name) != "A");
    if let (Some((part, channel, _)), None) = (others.next(), others.next()) {
        return Ok((part, channel));
    }
    let names: Vec<String> = all().map(|(.., name)| name).collect();
    Err(format!(
        "none of the channels {} is known to hold heights; allowed: Y, R, one of these after a layer's name, or a single channel",
        names.join(", ")
    ))
}
