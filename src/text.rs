//! Decodes text: UTF-8 only, with a helpful message for other common encodings.

/// The byte order mark that Windows programs put before UTF-8 text.
pub(crate) const MARK: char = '\u{feff}';

/// Decodes UTF-8, including a byte order mark.
///
/// # Errors
/// Returns the end of a message about the file if the bytes are not UTF-8: the detected encoding, and the allowed one.
pub(crate) fn decode(bytes: &[u8]) -> Result<&str, &'static str> {
    if is_utf16(bytes) {
        return Err("is UTF-16 text; allowed: UTF-8 (choose this encoding when you save the file)");
    }
    std::str::from_utf8(bytes).map_err(|_| "is not UTF-8 text; allowed: UTF-8 (choose this encoding when you save the file)")
}

/// Whether bytes begin as UTF-16 text: with its byte order mark, or with an ASCII character.
fn is_utf16(bytes: &[u8]) -> bool {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [a, b, c, d, ..] => (*a != 0 && *b == 0 && *c != 0 && *d == 0) || (*a == 0 && *b != 0 && *c == 0 && *d != 0),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_utf_8_is_named() {
        let utf16 = |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        for text in ["\u{feff}1 2 3", "1 2 3", "output = \"ä\""] {
            assert_eq!(decode(text.as_bytes()), Ok(text));
            for bytes in [utf16(text, u16::to_le_bytes), utf16(text, u16::to_be_bytes)] {
                assert!(decode(&bytes).is_err_and(|why| why.starts_with("is UTF-16 text")), "{bytes:?}");
            }
        }
        for bytes in [&b"\xe9 1 2"[..], b"\xe9", b"\xff"] {
            assert!(decode(bytes).is_err_and(|why| why.starts_with("is not UTF-8 text")), "{bytes:?}");
        }
        assert_eq!(decode(b""), Ok(""));
        // Zero bytes alone do not indicate UTF-16.
        assert_eq!(decode(b"\0\0\0\0"), Ok("\0\0\0\0"));
    }
}
