//! ESRI's ASCII grid: lines of names and numbers, then the heights in rows, north at the top.

use super::heights::{Decoded, Georeference, Grid, HeightsFacts, Source, nothing_declared, sized};

pub const HEIGHTS: HeightsFacts = HeightsFacts { endings: &["asc"], allows: nothing_declared, has_size: true, decode };

/// The format's default value for a cell without a height.
const NODATA: f64 = -9999.0;

/// The entries before the heights.
#[derive(Default)]
struct Header {
    columns: Option<u64>,
    rows: Option<u64>,
    /// x and y of the lower left corner. True for the corner of its cell, false for the middle.
    corner: [Option<(f64, bool)>; 2],
    cell: [Option<f64>; 2],
    nodata: Option<f64>,
}

impl Header {
    /// Takes one entry. Returns false if the format has no entry of that name.
    fn take(&mut self, name: &str, value: &str) -> Result<bool, String> {
        let number = || value.parse::<f64>().map_err(|_| format!("{name} {value} is not a number"));
        let whole = || value.parse::<u64>().map_err(|_| format!("{name} {value} is not a whole number"));
        match name.to_ascii_lowercase().as_str() {
            "ncols" => self.columns = Some(whole()?),
            "nrows" => self.rows = Some(whole()?),
            "xllcorner" => self.corner[0] = Some((number()?, true)),
            "xllcenter" => self.corner[0] = Some((number()?, false)),
            "yllcorner" => self.corner[1] = Some((number()?, true)),
            "yllcenter" => self.corner[1] = Some((number()?, false)),
            "cellsize" => self.cell = [Some(number()?); 2],
            "dx" => self.cell[0] = Some(number()?),
            "dy" => self.cell[1] = Some(number()?),
            "nodata_value" => self.nodata = Some(number()?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn place(&self, rows: u32) -> Option<Georeference> {
        let ([Some((x, corner_x)), Some((y, corner_y))], [Some(dx), Some(dy)]) = (self.corner, self.cell) else { return None };
        let half = |corner: bool| if corner { 0.5 } else { 0.0 };
        let top = f64::from(rows) - 1.0;
        Some(Georeference { position: [x + half(corner_x) * dx, y + (half(corner_y) + top) * dy], spacing: [dx, -dy] })
    }
}

fn decode(&Source { bytes, .. }: &Source<'_>) -> Decoded {
    let text = std::str::from_utf8(bytes).map_err(|_| "is not UTF-8 text".to_owned())?;
    let mut words = text.split_ascii_whitespace().peekable();
    let mut header = Header::default();
    while let Some(name) = words.next_if(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()) && !word.eq_ignore_ascii_case("nan")) {
        let value = words.next().ok_or_else(|| format!("{name} has no value"))?;
        if !header.take(name, value)? {
            return Err(format!("'{name}' is not an entry of an ASCII grid"));
        }
    }
    let size = match (header.columns, header.rows) {
        (Some(columns), Some(rows)) => sized([columns, rows])?,
        _ => return Err("is not an ASCII grid: ncols or nrows is missing".to_owned()),
    };
    let (count, nodata) = (size[0] as usize * size[1] as usize, header.nodata.unwrap_or(NODATA));
    let mut values = Vec::new();
    for word in words {
        let value: f64 = word.parse().map_err(|_| format!("'{word}' is not a number"))?;
        if values.len() == count {
            return Err(format!("more than {count} heights; allowed: columns × rows"));
        }
        values.push(if value == nodata { f32::NAN } else { value as f32 });
    }
    if values.len() < count {
        return Err(format!("{} heights; allowed: columns × rows, {count}", values.len()));
    }
    Ok(Grid { size, values, place: header.place(size[1]) })
}
