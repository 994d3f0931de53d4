//! Files of animations: APNG, GIF and WebP, which repeat forever, and sequences of PNG.

use crate::exit::{Failure, UNEXPECTED, USAGE};
use crate::{out, output};
use image::ExtendedColorType::Rgb8;
use image::codecs::webp::WebPEncoder;
use orogen::draw::Picture;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// A format of frames, by the ending of a name.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Format {
    WebP,
    Apng,
    Gif,
    Sequence,
}

/// The file or files of an animation.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    path: &'a Path,
    format: Format,
}

/// Size and speed of an animation.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    pub size: [u32; 2],
    pub frames: u32,
    pub fps: u16,
}

impl Timing {
    /// The duration of a frame in hundredths of a second.
    fn hundredths(self) -> u16 {
        (100 + self.fps / 2) / self.fps
    }

    /// The duration of a frame in milliseconds.
    fn milliseconds(self) -> u32 {
        let fps = u32::from(self.fps);
        (1000 + fps / 2) / fps
    }
}

impl<'a> Output<'a> {
    /// Reads the format from the name.
    ///
    /// # Errors
    /// Returns an error for another ending, or if the names of a sequence would be equal.
    pub fn new(path: &'a Path) -> Result<Self, Failure> {
        let formats = [("webp", Format::WebP), ("apng", Format::Apng), ("gif", Format::Gif), ("png", Format::Sequence)];
        let format = output::format(path, formats)?;
        if format == Format::Sequence {
            numbered(path, 0)?;
        }
        Ok(Output { path, format })
    }

    /// Frames per second by the durations in the file. A GIF counts in hundredths of a second and a WebP in thousandths, so the rate
    /// may differ from the requested one.
    pub fn rate(self, timing: Timing) -> String {
        let rate = match self.format {
            Format::Gif => 100.0 / f64::from(timing.hundredths()),
            Format::WebP => 1000.0 / f64::from(timing.milliseconds()),
            Format::Apng | Format::Sequence => f64::from(timing.fps),
        };
        let text = format!("{rate:.1}");
        text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
    }

    /// Writes frames in order. A file has its name when it is complete.
    ///
    /// # Errors
    /// Returns the errors of the frames, of encoders and of files.
    pub fn write(self, timing: Timing, frames: impl Iterator<Item = Result<Picture, Failure>>) -> Result<(), Failure> {
        let bytes = match self.format {
            Format::WebP => self.webp(timing, frames)?,
            Format::Apng => self.apng(timing, frames)?,
            Format::Gif => self.gif(timing, frames)?,
            Format::Sequence => {
                for (index, frame) in frames.enumerate() {
                    let path = numbered(self.path, index)?;
                    out::write(&path, frame?.to_png().map_err(|error| Failure::file(&path, &error))?)?;
                }
                return Ok(());
            }
        };
        out::write(self.path, bytes)
    }

    fn failed(self, error: impl Display) -> Failure {
        Failure::message(UNEXPECTED, format!("{}: {error}", self.path.display()))
    }

    fn apng(self, timing: Timing, frames: impl Iterator<Item = Result<Picture, Failure>>) -> Result<Vec<u8>, Failure> {
        let (mut bytes, [width, height]) = (Vec::new(), timing.size);
        let begin = |bytes| {
            let mut encoder = png::Encoder::new(bytes, width, height);
            encoder.set_color(png::ColorType::Rgb);
            encoder.set_animated(timing.frames, 0)?;
            encoder.set_frame_delay(1, timing.fps)?;
            encoder.write_header()
        };
        let mut writer = begin(&mut bytes).map_err(|error| self.failed(error))?;
        for frame in frames {
            writer.write_image_data(&frame?.rgb).map_err(|error| self.failed(error))?;
        }
        writer.finish().map_err(|error| self.failed(error))?;
        Ok(bytes)
    }

    fn gif(self, timing: Timing, frames: impl Iterator<Item = Result<Picture, Failure>>) -> Result<Vec<u8>, Failure> {
        let (mut bytes, [width, height]) = (Vec::new(), timing.size.map(|edge| edge as u16));
        let mut encoder = gif::Encoder::new(&mut bytes, width, height, &[]).map_err(|error| self.failed(error))?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(|error| self.failed(error))?;
        let delay = timing.hundredths();
        for frame in frames {
            // Up to 256 colours are exact. Speed 10 looks at every tenth pixel for a palette of more.
            let frame = gif::Frame::from_rgb_speed(width, height, &frame?.rgb, 10);
            encoder.write_frame(&gif::Frame { delay, ..frame }).map_err(|error| self.failed(error))?;
        }
        drop(encoder);
        Ok(bytes)
    }

    /// The container of WebP (RFC 9649), around images that the crate `image` encodes without loss.
    fn webp(self, timing: Timing, frames: impl Iterator<Item = Result<Picture, Failure>>) -> Result<Vec<u8>, Failure> {
        // Begins of a file: "RIFF", its size, "WEBP".
        const FILE: usize = 12;
        // A canvas without transparency, and endless repetition.
        const ANIMATED: u8 = 0b10;
        let three = |number: u32| number.to_le_bytes().into_iter().take(3);
        let [width, height] = timing.size.map(|edge| edge - 1);
        let canvas = || three(width).chain(three(height));
        let mut body = b"WEBP".to_vec();
        chunk(&mut body, b"VP8X", &[ANIMATED, 0, 0, 0].into_iter().chain(canvas()).collect::<Vec<u8>>());
        chunk(&mut body, b"ANIM", &[0; 6]);
        let milliseconds = timing.milliseconds();
        for frame in frames {
            let (mut image, Picture { width, height, rgb }) = (Vec::new(), frame?);
            WebPEncoder::new_lossless(&mut image).encode(&rgb, width, height, Rgb8).map_err(|error| self.failed(error))?;
            // At the canvas' corner; a frame replaces the last one.
            let header = [0; 6].into_iter().chain(canvas()).chain(three(milliseconds)).chain([ANIMATED]);
            let data: Vec<u8> = header.chain(image.into_iter().skip(FILE)).collect();
            chunk(&mut body, b"ANMF", &data);
        }
        if u32::try_from(body.len()).is_err() {
            return Err(self.failed("a WebP has at most 4 GiB; allowed: fewer frames or pixels, or a sequence of PNG"));
        }
        let mut file = Vec::with_capacity(body.len() + 8);
        chunk(&mut file, b"RIFF", &body);
        Ok(file)
    }
}

/// Adds a chunk of a RIFF file.
fn chunk(to: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    to.extend(name);
    to.extend((data.len() as u32).to_le_bytes());
    to.extend(data);
    to.extend(std::iter::repeat_n(0, data.len() % 2));
}

/// The name of a sequence's frame: its number replaces `%d`, or `%03d` with at least three digits.
fn numbered(path: &Path, frame: usize) -> Result<PathBuf, Failure> {
    let parsed = path.file_name().and_then(|name| name.to_str()).and_then(|name| {
        let (before, rest) = name.split_once('%')?;
        let (digits, after) = rest.split_once('d')?;
        let width = match digits.strip_prefix('0') {
            Some(width) => width.parse().ok().filter(|width| (1..=9).contains(width))?,
            None => 0_usize,
        };
        let is_whole = (digits.is_empty() || digits.starts_with('0')) && !after.contains('%');
        is_whole.then(|| path.with_file_name(format!("{before}{frame:0width$}{after}")))
    });
    parsed.ok_or_else(|| {
        let message = "with --frames, the name of a PNG needs one place for the number of the frame";
        let allowed = "allowed: %d or %03d in the name, such as NAME-%03d.png, or the ending .webp, .apng or .gif";
        Failure::message(USAGE, format!("-o {}: {message}; {allowed}", path.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::numbered;
    use std::path::Path;

    #[test]
    fn frames_are_numbered_in_their_names() {
        let name = |pattern: &str| numbered(Path::new(pattern), 7).ok().map(|path| path.display().to_string());
        for (pattern, expected) in [("%d.png", "7.png"), ("a/b-%03d.png", "a/b-007.png"), ("x%01d-.png", "x7-.png")] {
            assert_eq!(name(pattern).as_deref(), Some(expected));
        }
        for pattern in ["x.png", "%.png", "%x.png", "%3d.png", "%0d.png", "%010d.png", "%d-%d.png", "%+d.png", "%d/x.png", ".."] {
            assert_eq!(name(pattern), None, "{pattern}");
        }
    }
}
