//! Tiles of the Shuttle Radar Topography Mission: big-endian 16-bit integers in metres, north at the top, without a header. The
//! name states the degrees of the south-west corner, as in `N47E008.hgt`. Samples lie on all four edges.

use super::heights::{Decoded, Georeference, Grid, HeightsFacts, Source, nothing_declared, sized};

pub const HEIGHTS: HeightsFacts = HeightsFacts { endings: &["hgt"], allows: nothing_declared, has_size: true, decode };

/// The value of a cell without a height.
const VOID: i16 = i16::MIN;

fn decode(&Source { name, bytes, .. }: &Source<'_>) -> Decoded {
    let count = bytes.len() / 2;
    let rows = count.isqrt();
    // Some tiles near the poles have half the columns.
    let [columns, rows] = if rows * rows == count { [rows, rows] } else { [1801, 3601] };
    if bytes.len() != columns * rows * 2 || bytes.is_empty() {
        return Err(format!("{} bytes are not an SRTM tile; allowed: squares of 16-bit integers, or 1801 × 3601 of them", bytes.len()));
    }
    let size = sized([columns as u64, rows as u64])?;
    let height = |two: &[u8; 2]| match i16::from_be_bytes(*two) {
        VOID => f32::NAN,
        height => f32::from(height),
    };
    Ok(Grid { size, values: bytes.as_chunks::<2>().0.iter().map(height).collect(), place: place(name, size) })
}

/// The position of a tile in degrees; `None` if the name does not state it.
fn place(name: &str, size: [u32; 2]) -> Option<Georeference> {
    let file = name.rsplit(['/', '\\']).next()?.to_ascii_uppercase();
    let (latitude, longitude) = file.split('.').next()?.split_at_checked(3)?;
    let degrees = |text: &str, positive: char, negative: char| {
        let sign = match text.chars().next()? {
            letter if letter == positive => 1.0,
            letter if letter == negative => -1.0,
            _ => return None,
        };
        Some(sign * f64::from(text[1..].parse::<u16>().ok()?))
    };
    let south_west = [degrees(longitude, 'E', 'W')?, degrees(latitude, 'N', 'S')?];
    let steps = size.map(|edge| f64::from(edge.max(2) - 1));
    Some(Georeference { position: [south_west[0], south_west[1] + 1.0], spacing: [1.0 / steps[0], -1.0 / steps[1]] })
}
