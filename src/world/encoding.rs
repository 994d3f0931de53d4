//! Bytes of parts: whole numbers of 1 to 10 bytes (LEB128), and byte strings after their length. Equal parts have equal bytes.

/// Appends a whole number.
pub(crate) fn put(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push(n as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}

/// Takes a whole number off the front; `None` if there is none.
pub(crate) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut n = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let low = u64::from(byte & 0x7f);
        // The tenth byte holds a single bit.
        if shift == 63 && low > 1 {
            return None;
        }
        n |= low << shift;
        if byte < 0x80 {
            return Some(n);
        }
    }
    None
}

/// Appends a byte string.
pub(crate) fn put_bytes(bytes: &mut Vec<u8>, string: &[u8]) {
    put(bytes, string.len() as u64);
    bytes.extend_from_slice(string);
}

/// Takes a byte string off the front.
pub(crate) fn take_bytes<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(take(bytes)?).ok()?;
    let (string, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_strings_come_back_and_nothing_else_is_read() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), 1 << 63, u64::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&n| put(&mut bytes, n));
        put_bytes(&mut bytes, b"part");
        let mut rest = &bytes[..];
        assert!(numbers.iter().all(|&n| take(&mut rest) == Some(n)));
        assert_eq!(take_bytes(&mut rest), Some(&b"part"[..]));
        assert_eq!((rest.len(), take(&mut rest)), (0, None));
        assert_eq!(take(&mut &[0xff; 11][..]), None, "more than ten bytes");
        let tenth = |byte: u8| [[0xff; 9].as_slice(), &[byte]].concat();
        assert_eq!([1, 2].map(|byte| take(&mut &tenth(byte)[..])), [Some(u64::MAX), None], "more than 64 bits");
        assert_eq!(take_bytes(&mut &[200, 1, 7][..]), None, "a string that is cut off");
    }
}
