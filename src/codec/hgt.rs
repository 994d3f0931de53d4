//! Tiles of the Shuttle Radar Topography Mission: big-endian 16-bit integers in metres, north at the top, without a header. The name has the
//! degrees of the south-west corner, `N47E008.hgt`, and both edges have samples.

use super::{Decoded, Georeference, Grid, sized};

/// The value of a cell without a height.
const VOID: i16 = i16::MIN;

pub fn decode(name: &str, bytes: &[u8]) -> Decoded {
    let count = bytes.len() / 2;
    let rows = count.isqrt();
    // Towards the poles some have half as many columns.
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

/// Where a tile lies, in degrees; `None` if its name does not say so.
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
