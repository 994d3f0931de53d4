//! Tags of GeoTIFF and GDAL: placement, nodata value, scale and offset.

use super::directory::Directory;
use crate::codec::Georeference;

/// The conversion of stored numbers to heights in GDAL's metadata: `number · scale + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub scale: f64,
    pub offset: f64,
}

/// The scale and offset of the first band; `None` if the file has neither.
pub fn scale(directory: &Directory<'_>) -> Result<Option<Scale>, String> {
    let Some(text) = directory.text(42112)? else { return Ok(None) };
    let number = |role: &str| {
        let mut items = text.split("<Item ").skip(1).filter_map(|item| item.split_once('>'));
        let attribute = |item: &str, name: &str, value: &str| item.contains(&format!("{name}=\"{value}\""));
        let found = items.find(|(item, _)| attribute(item, "role", role) && attribute(item, "sample", "0"));
        found.map(|(_, rest)| {
            let word = rest.split('<').next().unwrap_or_default().trim();
            word.parse::<f64>().map_err(|_| format!("GDAL's {role} '{word}' is not a number"))
        })
    };
    let (scale, offset) = (number("scale").transpose()?, number("offset").transpose()?);
    let given = scale.is_some() || offset.is_some();
    Ok(given.then(|| Scale { scale: scale.unwrap_or(1.0), offset: offset.unwrap_or(0.0) }))
}

/// The nodata value.
pub fn nodata(directory: &Directory<'_>) -> Result<Option<f64>, String> {
    let Some(text) = directory.text(42113)? else { return Ok(None) };
    let word = text.trim();
    word.parse().map(Some).map_err(|_| format!("GDAL_NODATA '{word}' is not a number"))
}

/// The position of the samples; `None` if the file does not state it, or if the picture is rotated.
pub fn place(directory: &Directory<'_>) -> Result<Option<Georeference>, String> {
    let keys = directory.wholes(34735)?.unwrap_or_default();
    // Keys are groups of four: key, tag of the value, count, value. The value of key 1025 is 1 for cells and 2 for points.
    let is_point = keys.as_chunks::<4>().0.iter().skip(1).any(|key| matches!(key, [1025, 0, _, 2]));
    let (tie, scale) = (directory.floats(33922)?.unwrap_or_default(), directory.floats(33550)?.unwrap_or_default());
    let placed = match (directory.floats(34264)?.as_deref(), &tie[..], &scale[..]) {
        // A tie point has column, row and layer of the picture, then x, y and z of the world.
        (_, [column, row, _, x, y, ..], [dx, dy, ..]) => Some(([x - column * dx, y + row * dy], [*dx, -dy])),
        (Some([dx, across, _, x, down, dy, _, y, ..]), ..) if *across == 0.0 && *down == 0.0 => Some(([*x, *y], [*dx, *dy])),
        _ => None,
    };
    Ok(placed.map(|(corner, spacing)| {
        let half = if is_point { 0.0 } else { 0.5 };
        Georeference { position: [0, 1].map(|axis| corner[axis] + half * spacing[axis]), spacing }
    }))
}
