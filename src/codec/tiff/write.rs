//! Directories of TIFF and BigTIFF, as far as a cloud-optimised file needs them. Sources: Aldus, *TIFF Revision 6.0*, 1992,
//! Adobe's technical notes, and *BigTIFF File Format*. The `tiff` crate writes strips instead of tiles, and puts directories
//! after the pixels that they describe. Here all directories are at the beginning.

/// A field of a directory.
#[derive(Clone)]
pub(crate) struct Field {
    pub tag: u16,
    pub value: Value,
}

/// The values of a field.
#[derive(Clone)]
pub(crate) enum Value {
    Short(Vec<u16>),
    Long(Vec<u32>),
    /// 64 bits; in a classic file 32.
    Offset(Vec<u64>),
    Double(Vec<f64>),
    Text(String),
}

/// Whether offsets have 64 bits.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Big(pub bool);

impl Value {
    /// The number of the type, the number of values, and their bytes in little endian.
    fn encoded(&self, Big(big): Big) -> (u16, u64, Vec<u8>) {
        match self {
            Value::Short(all) => (3, all.len() as u64, all.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Value::Long(all) => (4, all.len() as u64, all.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Value::Offset(all) if big => (16, all.len() as u64, all.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Value::Offset(all) => (4, all.len() as u64, all.iter().flat_map(|x| (*x as u32).to_le_bytes()).collect()),
            Value::Double(all) => (12, all.len() as u64, all.iter().flat_map(|x| x.to_le_bytes()).collect()),
            Value::Text(text) => (2, text.len() as u64 + 1, text.bytes().chain([0]).collect()),
        }
    }
}

impl Big {
    /// Offset of the first directory.
    pub fn header(self) -> u64 {
        if self.0 { 16 } else { 8 }
    }

    /// The bytes of a number that has the size of an offset.
    fn offset(self, offset: u64) -> Vec<u8> {
        if self.0 { offset.to_le_bytes().to_vec() } else { (offset as u32).to_le_bytes().to_vec() }
    }
}

/// The beginning of a file: the header, then each directory followed by the values of its fields. Fields must be in the order of
/// their tags. The length depends on the number of values only.
pub(crate) fn beginning(directories: &[Vec<Field>], big: Big) -> Vec<u8> {
    let mut out = if big.0 { vec![b'I', b'I', 43, 0, 8, 0, 0, 0] } else { vec![b'I', b'I', 42, 0] };
    out.extend(big.offset(big.header()));
    for (i, fields) in directories.iter().enumerate() {
        let last = i + 1 == directories.len();
        out = directory(out, fields, last, big);
    }
    out
}

/// Appends a directory.
fn directory(mut out: Vec<u8>, fields: &[Field], last: bool, big: Big) -> Vec<u8> {
    let (count, entry, small) = if big.0 { (8, 20, 8) } else { (2, 12, 4) };
    let beyond = out.len() + count + entry * fields.len() + small;
    let mut values = Vec::new();
    out.extend(&(fields.len() as u64).to_le_bytes()[..count]);
    for Field { tag, value } in fields {
        let (kind, numbers, mut bytes) = value.encoded(big);
        out.extend(tag.to_le_bytes());
        out.extend(kind.to_le_bytes());
        out.extend(big.offset(numbers));
        if bytes.len() <= small {
            bytes.resize(small, 0);
            out.extend(bytes);
        } else {
            out.extend(big.offset((beyond + values.len()) as u64));
            // The specification requires even offsets. Multiples of 8 suit readers of 64-bit numbers.
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            values.extend(bytes);
        }
    }
    let pad = (beyond + values.len()).next_multiple_of(8) - (beyond + values.len());
    values.extend(vec![0; pad]);
    let next = beyond + values.len();
    out.extend(big.offset(if last { 0 } else { next as u64 }));
    out.extend(values);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small picture's directory.
    fn fields(offset: u64) -> Vec<Field> {
        let short = |tag, value| Field { tag, value: Value::Short(vec![value]) };
        vec![
            Field { tag: 256, value: Value::Long(vec![16]) },
            Field { tag: 257, value: Value::Long(vec![32]) },
            short(258, 8),
            short(259, 1),
            short(262, 1),
            Field { tag: 270, value: Value::Text("a small picture".to_owned()) },
            short(277, 1),
            Field { tag: 322, value: Value::Long(vec![16]) },
            Field { tag: 323, value: Value::Long(vec![16]) },
            Field { tag: 324, value: Value::Offset(vec![offset, offset + 256]) },
            Field { tag: 325, value: Value::Long(vec![256, 256]) },
            Field { tag: 33550, value: Value::Double(vec![2.0, 2.0, 0.0]) },
        ]
    }

    #[test]
    fn numbers_stand_where_either_kind_of_file_says() {
        for big in [Big(false), Big(true)] {
            let directories = |at: u64| [fields(at), fields(at)];
            let length = beginning(&directories(0), big).len();
            let file = beginning(&directories(length as u64), big);
            assert_eq!(file.len(), length);
            let number = |at: usize, bytes: usize| (0..bytes).rev().fold(0, |all, i| all << 8 | usize::from(file[at + i]));
            let (word, count, header) = if big.0 { (8, 8, 8) } else { (4, 2, 4) };
            assert_eq!((&file[..2], number(2, 2)), (&b"II"[..], if big.0 { 43 } else { 42 }));
            let mut at = number(header, word);
            for next in [true, false] {
                assert_eq!((at % 8, number(at, count)), (0, 12));
                let entry = |tag: usize| {
                    let at = (0..12).map(|i| at + count + i * (4 + 2 * word)).find(|&at| number(at, 2) == tag).expect("the tag");
                    (number(at + 2, 2), number(at + 4, word), at + 4 + word)
                };
                assert_eq!((entry(257).0, entry(257).1, number(entry(257).2, 4)), (4, 1, 32));
                let (kind, long, offsets) = entry(324);
                assert_eq!((kind, long), (if big.0 { 16 } else { 4 }, 2));
                let offsets = number(offsets, word);
                assert_eq!((number(offsets, word), number(offsets + word, word)), (length, length + 256));
                let text = number(entry(270).2, word);
                assert_eq!(&file[text..text + entry(270).1], b"a small picture\0");
                let doubles = number(entry(33550).2, word);
                assert_eq!(f64::from_le_bytes(file[doubles..doubles + 8].try_into().expect("8 bytes")), 2.0);
                at = number(at + count + 12 * (4 + 2 * word), word);
                assert_eq!(at != 0, next);
            }
        }
    }
}
