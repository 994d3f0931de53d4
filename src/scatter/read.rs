//! Points as text, as written by other programs.

use crate::limits;
use crate::region::FARTHEST;
use crate::text;
use std::io::{BufRead, ErrorKind};

/// Reads points one after the other, a line each; memory does not grow with the input.
///
/// A line is `x y z` in world units, with blanks, tabs, commas or semicolons between the numbers. If the first line is a header,
/// as in the tables of `orogen places` and `orogen hexmap`, points are its columns `x`, `y` and `z`, and other columns are
/// skipped. Without a column `z`, all points have the height given to [`new`](Self::new). Empty lines, lines that begin with `#`
/// and a byte order mark are skipped.
///
/// ```
/// use orogen::scatter::PointReader;
/// let table = "x,y,threshold,random\n1.5,2,0.1,0.2\n";
/// let points: Result<Vec<[f64; 3]>, _> = PointReader::new(table.as_bytes(), 10.0).collect();
/// assert_eq!(points?, [[1.5, 2.0, 10.0]]);
/// # Ok::<(), orogen::scatter::PointsError>(())
/// ```
#[derive(Debug)]
pub struct PointReader<R> {
    input: R,
    z: f64,
    line: u64,
    layout: PointLayout,
    bytes: Vec<u8>,
}

/// The reason why a point cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PointsError {
    /// A line that is not a point, not UTF-8, or too long.
    #[error("line {line}: {message}")]
    Line {
        /// Line number, from 1.
        line: u64,
        /// The error and the allowed values.
        message: String,
    },
    /// The input cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
}

/// The layout of lines.
#[derive(Clone, Debug)]
enum PointLayout {
    /// Unknown: no line has been read.
    Unknown,
    /// Three numbers.
    Plain,
    /// A table below a header.
    Table(PointColumns),
}

/// The columns of a table.
#[derive(Clone, Debug)]
struct PointColumns {
    /// The separator; `None` for blanks.
    separator: Option<char>,
    count: usize,
    x: usize,
    y: usize,
    z: Option<usize>,
}

impl<R: BufRead> PointReader<R> {
    /// Reads from `input`; `z` is the height of points in a table without a column `z`.
    pub fn new(input: R, z: f64) -> Self {
        PointReader { input, z, line: 0, layout: PointLayout::Unknown, bytes: Vec::new() }
    }

    /// The next point; `None` at the end.
    fn read(&mut self) -> Result<Option<[f64; 3]>, PointsError> {
        loop {
            self.bytes.clear();
            self.line += 1;
            let wrong = |message| PointsError::Line { line: self.line, message };
            let read = limits::read_line(&mut self.input, &mut self.bytes);
            let count =
                read.map_err(|error| if error.kind() == ErrorKind::InvalidData { wrong(error.to_string()) } else { error.into() })?;
            if count == 0 {
                return Ok(None);
            }
            let line = text::decode(&self.bytes).map_err(|why| wrong(why.to_owned()))?;
            let line = if self.line == 1 { line.trim_start_matches(text::MARK) } else { line }.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if matches!(self.layout, PointLayout::Unknown) {
                match PointColumns::of(line).transpose().map_err(wrong)? {
                    Some(columns) => {
                        self.layout = PointLayout::Table(columns);
                        continue;
                    }
                    None => self.layout = PointLayout::Plain,
                }
            }
            let point = if let PointLayout::Table(columns) = &self.layout { columns.point(line, self.z) } else { plain(line) };
            return point.map(Some).map_err(wrong);
        }
    }
}

impl<R: BufRead> Iterator for PointReader<R> {
    type Item = Result<[f64; 3], PointsError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// Three numbers with any separators.
fn plain(line: &str) -> Result<[f64; 3], String> {
    let allowed = "x y z, finite numbers of magnitude up to 2^53, or a header with x and y first";
    let fields = line.split([' ', '\t', ',', ';']).filter(|field| !field.is_empty());
    let numbers: Option<Vec<f64>> = fields.map(number).collect();
    match numbers.map(<[f64; 3]>::try_from) {
        // 1,5;2,0;3,0 would be six numbers, or three with commas for points.
        Some(Ok(point)) if !(line.contains(',') && line.contains(';')) => Ok(point),
        _ => Err(format!("point '{}' is not allowed; allowed: {allowed}", cut(line))),
    }
}

impl PointColumns {
    /// The columns that a header names; `None` for a line with a number.
    fn of(line: &str) -> Option<Result<Self, String>> {
        let separator = [',', ';', '\t'].into_iter().find(|&separator| line.contains(separator));
        let names: Vec<String> = fields(line, separator).into_iter().map(str::to_lowercase).collect();
        if names.iter().any(|name| name.parse::<f64>().is_ok()) {
            return None;
        }
        let column = |wanted: &str| names.iter().position(|name| name == wanted);
        Some(match (column("x"), column("y")) {
            (Some(x), Some(y)) => Ok(PointColumns { separator, count: names.len(), x, y, z: column("z") }),
            _ => Err(format!("header '{}' is not allowed; allowed: columns x and y, optionally z; or three numbers on a line", cut(line))),
        })
    }

    fn point(&self, line: &str, z: f64) -> Result<[f64; 3], String> {
        let wrong = |what: &str| format!("row '{}' is not allowed; allowed: {what}", cut(line));
        let found = fields(line, self.separator);
        if found.len() != self.count {
            return Err(wrong(&format!("{} columns, as in the header", self.count)));
        }
        let read = |column: usize| number(found[column]).ok_or_else(|| wrong("finite numbers of magnitude up to 2^53, as in 1.5"));
        Ok([read(self.x)?, read(self.y)?, self.z.map_or(Ok(z), read)?])
    }
}

/// The fields between separators, without quotes.
fn fields(line: &str, separator: Option<char>) -> Vec<&str> {
    let inner = |field: &'_ str| -> (usize, usize) {
        let start = field.len() - field.trim_start_matches([' ', '"']).len();
        (start, field.trim_end_matches([' ', '"']).len().max(start))
    };
    let cut = |field: &mut &str| {
        let (start, end) = inner(field);
        *field = &field[start..end];
    };
    let mut all: Vec<&str> = separator.map_or_else(|| line.split_whitespace().collect(), |separator| line.split(separator).collect());
    all.iter_mut().for_each(cut);
    all
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|x: &f64| x.abs() <= FARTHEST)
}

/// The beginning of a line that may be long.
fn cut(line: &str) -> String {
    const SHOWN: usize = 60;
    if line.chars().count() <= SHOWN { line.to_owned() } else { line.chars().take(SHOWN).chain("…".chars()).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Result<Vec<[f64; 3]>, String> {
        PointReader::new(text.as_bytes(), 7.0).collect::<Result<_, _>>().map_err(|error| error.to_string())
    }

    #[test]
    fn points_stand_as_other_programs_write_them() {
        let two = Ok(vec![[1.0, 2.0, 3.0], [-4.5, 5e3, 0.0]]);
        for text in [
            "1 2 3\n-4.5 5e3 0\n",
            "\u{feff}1,2,3\r\n-4.5,5e3,0",
            "1;2;3\n\n# between\n-4.5; 5000; 0\n",
            "# first\n1\t2\t3\n-4.5\t5e3\t0\n",
            "x,y,z\n1,2,3\n-4.5,5e3,0\n",
            "\u{feff}\"X\";\"Y\";\"Z\"\r\n\"1\";\"2\";\"3\"\r\n-4.5;5e3;0\r\n",
            "name x y z\na 1 2 3\nb -4.5 5e3 0\n",
            "z,name,y,x\n3,a b,2,1\n0,,5e3,-4.5\n",
        ] {
            assert_eq!(points(text), two, "{text:?}");
        }
        assert_eq!(points("x,y,threshold,random\n1,2,0.5,0.25\n"), Ok(vec![[1.0, 2.0, 7.0]]));
        assert_eq!(points("q,r,s,x,y,value\n0,1,-1,0.5,0.8,0.1\n"), Ok(vec![[0.5, 0.8, 7.0]]));
        assert_eq!(points("x,y\n"), Ok(vec![]));
        assert_eq!(points(""), Ok(vec![]));
    }

    #[test]
    fn a_line_that_is_no_point_is_told_with_its_number() {
        for (text, told) in [
            ("1 2\n", "line 1: point '1 2' is not allowed; allowed: x y z"),
            ("1 2 3\n1 2 x\n", "line 2: point '1 2 x'"),
            ("1 2 3\nx y z\n", "line 2: point 'x y z'"),
            ("nan 0 0\n", "line 1: point"),
            ("1e300 0 0\n", "2^53"),
            // A decimal comma.
            ("1,5;2,5;3,5\n", "line 1: point"),
            ("x;y\n1,5;2\n", "line 2: row '1,5;2' is not allowed; allowed: finite numbers of magnitude up to 2^53, as in 1.5"),
            ("a,b\n1,2\n", "line 1: header 'a,b' is not allowed; allowed: columns x and y"),
            ("x,y\n1,2,3\n", "line 2: row '1,2,3' is not allowed; allowed: 2 columns"),
        ] {
            let error = points(text).expect_err(text);
            assert!(error.contains(told), "{text:?}: {error}");
        }
        let bytes = |bytes: &[u8]| PointReader::new(bytes, 0.0).find_map(Result::err).map(|error| error.to_string());
        assert!(bytes(b"1 2 3\n\xe9 1 2\n").is_some_and(|told| told.starts_with("line 2: is not UTF-8 text")));
        assert!(bytes(b"\xff\xfe1\0 \x002\0 \x003\0\r\0\n\0").is_some_and(|told| told.starts_with("line 1: is UTF-16 text")));
        assert!(bytes(&vec![b' '; 1 << 17]).is_some_and(|told| told.starts_with("line 1: ") && told.contains("allowed")));
    }
}
