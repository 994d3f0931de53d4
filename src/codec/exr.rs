//! OpenEXR. Heights are one channel of one part, or a channel of its colours, at its largest level, with the samples of the
//! data window. Tiles are uncompressed 32-bit floats.

use super::channels::{ColourChannel, channel};
use super::heights::{Decoded, Grid, HeightEncoding, HeightsFacts, Source, sized};
#[cfg(feature = "bake")]
use super::tile::{ANY_LAYER, Coder, Placement, Shape, Storage, TileFacts, invalid};
use exr::block::UncompressedBlock;
use exr::block::reader::ChunksReader;
use exr::meta::attribute::SampleType;
use exr::meta::header::Header;
use half::f16;
use std::io::Cursor;
#[cfg(feature = "bake")]
use std::io::Result as IoResult;

pub const HEIGHTS: HeightsFacts = HeightsFacts {
    endings: &["exr"],
    allows: |encoding| encoding == HeightEncoding::File || channel(encoding).is_some(),
    has_size: true,
    decode,
};

#[cfg(feature = "bake")]
pub const TILE: TileFacts = TileFacts {
    ending: "exr",
    storage: Storage::Floats(Coder { encode: encode_tile, decode: decode_tile }),
    channels: ANY_LAYER,
    placement: Placement::File,
};

/// Names of channels of heights, in order of preference. A layer's name may precede them.
const NAMES: [&str; 2] = ["Y", "R"];
/// Names of the channels of colours. A layer's name may precede them.
const COLOURS: [&str; 4] = ["R", "G", "B", "A"];

fn decode(&Source { bytes, declared, .. }: &Source<'_>) -> Decoded {
    let failed = |error: exr::error::Error| error.to_string();
    let reader = exr::block::read(Cursor::new(bytes), false).map_err(failed)?;
    let selected = channel(declared.encoding);
    let (part, channels) = match selected {
        None => find(reader.headers())?,
        Some(ColourChannel::Stored(k)) => find_colours(reader.headers(), &COLOURS[k..=k])?,
        Some(ColourChannel::Lab(_)) => find_colours(reader.headers(), &COLOURS[..3])?,
    };
    let header = &reader.headers()[part];
    let size = sized([header.layer_size.width() as u64, header.layer_size.height() as u64])?;
    for description in channels.iter().map(|channel| &header.channels.list[*channel]) {
        if description.sampling != exr::math::Vec2(1, 1) {
            return Err(format!("channel {} has fewer samples than pixels; allowed: one for each", description.name));
        }
    }
    let kinds: Vec<SampleType> = channels.iter().map(|channel| header.channels.list[*channel].sample_type).collect();
    let (columns, count) = (size[0] as usize, size[0] as usize * size[1] as usize);
    let mut planes = vec![vec![f32::NAN; count]; channels.len()];
    let mut missing = count * channels.len();
    let wanted = |level: exr::math::Vec2<usize>| level == exr::math::Vec2(0, 0);
    let chunks = reader.filter_chunks(false, |_, tile, block| block.layer == part && wanted(tile.level_index)).map_err(failed)?;
    let mut insert = |meta: &exr::meta::MetaData, block: UncompressedBlock| {
        for line in block.lines(&meta.headers[part].channels) {
            let Some(plane) = channels.iter().position(|channel| *channel == line.location.channel) else { continue };
            let first = line.location.position.y() * columns + line.location.position.x();
            let row = planes[plane].get_mut(first..first + line.location.sample_count);
            let row = row.ok_or_else(|| exr::error::Error::Invalid("a line outside of the picture".into()))?;
            missing = missing.saturating_sub(row.len());
            let bytes = line.value;
            match kinds[plane] {
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
    let values = match (selected, &planes[..]) {
        (Some(channel @ ColourChannel::Lab(_)), [red, green, blue]) => {
            let colour = |i: usize| channel.number([red[i], green[i], blue[i], 1.0].map(f64::from));
            (0..count).map(colour).collect()
        }
        _ => planes.swap_remove(0),
    };
    Ok(Grid { size, values, place: None })
}

fn fill<const N: usize>(row: &mut [f32], bytes: &[u8], number: impl Fn([u8; N]) -> f32) {
    for (value, bytes) in row.iter_mut().zip(bytes.as_chunks::<N>().0) {
        *value = number(*bytes);
    }
}

/// Every channel of flat parts, with its part, its index and its name.
fn all(headers: &[Header]) -> impl Iterator<Item = (usize, usize, String)> {
    let flat = headers.iter().enumerate().filter(|(_, header)| !header.deep);
    flat.flat_map(|(part, header)| header.channels.list.iter().enumerate().map(move |(k, channel)| (part, k, channel.name.to_string())))
}

/// A name in capitals without that of its layer.
fn last(name: &str) -> String {
    name.rsplit('.').next().map_or(String::new(), str::to_ascii_uppercase)
}

/// The part and the index of the channel with a name, alone or after a layer's name.
fn named(headers: &[Header], wanted: &str) -> Option<(usize, usize)> {
    let exact = all(headers).find(|(.., name)| name.eq_ignore_ascii_case(wanted));
    exact.or_else(|| all(headers).find(|(.., name)| last(name) == wanted)).map(|(part, channel, _)| (part, channel))
}

/// The part and the channel of heights: a channel of a known name, else the only channel other than opacity.
fn find(headers: &[Header]) -> Result<(usize, Vec<usize>), String> {
    if let Some((part, channel)) = NAMES.iter().find_map(|wanted| named(headers, wanted)) {
        return Ok((part, vec![channel]));
    }
    let mut others = all(headers).filter(|(.., name)| last(name) != "A");
    if let (Some((part, channel, _)), None) = (others.next(), others.next()) {
        return Ok((part, vec![channel]));
    }
    Err(format!(
        "none of the channels {} is known to hold heights; allowed: Y, R, one of these after a layer's name, or a single channel",
        names_of(headers)
    ))
}

/// The part and the channels of colours with these names.
fn find_colours(headers: &[Header], wanted: &[&str]) -> Result<(usize, Vec<usize>), String> {
    let found: Vec<(usize, usize)> = wanted.iter().filter_map(|name| named(headers, name)).collect();
    match found.first() {
        Some(&(part, _)) if found.len() == wanted.len() && found.iter().all(|(of, _)| *of == part) => {
            Ok((part, found.into_iter().map(|(_, channel)| channel).collect()))
        }
        _ => Err(format!(
            "the channels {} have no {} in one part; allowed: these names, alone or after a layer's name",
            names_of(headers),
            wanted.join(", ")
        )),
    }
}

fn names_of(headers: &[Header]) -> String {
    all(headers).map(|(.., name)| name).collect::<Vec<_>>().join(", ")
}

/// The names of a tile's channels, in the order of its numbers.
#[cfg(feature = "bake")]
fn names(channels: usize) -> IoResult<&'static [&'static str]> {
    match channels {
        1 => Ok(&["Y"]),
        3 => Ok(&["R", "G", "B"]),
        4 => Ok(&["R", "G", "B", "A"]),
        channels => Err(invalid(format!("{channels} channels in an EXR file; allowed: 1, 3, 4"))),
    }
}

#[cfg(feature = "bake")]
fn encode_tile(values: &[f32], Shape { size, channels }: Shape) -> IoResult<Vec<u8>> {
    use exr::prelude::*;
    let channel = |(k, name): (usize, &&str)| {
        let values = values.iter().skip(k).step_by(channels).copied().collect();
        AnyChannel::new(*name, FlatSamples::F32(values))
    };
    let channels = AnyChannels::sort(names(channels)?.iter().enumerate().map(channel).collect());
    let encoding = Encoding { compression: Compression::Uncompressed, ..Encoding::UNCOMPRESSED };
    let layer = Layer::new((size[0] as usize, size[1] as usize), LayerAttributes::default(), encoding, channels);
    let mut out = Cursor::new(Vec::new());
    Image::from_layer(layer).write().to_buffered(&mut out).map_err(std::io::Error::other)?;
    Ok(out.into_inner())
}

/// Reads what [`encode_tile`] wrote.
#[cfg(feature = "bake")]
fn decode_tile(bytes: &[u8], Shape { channels, .. }: Shape) -> IoResult<Vec<f32>> {
    use exr::prelude::*;
    let reader = read().no_deep_data().largest_resolution_level().all_channels().first_valid_layer().all_attributes();
    let image = reader.from_buffered(Cursor::new(bytes)).map_err(std::io::Error::other)?;
    let planes = names(channels)?.iter().map(|name| {
        let channel = image.layer_data.channel_data.list.iter().find(|channel| channel.name.eq_case_insensitive(name))?;
        Some(channel.sample_data.values_as_f32().collect::<Vec<f32>>())
    });
    let planes = planes.collect::<Option<Vec<_>>>().ok_or_else(|| invalid("an EXR file of other channels"))?;
    let count = planes.first().map_or(0, Vec::len);
    Ok((0..count).flat_map(|i| planes.iter().map(move |plane| plane[i])).collect())
}
