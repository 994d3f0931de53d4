//! Lines from text.

use serde_json::Value;

/// The reason why a text holds no lines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("GeoJSON: {message}")]
#[non_exhaustive]
pub struct GeoJsonError {
    /// The part that is not allowed, and what is.
    pub message: String,
}

/// The lines of GeoJSON as the points of a stage `line`: of line strings, and of the rings of polygons, in features and collections. The
/// third coordinate is the height, 0 without one. Points and properties are skipped. The last point of each line is repeated, so that the
/// next line begins anew.
///
/// ```
/// let road = r#"{ "type": "LineString", "coordinates": [[0, 0, 5], [40, 10]] }"#;
/// assert_eq!(orogen::lines::from_geojson(road)?, [[0.0, 0.0, 5.0], [40.0, 10.0, 0.0], [40.0, 10.0, 0.0]]);
/// # Ok::<(), orogen::lines::GeoJsonError>(())
/// ```
///
/// # Errors
/// Returns an error for text that is not GeoJSON, for positions that are not two or three numbers of magnitude up to 1e12, and for text
/// without a line.
pub fn from_geojson(text: &str) -> Result<Vec<[f64; 3]>, GeoJsonError> {
    let value: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let mut points = Vec::new();
    lines(&value, &mut points)?;
    if points.is_empty() {
        return Err(wrong("there is no line; allowed: a LineString, MultiLineString, Polygon or MultiPolygon with two points or more"));
    }
    Ok(points)
}

fn wrong(message: impl Into<String>) -> GeoJsonError {
    GeoJsonError { message: message.into() }
}

/// The elements of a member that must be a list.
fn list<'a>(of: &'a Value, member: &str) -> Result<&'a [Value], GeoJsonError> {
    of[member].as_array().map(Vec::as_slice).ok_or_else(|| wrong(format!("'{member}' is not a list")))
}

fn lines(value: &Value, points: &mut Vec<[f64; 3]>) -> Result<(), GeoJsonError> {
    match value["type"].as_str() {
        Some("FeatureCollection") => list(value, "features")?.iter().try_for_each(|feature| lines(feature, points)),
        Some("GeometryCollection") => list(value, "geometries")?.iter().try_for_each(|geometry| lines(geometry, points)),
        // A feature may have no geometry.
        Some("Feature") if value["geometry"].is_null() => Ok(()),
        Some("Feature") => lines(&value["geometry"], points),
        Some("Point" | "MultiPoint") => Ok(()),
        Some("LineString") => line(list(value, "coordinates")?, points),
        Some("MultiLineString" | "Polygon") => nested(list(value, "coordinates")?, points),
        Some("MultiPolygon") => {
            list(value, "coordinates")?.iter().try_for_each(|rings| nested(rings.as_array().map_or(&[], Vec::as_slice), points))
        }
        Some(other) => Err(wrong(format!("type '{other}' is not allowed; allowed: features and geometries"))),
        None => Err(wrong("an object has no 'type'")),
    }
}

fn nested(all: &[Value], points: &mut Vec<[f64; 3]>) -> Result<(), GeoJsonError> {
    all.iter().try_for_each(|one| line(one.as_array().map_or(&[], Vec::as_slice), points))
}

fn line(positions: &[Value], points: &mut Vec<[f64; 3]>) -> Result<(), GeoJsonError> {
    let first = points.len();
    for position in positions {
        let numbers: Option<Vec<f64>> = position.as_array().and_then(|all| all.iter().take(3).map(Value::as_f64).collect());
        let [x, y, z] = match numbers.as_deref() {
            Some([x, y]) => [*x, *y, 0.0],
            Some([x, y, z]) => [*x, *y, *z],
            Some(_) | None => return Err(wrong(format!("position {position} is not allowed; allowed: two or three numbers"))),
        };
        if [x, y, z].iter().any(|x| x.abs() > 1e12) {
            return Err(wrong(format!("position {position} is not allowed; allowed: numbers of magnitude up to 1e12")));
        }
        if points[first..].last().is_none_or(|last| last[..2] != [x, y]) {
            points.push([x, y, z]);
        }
    }
    match points[first..] {
        [] | [_] => points.truncate(first),
        [.., last] => points.push(last),
    }
    Ok(())
}
