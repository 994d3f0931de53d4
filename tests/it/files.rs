//! Files of heights as other programs write them, made here byte by byte: what they hold, where they have no heights, and that
//! damaged ones are refused. `scripts/rasters` reads thousands that the programs themselves have written.

use crate::support::{Scratch, cpu, expect, run, text};
use orogen::node::{Heights, HeightsFile, Holes, Raster, Sampling};
use orogen::{Gradient, GraphError, Noise, Recipe};
use std::io::Write;

/// A number that is stored, in either byte order.
#[derive(Clone, Copy)]
pub enum Value {
    Byte(u8),
    Short(u16),
    Long(u32),
    Double(f64),
}

/// A TIFF file of one directory, or of two.
struct Tiff {
    big: bool,
    wide: bool,
    entries: Vec<(u16, Vec<Value>)>,
    /// Strips or tiles; an empty one is left out.
    chunks: Vec<Vec<u8>>,
    /// A second picture.
    next: Option<Box<Tiff>>,
}

impl Tiff {
    /// A grey picture of one strip: format 1 unsigned, 2 signed, 3 floats.
    fn new([columns, rows]: [u32; 2], bits: u16, format: u16, strip: Vec<u8>) -> Self {
        let entries = vec![
            (256, vec![Value::Long(columns)]),
            (257, vec![Value::Long(rows)]),
            (258, vec![Value::Short(bits)]),
            (259, vec![Value::Short(1)]),
            (262, vec![Value::Short(1)]),
            (277, vec![Value::Short(1)]),
            (278, vec![Value::Long(rows)]),
            (339, vec![Value::Short(format)]),
        ];
        Tiff { big: false, wide: false, entries, chunks: vec![strip], next: None }
    }

    fn with(mut self, tag: u16, values: Vec<Value>) -> Self {
        self.entries.retain(|(known, _)| *known != tag);
        self.entries.push((tag, values));
        self
    }

    fn text(self, tag: u16, text: &str) -> Self {
        self.with(tag, text.bytes().chain([0]).map(Value::Byte).collect())
    }

    fn tiles(mut self, edge: u16, tiles: Vec<Vec<u8>>) -> Self {
        self.chunks = tiles;
        self.entries.retain(|(tag, _)| *tag != 278);
        self.with(322, vec![Value::Short(edge)]).with(323, vec![Value::Short(edge)])
    }

    fn compressed(mut self, compression: u16, pack: impl Fn(&[u8]) -> Vec<u8>) -> Self {
        self.chunks = self.chunks.iter().map(|chunk| pack(chunk)).collect();
        self.with(259, vec![Value::Short(compression)])
    }

    fn ordered<const N: usize>(&self, mut little: [u8; N]) -> [u8; N] {
        if self.big {
            little.reverse();
        }
        little
    }

    fn offset(&self, at: usize) -> Vec<u8> {
        if self.wide { self.ordered((at as u64).to_le_bytes()).to_vec() } else { self.ordered((at as u32).to_le_bytes()).to_vec() }
    }

    fn bytes(&self) -> Vec<u8> {
        let order: &[u8] = if self.big { b"MM" } else { b"II" };
        let (magic, more): (u16, &[u8]) = if self.wide { (43, if self.big { &[0, 8, 0, 0] } else { &[8, 0, 0, 0] }) } else { (42, &[]) };
        let mut file = [order, &self.ordered(magic.to_le_bytes()), more].concat();
        self.append(&mut file);
        file
    }

    /// Adds where the directory lies, the chunks, the values, the directory.
    fn append(&self, file: &mut Vec<u8>) {
        let place = file.len();
        file.extend(self.offset(0));
        let mut entries = self.entries.clone();
        let tiled = entries.iter().any(|(tag, _)| *tag == 322);
        let places = self.chunks.iter().map(|chunk| {
            let at = file.len();
            file.extend(chunk);
            if chunk.is_empty() { 0 } else { at as u32 }
        });
        let offsets: Vec<Value> = places.map(Value::Long).collect();
        entries.push((if tiled { 324 } else { 273 }, offsets));
        entries.push((if tiled { 325 } else { 279 }, self.chunks.iter().map(|chunk| Value::Long(chunk.len() as u32)).collect()));
        entries.sort_by_key(|(tag, _)| *tag);
        let inline = if self.wide { 8 } else { 4 };
        let mut directory = if self.wide {
            self.ordered((entries.len() as u64).to_le_bytes()).to_vec()
        } else {
            self.ordered((entries.len() as u16).to_le_bytes()).to_vec()
        };
        for (tag, values) in &entries {
            let mut bytes: Vec<u8> = values
                .iter()
                .flat_map(|value| match value {
                    Value::Byte(x) => vec![*x],
                    Value::Short(x) => self.ordered(x.to_le_bytes()).to_vec(),
                    Value::Long(x) => self.ordered(x.to_le_bytes()).to_vec(),
                    Value::Double(x) => self.ordered(x.to_le_bytes()).to_vec(),
                })
                .collect();
            let kind: u16 = match values[0] {
                Value::Byte(_) => 2,
                Value::Short(_) => 3,
                Value::Long(_) => 4,
                Value::Double(_) => 12,
            };
            directory.extend(self.ordered(tag.to_le_bytes()));
            directory.extend(self.ordered(kind.to_le_bytes()));
            directory.extend(self.offset(values.len()));
            if bytes.len() <= inline {
                bytes.resize(inline, 0);
                directory.extend(bytes);
            } else {
                directory.extend(self.offset(file.len()));
                file.extend(bytes);
            }
        }
        let at = self.offset(file.len());
        file[place..place + at.len()].copy_from_slice(&at);
        file.extend(directory);
        match &self.next {
            Some(next) => next.append(file),
            None => file.extend(self.offset(0)),
        }
    }
}

fn lzw(bytes: &[u8]) -> Vec<u8> {
    weezl::encode::Encoder::with_tiff_size_switch(weezl::BitOrder::Msb, 8).encode(bytes).expect("packed")
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(bytes).expect("packed");
    packed.finish().expect("packed")
}

/// Runs of one byte each, and one that is repeated where two are equal.
fn pack_bits(bytes: &[u8]) -> Vec<u8> {
    bytes.chunk_by(|a, b| a == b).flat_map(|run| run.chunks(128)).flat_map(|run| [(1 - run.len() as i32) as i8 as u8, run[0]]).collect()
}

fn shorts(values: &[i16]) -> Vec<u8> {
    values.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// A rough surface of small whole numbers.
fn rough(count: usize) -> Vec<i16> {
    (0..count as i32).map(|i| (i * i * 37 % 1999 - 700) as i16).collect()
}

fn read(name: &str, bytes: &[u8]) -> Heights {
    Heights::from_bytes(name, bytes).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Whether these are a file's numbers, NaN where it has none.
fn holds(name: &str, bytes: &[u8], size: [u32; 2], expected: &[f32]) {
    let heights = read(name, bytes);
    let same = |(a, b): (&f32, &f32)| a == b || (a.is_nan() && b.is_nan());
    let values = heights.values().expect("read");
    assert!(heights.size() == Some(size) && values.iter().zip(expected).all(same), "{name}: {values:?} for {expected:?}");
}

fn as_floats(values: &[i16]) -> Vec<f32> {
    values.iter().map(|x| f32::from(*x)).collect()
}

/// Pieces of a picture, filled up at its edges with a number that does not occur in it.
fn tiles(values: &[i16], [columns, rows]: [usize; 2], edge: usize) -> Vec<Vec<u8>> {
    let at = |x: usize, y: usize| if x < columns && y < rows { values[y * columns + x] } else { 12_321 };
    let corners = (0..rows).step_by(edge).flat_map(|top| (0..columns).step_by(edge).map(move |left| (left, top)));
    corners.map(|(left, top)| shorts(&(0..edge * edge).map(|i| at(left + i % edge, top + i / edge)).collect::<Vec<_>>())).collect()
}

#[test]
fn tiled_files_are_read_however_they_are_packed() {
    let values = rough(17 * 19);
    let expected = as_floats(&values);
    let plain = || Tiff::new([17, 19], 16, 2, Vec::new()).tiles(16, tiles(&values, [17, 19], 16));
    holds("plain.tif", &plain().bytes(), [17, 19], &expected);
    // Rows of one sample and 15 of padding: a decoder that returns few bytes at a time could lose their end.
    holds("lzw.tif", &plain().compressed(5, lzw).bytes(), [17, 19], &expected);
    // The same kind as GDAL writes it: 17 × 17 samples of 16 bits in tiles of 16².
    let written = read("tiled_lzw.tif", include_bytes!("tiled_lzw.tif"));
    assert_eq!((written.size(), written.values().map(|values| values[5 * 17 + 3])), (Some([17, 17]), Some(1194.0)));
    holds("deflate.tif", &plain().compressed(8, deflate).bytes(), [17, 19], &expected);
    holds("packbits.tif", &plain().compressed(32773, pack_bits).bytes(), [17, 19], &expected);
    // A stream without a code that ends it.
    let endless = |bytes: &[u8]| {
        let packed = lzw(bytes);
        packed[..packed.len() - 1].to_vec()
    };
    holds("endless.tif", &plain().compressed(5, endless).bytes(), [17, 19], &expected);
    let reversed = |bytes: &[u8]| lzw(bytes).iter().map(|byte| byte.reverse_bits()).collect();
    holds("reversed.tif", &plain().compressed(5, reversed).with(266, vec![Value::Short(2)]).bytes(), [17, 19], &expected);
    let zstd = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x04, 0x21, 0x00, 0x00, 1, 0, 2, 0];
    holds("zstd.tif", &Tiff::new([2, 1], 16, 2, zstd.to_vec()).with(259, vec![Value::Short(50000)]).bytes(), [2, 1], &[1.0, 2.0]);
    let error = Heights::from_bytes("jpeg.tif", &plain().with(259, vec![Value::Short(7)]).bytes()).expect_err("lossy").to_string();
    assert!(error.contains("compression 7") && error.contains("allowed: none, LZW"), "{error}");
}

#[test]
fn byte_orders_predictors_and_planes() {
    let values = rough(4 * 3);
    let expected = as_floats(&values);
    let big: Vec<u8> = values.iter().flat_map(|x| x.to_be_bytes()).collect();
    for wide in [false, true] {
        let file = Tiff { big: true, wide, ..Tiff::new([4, 3], 16, 2, big.clone()) };
        holds("big.tif", &file.bytes(), [4, 3], &expected);
        holds("little.tif", &Tiff { wide, ..Tiff::new([4, 3], 16, 2, shorts(&values)) }.bytes(), [4, 3], &expected);
    }
    let differences =
        |row: &[i16]| (0..row.len()).map(|i| if i == 0 { row[0] } else { row[i].wrapping_sub(row[i - 1]) }).collect::<Vec<_>>();
    let horizontal: Vec<u8> = values.chunks(4).flat_map(|row| shorts(&differences(row))).collect();
    holds("horizontal.tif", &Tiff::new([4, 3], 16, 2, horizontal).with(317, vec![Value::Short(2)]).bytes(), [4, 3], &expected);
    // The highest bytes of a row first, then the differences of all bytes.
    let planes = |row: &[f32]| {
        let bytes: Vec<u8> = (0..4).flat_map(|k| row.iter().map(move |x| x.to_be_bytes()[k])).collect();
        (0..bytes.len()).map(|i| if i == 0 { bytes[0] } else { bytes[i].wrapping_sub(bytes[i - 1]) }).collect::<Vec<u8>>()
    };
    let predicted: Vec<u8> = expected.chunks(4).flat_map(planes).collect();
    for big in [false, true] {
        let file = Tiff { big, ..Tiff::new([4, 3], 32, 3, predicted.clone()).with(317, vec![Value::Short(3)]) };
        holds("floats.tif", &file.bytes(), [4, 3], &expected);
    }
    let three: Vec<i16> = values.iter().flat_map(|x| [*x, 7, 8]).collect();
    holds("chunky.tif", &Tiff::new([4, 3], 16, 2, shorts(&three)).with(277, vec![Value::Short(3)]).bytes(), [4, 3], &expected);
    let mut planar = Tiff::new([4, 3], 16, 2, shorts(&values)).with(277, vec![Value::Short(2)]).with(284, vec![Value::Short(2)]);
    planar.chunks.push(shorts(&[9; 12]));
    holds("planar.tif", &planar.bytes(), [4, 3], &expected);
}

#[test]
fn samples_of_every_width_and_kind() {
    let file = |bits, format, bytes: &[u8]| Tiff::new([4, 1], bits, format, bytes.to_vec());
    let fractions = |of: f64, steps: [u32; 4]| steps.map(|x| (f64::from(x) / of) as f32);
    holds("1.tif", &file(1, 1, &[0b1010_0000]).bytes(), [4, 1], &[1.0, 0.0, 1.0, 0.0]);
    holds("4.tif", &file(4, 1, &[0x0f, 0x37]).bytes(), [4, 1], &fractions(15.0, [0, 15, 3, 7]));
    holds("8.tif", &file(8, 1, &[0, 255, 51, 1]).bytes(), [4, 1], &fractions(255.0, [0, 255, 51, 1]));
    holds("12.tif", &file(12, 1, &[0xff, 0xf0, 0x01, 0x80, 0x00, 0x02]).bytes(), [4, 1], &fractions(4095.0, [4095, 1, 2048, 2]));
    holds("i8.tif", &file(8, 2, &[0, 255, 127, 128]).bytes(), [4, 1], &[0.0, -1.0, 127.0, -128.0]);
    let whole = |x: [i64; 4]| x.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    holds("i64.tif", &file(64, 2, &whole([1, -2, 3, 1 << 40])).bytes(), [4, 1], &[1.0, -2.0, 3.0, (1i64 << 40) as f32]);
    let half = [0x3c00_u16, 0xc000, 0x0001, 0x7bff].iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    holds("f16.tif", &file(16, 3, &half).bytes(), [4, 1], &[1.0, -2.0, 5.960_464_5e-8, 65504.0]);
    // White is 0: of pictures, not of heights.
    let white = |file: Tiff| file.with(262, vec![Value::Short(0)]).bytes();
    holds("white8.tif", &white(file(8, 1, &[0, 255, 51, 1])), [4, 1], &fractions(255.0, [255, 0, 204, 254]));
    holds("white32.tif", &white(file(32, 3, &floats(&[1234.5, -7.0, 0.0, 1.0]))), [4, 1], &[1234.5, -7.0, 0.0, 1.0]);
    holds("white16.tif", &white(file(16, 2, &shorts(&[5, -6, 7, 8]))), [4, 1], &[5.0, -6.0, 7.0, 8.0]);
    // As GDAL's unscale: of the numbers as they are stored.
    let scale = "<GDALMetadata>\n  <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">-100</Item>\n  <Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.5</Item>\n  <Item name=\"SCALE\" sample=\"1\" role=\"scale\">9</Item>\n</GDALMetadata>";
    let words = [0_u16, 400, 65535, 1].iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    holds("scaled.tif", &file(16, 1, &words).text(42112, scale).bytes(), [4, 1], &[-100.0, 100.0, 32667.5, -99.5]);
    let scaled = file(16, 1, &words).text(42112, scale).text(42113, "400");
    holds("both.tif", &scaled.bytes(), [4, 1], &[-100.0, f32::NAN, 32667.5, -99.5]);
    let error = Heights::from_bytes("complex.tif", &file(64, 6, &[0; 32]).bytes()).expect_err("complex").to_string();
    assert!(error.contains("format 6 and 64 bits"), "{error}");
}

#[test]
fn tiles_that_were_left_out_are_0_or_no_heights() {
    let values = rough(32 * 16);
    let mut tiles = tiles(&values, [32, 16], 16);
    tiles[1].clear();
    let expected = |hole: f32| values.iter().enumerate().map(|(i, x)| if i % 32 < 16 { f32::from(*x) } else { hole }).collect::<Vec<f32>>();
    let file = || Tiff::new([32, 16], 16, 2, Vec::new()).tiles(16, tiles.clone());
    holds("sparse.tif", &file().bytes(), [32, 16], &expected(0.0));
    holds("sparse.tif", &file().text(42113, "-9999").bytes(), [32, 16], &expected(f32::NAN));
}

#[test]
fn cells_without_a_height_are_refused_or_filled() {
    let scratch = Scratch::new("files-holes");
    let mut values = [5.0_f32; 12];
    (values[6], values[7]) = (-9999.0, -9999.0);
    let file = |name: &str| scratch.0.join(name);
    std::fs::write(file("dem.tif"), Tiff::new([4, 3], 32, 3, floats(&values)).text(42113, "-9999").bytes()).expect("written");
    let mut masked = Tiff::new([4, 3], 32, 3, floats(&values));
    let mask = Tiff::new([4, 3], 1, 1, vec![0xf0, 0xc0, 0xf0]).with(254, vec![Value::Long(4)]);
    masked.next = Some(Box::new(mask));
    std::fs::write(file("mask.tif"), masked.bytes()).expect("written");
    let nan: Vec<f32> = values.iter().map(|x| if *x < 0.0 { f32::NAN } else { *x }).collect();
    std::fs::write(file("nan.raw"), floats(&nan)).expect("written");
    let ascii = format!("ncols 4\nnrows 3\ncellsize 1\n{}", values.map(|x| x.to_string()).join(" "));
    std::fs::write(file("esri.asc"), ascii).expect("written");
    for (name, more) in [("dem.tif", ""), ("mask.tif", ""), ("nan.raw", "encoding = 'float32_le'\ncolumns = 4\n"), ("esri.asc", "")] {
        let recipe =
            |holes: &str| format!("output = 'r'\n[node.r]\nkind = 'raster'\nheights = '{name}'\nsampling = 'linear'\n{more}{holes}");
        let path = scratch.file("r.toml", &recipe(""));
        let error = Recipe::load(&path).expect_err(name).to_string();
        let says = format!(
            "node 'r': heights = \"{name}\" is not allowed; allowed: a height in each cell, but 2 of 12 have none, the first at column 2 of row 1"
        );
        assert!(error.contains("r.toml:4:") && error.contains(&says) && error.contains("holes = NUMBER"), "{error}");
        let sampled = || run(&["sample", path.to_str().expect("UTF-8"), "--points", "-", "--backend", "cpu"], "0 0 0\n2 1 0\n3 1 0\n");
        expect(&sampled(), 65, &["r.toml:4:", &says]);
        scratch.file("r.toml", &recipe("holes = 250\n"));
        let output = sampled();
        assert_eq!(text(&output.stdout), "5.00000000e0\n2.50000000e2\n2.50000000e2\n", "{}", text(&output.stderr));
    }
}

#[test]
fn numbers_in_memory_may_have_holes_that_a_node_fills() {
    let heights = Heights::new(vec![1.0, f32::NAN, 3.0, f32::NAN], [2, 2]).expect("heights");
    assert!(matches!(heights.holes(), Some(Holes { count: 2, column: 1, row: 0, .. })));
    let node = Raster { heights, sampling: Sampling::Linear, ..Default::default() };
    let refused = Noise::raster(node.clone()).check().expect_err("holes");
    assert!(matches!(&refused, GraphError::Parameter { wrong, .. } if wrong.what == "heights"), "{refused}");
    let mut noise = Noise::raster(Raster { holes: Some(-4.0), ..node });
    let value = |noise: &Noise| cpu().sample(noise, &[[1.0, 1.0, 0.0]], Gradient::Without).expect("a sample")[0].value;
    assert_eq!(value(&noise), -4.0);
    assert_eq!(noise.range().map(|range| range.contains(-4.0)), Ok(true));
    // Live: what the holes take changes, nothing else.
    noise.set("raster.holes", 8.0).expect("a number");
    assert_eq!(value(&noise), 8.0);
}

/// The number 100 in every raw encoding that the table has.
#[test]
fn every_raw_encoding_is_read() {
    let encodings = Raster::INFO.params.iter().find(|param| param.name == "encoding").expect("a parameter").words();
    let mut read = 0;
    let is_raw = |word: &str| {
        let mut file = HeightsFile::new("a.raw");
        file.encoding = word.parse().expect("a word");
        file.check().is_ok()
    };
    for word in encodings.iter().filter(|word| is_raw(word)) {
        let kind: String = word.chars().take_while(char::is_ascii_alphabetic).collect();
        let bits: usize = word.chars().skip(kind.len()).take_while(char::is_ascii_digit).collect::<String>().parse().expect("bits");
        let mut bytes = match (&kind[..], bits) {
            ("float", 32) => 100_f32.to_le_bytes().to_vec(),
            ("float", 64) => 100_f64.to_le_bytes().to_vec(),
            ("int" | "uint", 8 | 16 | 32) => 100_u64.to_le_bytes()[..bits / 8].to_vec(),
            _ => panic!("{word}"),
        };
        if word.ends_with("_be") {
            bytes.reverse();
        }
        let mut file = HeightsFile::new("a.raw");
        (file.encoding, file.columns) = (word.parse().expect("a word"), Some(1));
        let expected = if kind == "uint" && bits <= 16 { 100.0 / ((1 << bits) - 1) as f32 } else { 100.0 };
        assert_eq!(file.decode(&bytes).expect(word).values(), Some(&[expected][..]), "{word}");
        read += 1;
    }
    assert_eq!(read, 14);
}

#[test]
fn raw_numbers_are_read_as_declared() {
    let values: [i16; 6] = [1, -2, 300, 4, 5, -32768];
    let declared = |name: &str, encoding: &str, columns: Option<u32>, bytes: &[u8]| {
        let mut file = HeightsFile::new(name);
        (file.encoding, file.columns) = (encoding.parse().expect("a word"), columns);
        file.decode(bytes)
    };
    let big: Vec<u8> = values.iter().flat_map(|x| x.to_be_bytes()).collect();
    for (encoding, bytes) in [("int16_be", &big), ("int16_le", &shorts(&values))] {
        let heights = declared("a.raw", encoding, Some(3), bytes).expect(encoding);
        assert_eq!((heights.size(), heights.values()), (Some([3, 2]), Some(&as_floats(&values)[..])), "{encoding}");
    }
    let square = declared("a.r16", "uint16_be", None, &[0xff, 0xff, 0, 0, 0x80, 0, 0, 1]).expect("a square");
    assert_eq!(square.values(), Some(&[1.0, 0.0, 32768.0 / 65535.0, 1.0 / 65535.0][..]));
    for (name, encoding, columns, bytes, says) in [
        ("a.raw", "file", None, 8, "encoding = \"file\" is not allowed for a file of this ending; allowed: uint8, int8, uint16_le"),
        ("a.raw", "uint16_le", Some(3), 8, "8 bytes are not rows of 3 numbers of 2 byte(s)"),
        ("a.raw", "uint16_le", None, 6, "columns gives the length of a row"),
        ("a.r16", "float32_le", None, 8, "allowed: file, uint16_le, uint16_be, int16_le, int16_be"),
        ("a.npy", "uint8", None, 8, "allowed: file"),
        ("a.asc", "file", Some(4), 8, "columns = 4 is not allowed for a file that has a size"),
    ] {
        let error = declared(name, encoding, columns, &vec![0; bytes]).expect_err(name).to_string();
        assert!(error.contains(says), "{name}: {error}");
    }
    // The same bytes by other names are other numbers, and nodes do not share them.
    let scratch = Scratch::new("files-raw");
    std::fs::write(scratch.0.join("a.raw"), &big).expect("written");
    let node = |name: &str, encoding: &str| {
        format!("[node.{name}]\nkind = 'raster'\nheights = 'a.raw'\nencoding = '{encoding}'\ncolumns = 3\nsampling = 'nearest'\n")
    };
    let recipe = format!("output = 'sum'\n[node.sum]\nkind = 'add'\na = 'a'\nb = 'b'\n{}{}", node("a", "int16_be"), node("b", "int16_le"));
    let path = scratch.file("r.toml", &recipe);
    let noise = Recipe::load(path).expect("a recipe").noise().expect("a noise");
    let found = cpu().sample(&noise, &[[0.0; 3]], Gradient::Without).expect("a sample")[0].value;
    assert_eq!(found, 257.0);
}

#[test]
fn tiles_of_maps_and_of_missions() {
    let mut png = Vec::new();
    let picture = image::RgbImage::from_raw(2, 1, vec![128, 0, 0, 1, 134, 160]).expect("a picture");
    picture.write_to(&mut std::io::Cursor::new(&mut png), image::ImageFormat::Png).expect("PNG");
    for (encoding, expected) in [("terrarium", [0.0, -32768.0 + 256.0 + 134.0 + 160.0 / 256.0]), ("mapbox_rgb", [828_860.8, 0.0])] {
        let mut file = HeightsFile::new("tile.png");
        file.encoding = encoding.parse().expect("a word");
        let heights = file.decode(&png).expect(encoding);
        assert!(heights.values().expect("read").iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-3), "{encoding}: {heights:?}");
    }
    let tile: Vec<u8> = [10_i16, 20, 30, i16::MIN].iter().flat_map(|x| x.to_be_bytes()).collect();
    holds("S01W072.hgt", &tile, [2, 2], &[10.0, 20.0, 30.0, f32::NAN]);
    let place = read("somewhere/S01W072.hgt", &tile).place().expect("a place");
    assert_eq!((place.position, place.spacing), ([-72.0, 0.0], [1.0, -1.0]));
    let ascii = "NCOLS 2\nnrows 2\nxllcorner 100\nyllcorner 50\ncellsize 10\nnodata_value -1\n1.5 -1\n3e2 4\n";
    holds("a.asc", ascii.as_bytes(), [2, 2], &[1.5, f32::NAN, 300.0, 4.0]);
    let place = read("a.asc", ascii.as_bytes()).place().expect("a place");
    assert_eq!((place.position, place.spacing), ([105.0, 65.0], [10.0, -10.0]));
    for (bad, says) in [
        ("ncols 2\nnrows 2\n1 2 3", "3 heights; allowed: columns × rows, 4"),
        ("ncols 2\nnrows 2\n1 2 3 4 5", "more than 4"),
        ("ncols 2\n1 2", "nrows is missing"),
        ("ncols 2\nnrows 1\n1 x2", "'x2' is not a number"),
    ] {
        let error = Heights::from_bytes("a.asc", bad.as_bytes()).expect_err(bad).to_string();
        assert!(error.contains(says), "{error}");
    }
}

/// The position of a GeoTIFF: samples are at the centres of cells, unless the file declares points.
#[test]
fn the_place_of_a_geotiff_is_that_of_its_samples() {
    let tie = [0.0, 0.0, 0.0, 500_000.0, 5_400_000.0, 0.0].map(Value::Double).to_vec();
    let scale = [30.0, 20.0, 0.0].map(Value::Double).to_vec();
    let keys = |kind: u16| [1, 1, 0, 1, 1025, 0, 1, kind].map(Value::Short).to_vec();
    let file = || Tiff::new([4, 3], 16, 2, shorts(&rough(12))).with(33550, scale.clone()).with(33922, tie.clone());
    let place = |file: Tiff| read("a.tif", &file.bytes()).place().map(|place| (place.position, place.spacing));
    assert_eq!(place(file()), Some(([500_015.0, 5_399_990.0], [30.0, -20.0])));
    assert_eq!(place(file().with(34735, keys(1))), Some(([500_015.0, 5_399_990.0], [30.0, -20.0])));
    assert_eq!(place(file().with(34735, keys(2))), Some(([500_000.0, 5_400_000.0], [30.0, -20.0])));
    let matrix =
        |across: f64| [30.0, across, 0.0, 7.0, 0.0, -20.0, 0.0, 9.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0].map(Value::Double).to_vec();
    let plain = || Tiff::new([4, 3], 16, 2, shorts(&rough(12)));
    assert_eq!(place(plain().with(34264, matrix(0.0))), Some(([22.0, -1.0], [30.0, -20.0])));
    assert_eq!(place(plain().with(34264, matrix(5.0))), None, "a picture that is turned");
    assert_eq!(place(plain()), None);
}

#[test]
fn a_file_is_described_with_the_lines_that_place_it() {
    let scratch = Scratch::new("files-info");
    let tie = [0.0, 0.0, 0.0, 100.0, 900.0, 0.0].map(Value::Double).to_vec();
    let file = Tiff::new([2, 2], 16, 2, shorts(&[5, -3, 7, -9999])).text(42113, "-9999").with(33922, tie);
    let path = scratch.0.join("dem.tif");
    std::fs::write(&path, file.with(33550, [30.0, 20.0, 0.0].map(Value::Double).to_vec()).bytes()).expect("written");
    let output = run(&["info", path.to_str().expect("UTF-8")], "");
    let lines = "2 × 2 samples, -3 to 7\ncells without a height: 1, the first at column 1 of row 1\nposition = [115.0, 890.0]\nspacing = [30.0, -20.0]\n";
    assert!(text(&output.stdout).ends_with(lines), "{}{}", text(&output.stdout), text(&output.stderr));
    let output = run(&["info", path.to_str().expect("UTF-8"), "--json"], "");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&json["position"], &json["holes"]["count"], &json["range"]), (&[115.0, 890.0].into(), &1.into(), &[-3.0, 7.0].into()));
    expect(&run(&["info", "no such file.tif"], ""), 74, &["no such file.tif"]);
    expect(&run(&["info", "Cargo.toml"], ""), 65, &["ends in no known format"]);
}

fn array(word: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let header = format!("{{'descr': {word}, 'fortran_order': {order}, 'shape': {shape}, }}\n");
    [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), data].concat()
}

#[test]
fn arrays_of_every_type_order_and_layout() {
    let values: [i16; 6] = [1, -2, 300, 4, 5, -600];
    let (expected, big) = (as_floats(&values), values.iter().flat_map(|x| x.to_be_bytes()).collect::<Vec<u8>>());
    holds("big.npy", &array("'>i2'", false, "(2, 3)", &big), [3, 2], &expected);
    holds("little.npy", &array("'<i2'", false, "(2, 3)", &shorts(&values)), [3, 2], &expected);
    holds("columns.npy", &array("'<i2'", true, "(3, 2)", &shorts(&values)), [2, 3], &[1.0, 4.0, -2.0, 5.0, 300.0, -600.0]);
    holds("band.npy", &array("'<i2'", false, "(1, 2, 3)", &shorts(&values)), [3, 2], &expected);
    holds("half.npy", &array("'<f2'", false, "(1, 2)", &[0, 0x3c, 0, 0xc0]), [2, 1], &[1.0, -2.0]);
    holds("bool.npy", &array("'|b1'", false, "(1, 2)", &[1, 0]), [2, 1], &[1.0, 0.0]);
    let long: Vec<u8> = [-3_i64, 1 << 40].iter().flat_map(|x| x.to_be_bytes()).collect();
    holds("long.npy", &array("'>i8'", false, "(1, 2)", &long), [2, 1], &[-3.0, (1i64 << 40) as f32]);
    for (word, shape, says) in [
        ("'<c8'", "(1, 1)", "an array of '<c8'"),
        ("[('a', '<f4')]", "(1, 2)", "several fields"),
        ("'<f4'", "(2,)", "shape [2]"),
        ("'<f4'", "(2, 1, 1, 1)", "allowed: (rows, columns)"),
        ("'<f4'", "(2, 2)", "2 numbers for 2 × 2"),
        ("'<f4'", "(0, 2)", "2 × 0 samples"),
    ] {
        let error = Heights::from_bytes("a.npy", &array(word, false, shape, &[0; 8])).expect_err(word).to_string();
        assert!(error.contains(says), "{word} {shape}: {error}");
    }
}

/// An EXR file of parts, each with channels of one number everywhere.
pub fn exr(parts: &[&[(&str, f32)]], window: Option<[i32; 2]>) -> Vec<u8> {
    use exr::prelude::{
        AnyChannel, AnyChannels, Encoding, FlatSamples, Image, ImageAttributes, IntegerBounds, Layer, LayerAttributes, Vec2, WritableImage,
    };
    let layer = |(k, channels): (usize, &&[(&str, f32)])| {
        let channels =
            channels.iter().map(|(name, value)| AnyChannel::new(*name, FlatSamples::F32((0..12).map(|i| value + i as f32).collect())));
        let mut attributes = LayerAttributes::named(format!("part {k}").as_str());
        attributes.layer_position = window.map_or(Vec2(0, 0), |[x, y]| Vec2(x, y));
        Layer::new((4, 3), attributes, Encoding::SMALL_LOSSLESS, AnyChannels::sort(channels.collect()))
    };
    let bounds = IntegerBounds::from_dimensions(if window.is_some() { (64, 64) } else { (4, 3) });
    let layers: exr::prelude::Layers<_> = parts.iter().enumerate().map(layer).collect();
    let mut file = std::io::Cursor::new(Vec::new());
    Image::from_layers(ImageAttributes::new(bounds), layers).write().to_buffered(&mut file).expect("EXR");
    file.into_inner()
}

#[test]
fn the_channel_of_heights_is_found() {
    for (parts, first) in [
        (&[&[("Y", 5.0)][..]][..], 5.0),
        (&[&[("A", 1.0), ("B", 30.0), ("G", 20.0), ("R", 10.0)]], 10.0),
        (&[&[("A", 1.0), ("R", 10.0), ("Y", 5.0)]], 5.0),
        (&[&[("A", 1.0), ("dem.A", 1.0), ("dem.B", 3.0), ("dem.R", 7.0)]], 7.0),
        (&[&[("A", 1.0), ("dem.Y", 9.0)]], 9.0),
        (&[&[("A", 1.0), ("height", 4.0)]], 4.0),
        (&[&[("A", 1.0), ("R", 2.0)], &[("Y", 8.0)]], 8.0),
    ] {
        let expected: Vec<f32> = (0..12).map(|i| first + i as f32).collect();
        holds("a.exr", &exr(parts, None), [4, 3], &expected);
        holds("window.exr", &exr(parts, Some([20, -3])), [4, 3], &expected);
    }
    for (parts, says) in [(&[&[("B", 1.0), ("G", 2.0)][..]][..], "channels B, G"), (&[&[("A", 1.0)]], "channels A")] {
        let error = Heights::from_bytes("a.exr", &exr(parts, None)).expect_err("no heights").to_string();
        assert!(error.contains(says) && error.contains("allowed: Y, R"), "{error}");
    }
}

/// Cut short anywhere, and with any byte changed: an error or other numbers, never a panic.
#[test]
fn damaged_files_are_errors() {
    let values = rough(17 * 19);
    let tiled = || Tiff::new([17, 19], 16, 2, Vec::new()).tiles(16, tiles(&values, [17, 19], 16));
    let files = [
        ("plain.tif", Tiff::new([4, 3], 16, 2, shorts(&values[..12])).text(42113, "-9999").bytes()),
        ("lzw.tif", tiled().compressed(5, lzw).bytes()),
        ("deflate.tif", tiled().compressed(8, deflate).bytes()),
        ("packbits.tif", tiled().compressed(32773, pack_bits).with(317, vec![Value::Short(2)]).bytes()),
        ("wide.tif", Tiff { wide: true, big: true, ..Tiff::new([4, 3], 16, 2, shorts(&values[..12])) }.bytes()),
        ("a.npy", array("'>i2'", true, "(2, 3)", &shorts(&values[..6]))),
        ("a.exr", exr(&[&[("A", 1.0), ("Y", 2.0)]], None)),
        ("a.jpg", include_bytes!("../../src/codec/blocks.jpg").to_vec()),
        ("a.asc", b"ncols 2\nnrows 2\ncellsize 1\n1 2 3 4\n".to_vec()),
        ("a.hgt", vec![1; 8]),
    ];
    let mut tried = 0;
    for (name, file) in files {
        read(name, &file);
        for end in 0..file.len() {
            drop(Heights::from_bytes(name, &file[..end]));
        }
        for at in 0..file.len() {
            for byte in [0, 1, 0x7f, 0xff, !file[at]] {
                let mut damaged = file.clone();
                damaged[at] = byte;
                drop(Heights::from_bytes(name, &damaged));
                tried += 1;
            }
        }
    }
    assert!(tried > 10_000, "{tried}");
}
