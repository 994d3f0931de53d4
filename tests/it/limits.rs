//! Input without end, and files that declare huge sizes: refused by type, size and limit, before anything is read or allocated.

use crate::support::{Scratch, expect, limited, run, text};
use flate2::{Compress, Compression, Crc, FlushCompress};
use orogen::node::{Heights, HeightsError};
use orogen::{Recipe, RecipeError, limits};
use std::io::ErrorKind;

/// A recipe whose fourth line names a file of heights.
fn recipe(heights: &str) -> String {
    format!("output = 'r'\n[node.r]\nkind = 'raster'\nheights = '{heights}'\n")
}

/// The output of `sample` for heights with this name, in a process limited to 3 GB of addresses.
fn sample(scratch: &Scratch, heights: &str) -> std::process::Output {
    let (recipe, points) = (scratch.file("r.toml", &recipe(heights)), scratch.file("points", "0 0 0\n"));
    let args = ["sample", crate::support::path(&recipe), "--points", crate::support::path(&points), "--backend", "cpu", "--threads", "1"];
    limited("-v 3000000", &args)
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_no_regular_file_is_refused_unread() {
    let scratch = Scratch::new("limits-type");
    let made = std::process::Command::new("mkfifo").arg(scratch.0.join("pipe.npy")).status().expect("mkfifo");
    assert!(made.success());
    std::os::unix::fs::symlink("/dev/zero", scratch.0.join("zero.r32")).expect("a link");
    std::fs::create_dir(scratch.0.join("folder.png")).expect("a folder");
    let socket = std::os::unix::net::UnixListener::bind(scratch.0.join("socket.exr")).expect("a socket");
    for (name, says) in [
        ("/dev/zero", "ends in no known format"),
        ("pipe.npy", "is a pipe; allowed: a regular file"),
        ("zero.r32", "is a device; allowed: a regular file"),
        ("folder.png", "is a directory; allowed: a regular file"),
        ("socket.exr", "is a socket; allowed: a regular file"),
    ] {
        expect(&sample(&scratch, name), 65, &["r.toml:4:", "node 'r': heights", name, says]);
    }
    drop(socket);
}

#[test]
fn a_file_larger_than_any_heights_is_refused_by_its_size() {
    let scratch = Scratch::new("limits-size");
    // Without content: it takes no place.
    let file = std::fs::File::create(scratch.0.join("large.r32")).expect("a file");
    file.set_len(limits::HEIGHTS + 1).expect("a file with holes");
    let says = format!("has {} bytes; allowed: up to {}", limits::HEIGHTS + 1, limits::HEIGHTS);
    expect(&sample(&scratch, "large.r32"), 65, &["r.toml:4:", &says]);
}

fn png_chunk(kind: &[u8], data: &[u8]) -> Vec<u8> {
    let mut crc = Crc::new();
    crc.update(kind);
    crc.update(data);
    [&(data.len() as u32).to_be_bytes()[..], kind, data, &crc.sum().to_be_bytes()].concat()
}

/// A grey PNG of 8 bits that declares this size, with one chunk more.
fn png(size: [u32; 2], more: &[u8], pixels: &[u8]) -> Vec<u8> {
    let header = [&size[0].to_be_bytes()[..], &size[1].to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
    [b"\x89PNG\r\n\x1a\n", &png_chunk(b"IHDR", &header)[..], more, &png_chunk(b"IDAT", &zlib(pixels, 1)), &png_chunk(b"IEND", b"")].concat()
}

/// A stream that unpacks to these bytes, so often.
fn zlib(bytes: &[u8], times: usize) -> Vec<u8> {
    let mut piece = Vec::with_capacity(bytes.len() / 500 + 1000);
    Compress::new(Compression::best(), false).compress_vec(bytes, &mut piece, FlushCompress::Full).expect("compressed");
    let sums = bytes.iter().fold([1, 0], |[a, b], &byte| {
        let a = (a + u32::from(byte)) % 65_521;
        [a, (a + b) % 65_521]
    });
    // An empty last block, and the checksum, which is right for one time.
    [&[0x78, 0xda][..], &piece.repeat(times), &[0x03, 0x00], &(sums[1] << 16 | sums[0]).to_be_bytes()].concat()
}

#[test]
fn metadata_that_unpacks_to_gigabytes_is_not_unpacked() {
    let scratch = Scratch::new("limits-bomb");
    let bomb = zlib(&vec![0; 1 << 24], 256);
    assert!(bomb.len() < 6 << 20, "4 GiB in {} bytes", bomb.len());
    for (name, kind, head) in [("icc", b"iCCP", &b"x\0\0"[..]), ("text", b"zTXt", b"x\0\0"), ("international", b"iTXt", b"x\0\x01\0\0\0")] {
        let more = png_chunk(kind, &[head, &bomb].concat());
        std::fs::write(scratch.0.join(format!("{name}.png")), png([16, 16], &more, &[0; 17 * 16])).expect("written");
        let output = sample(&scratch, &format!("{name}.png"));
        // The picture is right, and is read, with the memory of a picture.
        expect(&output, 0, &[]);
        assert_eq!(text(&output.stdout).trim(), "0.00000000e0", "{name}");
    }
}

/// Files of a few hundred bytes whose headers stand for 68 GB and more.
fn promises() -> Vec<(&'static str, Vec<u8>)> {
    let edge = 131_072_u32;
    let entry = |tag: u16, kind: u16, count: u32, value: u32| {
        [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &count.to_le_bytes(), &value.to_le_bytes()].concat()
    };
    let entries = [
        entry(256, 4, 1, edge),
        entry(257, 4, 1, edge),
        entry(258, 3, 1, 32),
        entry(259, 3, 1, 1),
        entry(262, 3, 1, 1),
        entry(273, 4, 1, 8),
        entry(277, 3, 1, 1),
        entry(278, 4, 1, edge),
        entry(279, 4, 1, u32::MAX),
        entry(339, 3, 1, 3),
    ];
    let tiff = [b"II*\0\x08\0\0\0", &(entries.len() as u16).to_le_bytes()[..], &entries.concat(), &[0; 4]].concat();
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({edge}, {edge}), }}");
    header.push_str(&" ".repeat(117 - header.len()));
    let npy = [b"\x93NUMPY\x01\0", &118_u16.to_le_bytes()[..], header.as_bytes(), b"\n", &[0; 64]].concat();
    let attribute = |name: &str, kind: &str, value: &[u8]| {
        [name.as_bytes(), b"\0", kind.as_bytes(), b"\0", &(value.len() as u32).to_le_bytes(), value].concat()
    };
    let window = [0_u32, 0, edge - 1, edge - 1].map(u32::to_le_bytes).concat();
    let channel = [b"Y\0", &2_u32.to_le_bytes()[..], &[0; 4], &[1, 0, 0, 0, 1, 0, 0, 0]].concat();
    let exr = [
        &[0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0][..],
        &attribute("channels", "chlist", &[&channel[..], b"\0"].concat()),
        &attribute("compression", "compression", &[0]),
        &attribute("dataWindow", "box2i", &window),
        &attribute("displayWindow", "box2i", &window),
        &attribute("lineOrder", "lineOrder", &[0]),
        &attribute("pixelAspectRatio", "float", &1_f32.to_le_bytes()),
        &attribute("screenWindowCenter", "v2f", &[0; 8]),
        &attribute("screenWindowWidth", "float", &1_f32.to_le_bytes()),
        &[0; 64],
    ]
    .concat();
    vec![("large.png", png([edge; 2], &[], &[0; 64])), ("large.tif", tiff), ("large.npy", npy), ("large.exr", exr)]
}

#[test]
fn a_header_that_promises_too_much_allocates_nothing() {
    let scratch = Scratch::new("limits-promise");
    for (name, bytes) in promises() {
        assert!(bytes.len() < 1000, "{name}: {} bytes", bytes.len());
        std::fs::write(scratch.0.join(name), bytes).expect("written");
        expect(&sample(&scratch, name), 65, &["r.toml:4:", name, "131072 × 131072 samples", "allowed: 1 to 16384"]);
    }
}

#[test]
fn a_recipe_is_bounded_and_may_come_from_a_pipe() {
    let scratch = Scratch::new("limits-recipe");
    let file = std::fs::File::create(scratch.0.join("large.toml")).expect("a file");
    file.set_len(limits::RECIPE + 1).expect("a file with holes");
    let large = scratch.0.join("large.toml");
    let error = Recipe::load(&large).expect_err("too large");
    assert!(matches!(error, RecipeError::Text { .. }) && error.to_string().contains("allowed: up to 4194304"), "{error}");
    let points = scratch.file("points", "0 0 0\n");
    let of = |recipe: &str, input: &str| run(&["sample", recipe, "--points", crate::support::path(&points), "--backend", "cpu"], input);
    expect(&of(crate::support::path(&large), ""), 65, &["large.toml:1:1", "allowed: up to 4194304"]);
    #[cfg(target_os = "linux")]
    {
        expect(&of("/dev/zero", ""), 65, &["/dev/zero:1:1", "has more than 4194304 bytes"]);
        expect(&of("/dev/stdin", "output = 'c'\n[node.c]\nkind = 'constant'\n"), 0, &[]);
    }
}

#[test]
fn the_library_says_which_limit_it_is() {
    let scratch = Scratch::new("limits-library");
    let file = std::fs::File::create(scratch.0.join("large.npy")).expect("a file");
    file.set_len(limits::HEIGHTS + 1).expect("a file with holes");
    let error = Heights::read(scratch.0.join("large.npy")).expect_err("too large");
    assert!(matches!(&error, HeightsError::Read(error) if error.kind() == ErrorKind::FileTooLarge), "{error}");
    // The ending is looked at first: there is no such file.
    let error = Heights::read(scratch.0.join("nothing.gif")).expect_err("a format");
    assert!(matches!(error, HeightsError::Format(_)), "{error}");
}
