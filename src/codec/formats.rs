//! Tests that every format of the tables reads what it wrote: at every bit depth, at small sizes, at the ends of ranges. They
//! cover a new row of tiles by themselves. A new row of [`HEIGHTS`] needs an example in [`examples`].

#![allow(clippy::panic, reason = "a test that panics has failed, and states where")]

use super::heights::{Declared, HeightEncoding, HeightsFacts, Source};
use super::tiff::{Big, Field, Part, Pixel, beginning};
use super::tile::{Placement, Samples, Shape, Storage};
use super::{Channels, Quantisation, npy};
use super::{Encoding, Format, HEIGHTS, TileFormat, VolumeFormat};
use half::f16;

/// Columns and rows.
const SIZES: [[u32; 2]; 5] = [[1, 1], [3, 5], [16, 1], [1, 7], [33, 31]];
/// Sizes of files of arrays, whose edges are whole chunks.
const SIZES_OF_ARRAYS: [[u32; 2]; 2] = [[8, 8], [16, 16]];
const RANGE: [f64; 2] = [-400.0, 8848.0];

/// Floats that a conversion may lose.
const EXTREMES: [f32; 10] =
    [0.0, -0.0, 1.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, f32::from_bits(1), f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

fn quantise() -> Quantisation {
    Quantisation::new(RANGE[0], RANGE[1]).expect("a range")
}

fn count(Shape { size, channels }: Shape) -> usize {
    size[0] as usize * size[1] as usize * channels
}

/// Numbers from 0 to 1. Two or more include both ends.
fn units(count: usize) -> Vec<f32> {
    let last = count.saturating_sub(1).max(1);
    (0..count).map(|i| if i == last { 1.0 } else { (i * 37 % last) as f32 / last as f32 }).collect()
}

/// The largest error of a number from 0 to 1 as one of these steps. 8-bit steps are rounded from 16-bit steps.
fn half_step(largest: u16) -> f32 {
    let wide = 0.5 / f32::from(u16::MAX);
    if largest == u16::MAX { wide } else { wide + 0.5 / f32::from(largest) }
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Samples for a number of channels, and the largest error of a file with steps up to `largest`.
fn values(shape: Shape, largest: u16) -> (Vec<f32>, f32) {
    let (units, half) = (units(count(shape)), half_step(largest) + f32::EPSILON);
    match shape.channels {
        1 => {
            let [lo, hi] = RANGE.map(|end| end as f32);
            // The value itself is rounded to f32, too.
            (units.iter().map(|unit| lo + (hi - lo) * unit).collect(), (hi - lo) * half + hi * f32::EPSILON)
        }
        3 => (units.iter().map(|unit| 2.0 * unit - 1.0).collect(), 2.0 * half),
        // A step of sRGB is up to 2.3 steps of linear light.
        _ => (units, 2.3 * half),
    }
}

/// The numbers that a raster reads from a file.
fn as_heights(name: &str, bytes: &[u8], columns: u32, encoding: HeightEncoding) -> Result<Vec<f32>, String> {
    let format = HeightsFacts::of(name)?;
    let declared = Declared { encoding, columns: (!format.has_size).then_some(columns) };
    format.decode(&Source { name, bytes, declared }).map(|grid| grid.values)
}

#[test]
fn every_format_reads_back_what_it_wrote() {
    for &format in Format::ALL {
        let facts = format.facts();
        let is_array = facts.placement == Placement::Array;
        let sizes: &[[u32; 2]] = if is_array { &SIZES_OF_ARRAYS } else { &SIZES };
        for (&channels, &size) in facts.channels.iter().flat_map(|channels| sizes.iter().map(move |size| (channels, size))) {
            let (shape, what) = (Shape { size, channels }, format!("{} of {size:?} × {channels}", format.name()));
            let range = format.is_integer().then(quantise);
            let write = |values: &[f32]| format.encode(Samples { shape, values }, range).expect(&what);
            let read = |bytes: &[u8]| format.decode(bytes, shape, range).expect(&what);
            let file = match &facts.storage {
                Storage::Steps8(_) | Storage::Steps16(_) => {
                    let (values, error) = values(shape, format.largest_step().expect("integers"));
                    let file = write(&values);
                    let found = read(&file.bytes);
                    assert_eq!(file.clipped, 0, "{what}");
                    assert_eq!(bits(&found), bits(&format.held(Samples { shape, values: &values }, range).expect(&what)), "{what}");
                    for (found, value) in found.iter().zip(&values) {
                        assert!((found - value).abs() <= error, "{what}: {found} for {value}");
                    }
                    // Both ends are kept.
                    let ends = |values: &[f32]| values.iter().copied().fold([f32::MAX, f32::MIN], |[a, b], x| [a.min(x), b.max(x)]);
                    assert!(count(shape) == 1 || ends(&found) == ends(&values), "{what}: {:?} for {:?}", ends(&found), ends(&values));
                    // The numbers of a file are written as the same file.
                    assert_eq!(write(&found).bytes, file.bytes, "{what}");
                    if channels == 1 {
                        assert!(format.encode(Samples { shape, values: &values }, None).is_err(), "{what}: no range");
                    }
                    file.bytes
                }
                Storage::Shares(_) => {
                    let masks = units(count(shape));
                    let file = write(&masks);
                    let found = read(&file.bytes);
                    for (pixel, masks) in found.chunks(channels).zip(masks.chunks(channels)) {
                        let (whole, shares): (f32, f32) = (masks.iter().sum(), pixel.iter().sum());
                        assert!((shares - 1.0).abs() < 1e-6, "{what}: {pixel:?}");
                        let near = |(share, mask): (&f32, &f32)| (share - mask / whole).abs() < 1.0 / 255.0;
                        assert!(whole == 0.0 || pixel.iter().zip(masks).all(near), "{what}: {pixel:?} for {masks:?}");
                    }
                    file.bytes
                }
                Storage::Floats(_) => {
                    let values: Vec<f32> = EXTREMES.iter().cycle().take(count(shape)).copied().collect();
                    let file = write(&values);
                    assert_eq!((bits(&read(&file.bytes)), file.clipped), (bits(&values), 0), "{what}");
                    file.bytes
                }
            };
            // A file that ends early, or is of another size. The last bytes of a PNG hold no pixel.
            for end in [0, 1, file.len() / 2] {
                assert!(format.decode(&file[..end], shape, range).is_err(), "{what}: {end} bytes of {}", file.len());
            }
            if !is_array {
                let wider = Shape { size: [size[0] + 1, size[1]], channels };
                assert!(format.decode(&file, wider, range).is_err(), "{what}: as {wider:?}");
            }
        }
        let refused = (1..=5).filter(|channels| !facts.channels.contains(channels));
        for channels in refused {
            let shape = Shape { size: [8, 8], channels };
            let tile = Samples { shape, values: &vec![0.5; count(shape)] };
            assert!(format.encode(tile, Some(quantise())).is_err(), "{} of {channels} channels", format.name());
        }
    }
}

#[test]
fn values_outside_the_range_and_not_numbers_are_clipped_and_counted() {
    let [lo, hi] = RANGE.map(|end| end as f32);
    let step = (hi - lo) / f32::from(u16::MAX);
    let values = [lo - 0.6 * step, hi + 0.6 * step, f32::NEG_INFINITY, f32::INFINITY, f32::NAN, lo, hi];
    let shape = Shape { size: [7, 1], channels: 1 };
    for &format in Format::ALL.iter().filter(|format| format.is_integer()) {
        let file = format.encode(Samples { shape, values: &values }, Some(quantise())).expect("a tile");
        assert_eq!(file.clipped, 5, "{}", format.name());
        let found = format.decode(&file.bytes, shape, Some(quantise())).expect("a tile");
        assert_eq!(found, [lo, hi, lo, hi, lo, lo, hi], "{}", format.name());
        // A range of one number: every value is that one.
        let flat = Quantisation::new(7.0, 7.0).expect("a range");
        let file = format.encode(Samples { shape, values: &[7.0; 7] }, Some(flat)).expect("a tile");
        assert_eq!(format.decode(&file.bytes, shape, Some(flat)).expect("a tile"), [7.0; 7], "{}", format.name());
    }
}

/// Rasters read tiles of one channel in every format that has a row in [`HEIGHTS`], too.
#[test]
fn a_raster_reads_the_tiles_of_every_format() {
    let is_read = |format: &Format| HeightsFacts::of(&format!("tile.{}", format.extension())).is_ok();
    for &format in Format::ALL.iter().filter(|format| format.channels().contains(&1) && is_read(format)) {
        for size in SIZES {
            let (shape, what) = (Shape { size, channels: 1 }, format!("{} of {size:?}", format.name()));
            let largest = format.largest_step();
            let (values, _) = values(shape, largest.unwrap_or(1));
            let file = format.encode(Samples { shape, values: &values }, Some(quantise())).expect(&what).bytes;
            let name = format!("tile.{}", format.extension());
            let found = as_heights(&name, &file, size[0], HeightEncoding::File).expect(&what);
            match largest {
                None => assert_eq!(bits(&found), bits(&values), "{what}"),
                Some(largest) => {
                    let [lo, hi] = RANGE.map(|end| end as f32);
                    for (found, value) in found.iter().zip(&values) {
                        let unit = (value - lo) / (hi - lo);
                        assert!((found - unit).abs() <= half_step(largest) + f32::EPSILON, "{what}: {found} for {unit}");
                    }
                }
            }
        }
    }
}

/// An example of a file: its bytes, its encoding, and its numbers.
struct Example {
    bytes: Vec<u8>,
    encoding: HeightEncoding,
    heights: Vec<f32>,
}

/// Integers of a number of bits. They include both ends.
fn integers(count: usize, bits: u32, signed: bool) -> Vec<i64> {
    let [lo, hi] = if signed { [-(1_i64 << (bits - 1)), (1 << (bits - 1)) - 1] } else { [0, (1 << bits) - 1] };
    [lo, hi, 0, 1, hi / 3].iter().cycle().take(count).copied().collect()
}

/// Plain numbers in an encoding; `None` for other encodings.
fn plain(encoding: HeightEncoding, count: usize) -> Option<Example> {
    let of = |heights: Vec<f32>, bytes: Vec<Vec<u8>>| Some(Example { bytes: bytes.concat(), encoding, heights });
    let unit = |bits: u32| {
        let all = integers(count, bits, false);
        (all.iter().map(|&x| (x as f64 / ((1_u64 << bits) - 1) as f64) as f32).collect::<Vec<f32>>(), all)
    };
    let whole = |bits: u32, signed: bool| {
        let all = integers(count, bits, signed);
        (all.iter().map(|&x| x as f32).collect::<Vec<f32>>(), all)
    };
    let floats: Vec<f32> = EXTREMES.iter().cycle().take(count).copied().collect();
    let write = |(heights, all): (Vec<f32>, Vec<i64>), bytes: fn(i64) -> Vec<u8>| of(heights, all.into_iter().map(bytes).collect());
    match encoding {
        HeightEncoding::File
        | HeightEncoding::Terrarium
        | HeightEncoding::MapboxRgb
        | HeightEncoding::Red
        | HeightEncoding::Green
        | HeightEncoding::Blue
        | HeightEncoding::Opacity
        | HeightEncoding::Lightness
        | HeightEncoding::GreenRed
        | HeightEncoding::BlueYellow => None,
        HeightEncoding::Uint8 => write(unit(8), |x| vec![x as u8]),
        HeightEncoding::Int8 => write(whole(8, true), |x| vec![x as u8]),
        HeightEncoding::Uint16Le => write(unit(16), |x| (x as u16).to_le_bytes().to_vec()),
        HeightEncoding::Uint16Be => write(unit(16), |x| (x as u16).to_be_bytes().to_vec()),
        HeightEncoding::Int16Le => write(whole(16, true), |x| (x as i16).to_le_bytes().to_vec()),
        HeightEncoding::Int16Be => write(whole(16, true), |x| (x as i16).to_be_bytes().to_vec()),
        HeightEncoding::Uint32Le => write(whole(32, false), |x| (x as u32).to_le_bytes().to_vec()),
        HeightEncoding::Uint32Be => write(whole(32, false), |x| (x as u32).to_be_bytes().to_vec()),
        HeightEncoding::Int32Le => write(whole(32, true), |x| (x as i32).to_le_bytes().to_vec()),
        HeightEncoding::Int32Be => write(whole(32, true), |x| (x as i32).to_be_bytes().to_vec()),
        HeightEncoding::Float32Le => of(floats.clone(), floats.iter().map(|x| x.to_le_bytes().to_vec()).collect()),
        HeightEncoding::Float32Be => of(floats.clone(), floats.iter().map(|x| x.to_be_bytes().to_vec()).collect()),
        HeightEncoding::Float64Le => of(floats.clone(), floats.iter().map(|x| f64::from(*x).to_le_bytes().to_vec()).collect()),
        HeightEncoding::Float64Be => of(floats.clone(), floats.iter().map(|x| f64::from(*x).to_be_bytes().to_vec()).collect()),
    }
}

/// NumPy arrays of every supported type.
fn arrays([columns, rows]: [u32; 2]) -> Vec<Example> {
    let count = columns as usize * rows as usize;
    let array = |word: &str, data: &[u8]| {
        // The header of an array of `<f4`, with another word: the length stays.
        let mut bytes = npy::encode(&[rows as usize, columns as usize], &[]);
        let at = bytes.windows(3).position(|three| three == b"<f4").expect("the type");
        bytes[at..at + 3].copy_from_slice(word.as_bytes());
        bytes.extend_from_slice(data);
        bytes
    };
    let mut all = Vec::new();
    let same: [(&str, HeightEncoding); 13] = [
        ("|u1", HeightEncoding::Uint8),
        ("|i1", HeightEncoding::Int8),
        ("<u2", HeightEncoding::Uint16Le),
        (">u2", HeightEncoding::Uint16Be),
        ("<i2", HeightEncoding::Int16Le),
        (">i2", HeightEncoding::Int16Be),
        ("<u4", HeightEncoding::Uint32Le),
        (">u4", HeightEncoding::Uint32Be),
        ("<i4", HeightEncoding::Int32Le),
        (">i4", HeightEncoding::Int32Be),
        (">f4", HeightEncoding::Float32Be),
        ("<f8", HeightEncoding::Float64Le),
        (">f8", HeightEncoding::Float64Be),
    ];
    for (word, encoding) in same {
        let Example { bytes, heights, .. } = plain(encoding, count).expect("plain numbers");
        all.push(Example { bytes: array(word, &bytes), encoding: HeightEncoding::File, heights });
    }
    let halves: Vec<f16> = [0.0, -2.5, 65504.0, 6e-8].iter().cycle().take(count).map(|&x| f16::from_f32(x)).collect();
    let data: Vec<u8> = halves.iter().flat_map(|x| x.to_le_bytes()).collect();
    all.push(Example { bytes: array("<f2", &data), encoding: HeightEncoding::File, heights: halves.iter().map(|x| x.to_f32()).collect() });
    for (word, signed) in [("<u8", false), ("<i8", true)] {
        let numbers = integers(count, 53, signed);
        let data: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        all.push(Example {
            bytes: array(word, &data),
            encoding: HeightEncoding::File,
            heights: numbers.iter().map(|&x| x as f32).collect(),
        });
    }
    let flags: Vec<u8> = (0..count).map(|i| (i % 2) as u8).collect();
    all.push(Example {
        bytes: array("|b1", &flags),
        encoding: HeightEncoding::File,
        heights: flags.iter().map(|&flag| f32::from(flag)).collect(),
    });
    all
}

/// A GeoTIFF of one tile, as maps write it.
fn geotiff(pixel: Pixel, values: &[f32], pixels: u32) -> Vec<u8> {
    let packed = pixel.packed(values, pixels as usize).expect("packed");
    let more: Vec<Field> = pixel.metadata().into_iter().collect();
    let header = |offset: u64| {
        let part = Part { size: [u64::from(pixels); 2], pixels, offsets: &[offset], counts: &[packed.len() as u32] };
        beginning(&[pixel.directory(&part, &more)], Big(false))
    };
    let mut bytes = header(header(0).len() as u64);
    bytes.extend(&packed);
    bytes
}

/// Example files of a format; empty if other tests write all of its files.
fn examples(format: &HeightsFacts, size: [u32; 2]) -> Vec<Example> {
    let [columns, rows] = size;
    let count = columns as usize * rows as usize;
    match format.endings[0] {
        "npy" => arrays(size),
        "r16" | "r32" | "raw" => {
            let allowed = HeightEncoding::ALL.iter().filter(|encoding| (format.allows)(**encoding));
            allowed.filter_map(|&encoding| plain(encoding, count)).collect()
        }
        "hgt" => {
            if columns != rows {
                return Vec::new();
            }
            let mut example = plain(HeightEncoding::Int16Be, count).expect("plain numbers");
            // The smallest integer is a cell without a height.
            example.heights.iter_mut().filter(|height| **height == -32768.0).for_each(|height| *height = f32::NAN);
            vec![Example { encoding: HeightEncoding::File, ..example }]
        }
        "asc" => {
            let heights: Vec<f32> = [0.0, -431.25, 8848.75, f32::NAN].iter().cycle().take(count).copied().collect();
            let words = heights.iter().map(|height| if height.is_nan() { "-9999".to_owned() } else { height.to_string() });
            let text = format!("ncols {columns}\nnrows {rows}\n{}\n", words.collect::<Vec<_>>().join(" "));
            vec![Example { bytes: text.into_bytes(), encoding: HeightEncoding::File, heights }]
        }
        "png" => {
            let tile = |(encoding, read_as): (&Encoding, HeightEncoding)| {
                let [lo, hi] = encoding.range().map(|end| end as f32);
                let pixels: Vec<[u8; 3]> = units(count).iter().filter_map(|unit| encoding.encode(lo + (hi - lo) * unit)).collect();
                let heights = pixels.iter().map(|pixel| encoding.decode(*pixel) as f32).collect();
                let bytes = TileFormat::Png.encode(pixels.as_flattened(), size, Channels::Rgb).expect("a picture");
                Example { bytes, encoding: read_as, heights }
            };
            Encoding::ALL.iter().zip([HeightEncoding::Terrarium, HeightEncoding::MapboxRgb]).map(tile).collect()
        }
        "jpg" => {
            // Four blocks of one colour each: a grey, red, green and blue, as steps of luminance.
            let grey = |i: u32| [[200.0, 54.0], [182.0, 18.0]][(i / 128) as usize][(i / 8 % 2) as usize] / 255.0;
            let heights = (0..256).map(grey).collect();
            let example = Example { bytes: include_bytes!("blocks.jpg").to_vec(), encoding: HeightEncoding::File, heights };
            if size == [16, 16] { vec![example] } else { Vec::new() }
        }
        // `a_raster_reads_the_tiles_of_every_format` covers this format.
        "exr" => Vec::new(),
        "tif" => {
            if columns != rows {
                return Vec::new();
            }
            let shape = Shape { size, channels: 1 };
            let rows_up = |values: &[f32]| values.chunks(columns as usize).rev().flatten().copied().collect::<Vec<f32>>();
            let floats: Vec<f32> = EXTREMES.iter().cycle().take(count).copied().collect();
            let (heights, _) = values(shape, 65535);
            let steps: Vec<f32> = heights.iter().map(|&height| quantise().value(quantise().step(height).0)).collect();
            let normals: Vec<f32> = units(3 * count);
            let red: Vec<f32> = normals.as_chunks::<3>().0.iter().map(|[x, ..]| ((0.5 * x + 0.5) * 255.0 + 0.5).floor() / 255.0).collect();
            let file = |pixel, values: &[f32], heights: &[f32]| Example {
                bytes: geotiff(pixel, values, columns),
                encoding: HeightEncoding::File,
                heights: rows_up(heights),
            };
            vec![
                file(Pixel::Float, &floats, &floats),
                file(Pixel::Integer(quantise()), &heights, &steps),
                file(Pixel::Normal, &normals, &red),
            ]
        }
        ending => panic!("no example of a file that ends in .{ending}"),
    }
}

#[test]
fn a_raster_reads_every_format_in_every_encoding() {
    for format in HEIGHTS {
        let mut written = 0;
        for size in SIZES.into_iter().chain([[4, 4], [16, 16]]) {
            for Example { bytes, encoding, heights } in examples(format, size) {
                let what = format!("{} of {size:?} as {encoding}", format.endings[0]);
                let found = as_heights(&format!("file.{}", format.endings[0]), &bytes, size[0], encoding).expect(&what);
                assert_eq!(found.len(), heights.len(), "{what}");
                for (found, height) in found.iter().zip(&heights) {
                    // Scale and offset are applied in f64: one rounding more than in a step's value.
                    let near = (found - height).abs() <= f32::EPSILON * height.abs().max(1.0);
                    assert!(
                        found.to_bits() == height.to_bits() || near || (found.is_nan() && height.is_nan()),
                        "{what}: {found} for {height}"
                    );
                }
                written += 1;
            }
        }
        assert!(written > 0 || Format::ALL.iter().any(|tiles| format.endings.contains(&tiles.extension())), "{}", format.endings[0]);
    }
}

/// Declarations are allowed exactly where a format has an example of them.
#[test]
fn declarations_are_those_of_the_format() {
    for format in HEIGHTS {
        for &encoding in HeightEncoding::ALL {
            let declared = Declared { encoding, columns: None };
            assert_eq!(format.check(declared).is_ok(), (format.allows)(encoding), "{} as {encoding}", format.endings[0]);
        }
        assert!((format.allows)(HeightEncoding::File) || format.endings == ["raw"], "{}", format.endings[0]);
        let declared = Declared { encoding: HeightEncoding::ALL[0], columns: Some(2) };
        assert!(!format.has_size || format.check(declared).is_err(), "{}", format.endings[0]);
        for ending in format.endings {
            let found = HeightsFacts::of(&format!("A.B/heights.{}", ending.to_uppercase())).expect("a format");
            assert_eq!(found.endings, format.endings, "an ending of two formats");
        }
    }
}

#[test]
fn pictures_lose_no_bit() {
    for &format in TileFormat::ALL {
        for (size, (channels, each)) in SIZES.into_iter().flat_map(|size| [(size, (Channels::Rgb, 3)), (size, (Channels::Rgba, 4))]) {
            let pixels: Vec<u8> = (0..count(Shape { size, channels: each })).map(|i| (i * 37 % 256) as u8).collect();
            let what = format!("{} of {size:?}, {channels:?}", format.name());
            let file = format.encode(&pixels, size, channels).expect(&what);
            let read = image::load_from_memory(&file).expect(&what);
            assert_eq!([read.width(), read.height()], size, "{what}");
            let found = match channels {
                Channels::Rgb => read.into_rgb8().into_raw(),
                Channels::Rgba => read.into_rgba8().into_raw(),
            };
            assert_eq!(found, pixels, "{what}");
        }
    }
}

#[test]
fn colours_hold_their_range_and_nothing_else() {
    for &encoding in Encoding::ALL {
        let ([lo, hi], name) = (encoding.range(), encoding.name());
        let step = encoding.decode([0, 0, 1]) - encoding.decode([0, 0, 0]);
        assert_eq!([encoding.decode([0; 3]), encoding.decode([255; 3])], [lo, hi], "{name}");
        for height in [lo as f32, hi as f32, 0.0, 8848.86, -431.0, 0.049] {
            let pixel = encoding.encode(height).expect(name);
            assert!((encoding.decode(pixel) - f64::from(height)).abs() <= 0.5 * step + 1e-9, "{name}: {height}");
        }
        for height in [(lo - step) as f32, (hi + 100.0 * step) as f32, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(encoding.encode(height), None, "{name}: {height}");
        }
    }
}

#[test]
fn volumes_are_little_endian_floats_at_the_end_of_the_file() {
    let values: Vec<f32> = EXTREMES.iter().cycle().take(3 * 5 * 7).copied().collect();
    for &format in VolumeFormat::ALL {
        let file = format.encode(&[3, 5, 7], &values);
        let found: Vec<u32> =
            file[file.len() - 4 * values.len()..].as_chunks::<4>().0.iter().map(|four| u32::from_le_bytes(*four)).collect();
        assert_eq!(found, bits(&values), "{}", format.name());
    }
}

#[cfg(feature = "clap")]
#[test]
fn the_words_of_arguments_are_those_of_records() {
    use clap::ValueEnum;
    for format in Format::ALL {
        let value = format.to_possible_value().map(|value| value.get_name().to_owned());
        assert_eq!(value.as_deref(), (!format.is_weights()).then_some(format.name()), "{format:?}");
        assert_eq!(serde_json::to_value(format).expect("a word"), format.name());
    }
    for format in TileFormat::ALL {
        assert_eq!(format.to_possible_value().expect("a word").get_name(), format.name());
    }
}
