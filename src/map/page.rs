//! The page that shows a pyramid: MapLibre GL JS, compressed, and a few lines of our own. It requests files of the map only.

use crate::bake::BakeError;
use crate::map::record::Draft;
use flate2::read::GzDecoder;
use std::io::Read;

/// Names and contents of plain files. [`PACKED`] are those of MapLibre, compressed with gzip.
const PLAIN: [(&str, &[u8]); 4] = [
    ("index.html", include_bytes!("viewer/index.html")),
    ("viewer/map.js", include_bytes!("viewer/map.js")),
    ("viewer/map.css", include_bytes!("viewer/map.css")),
    ("viewer/LICENSE-maplibre.txt", include_bytes!("viewer/LICENSE-maplibre.txt")),
];
const PACKED: [(&str, &[u8]); 2] = [
    ("viewer/maplibre-gl.js", include_bytes!("viewer/maplibre-gl.js.gz")),
    ("viewer/maplibre-gl.css", include_bytes!("viewer/maplibre-gl.css.gz")),
];

/// Writes the page.
pub(super) fn write(draft: &mut Draft<'_>) -> Result<(), BakeError> {
    let plain = PLAIN.iter().map(|(name, bytes)| ((*name).to_owned(), *bytes)).collect::<Vec<_>>();
    draft.write(&plain)?;
    for (name, packed) in PACKED {
        let mut bytes = Vec::new();
        GzDecoder::new(packed).read_to_end(&mut bytes).map_err(|error| BakeError::file(name.as_ref(), error))?;
        draft.write(&[(name.to_owned(), &bytes)])?;
    }
    Ok(())
}
