//! Numbers → files of heights: NumPy arrays.

/// Version 1.0 header of NumPy's format for little-endian f32 of a shape, padded so that the numbers begin at a multiple of 64 bytes.
pub fn npy_header(shape: &[usize]) -> Vec<u8> {
    let shape = shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let mut text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}");
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend((text.len() as u16).to_le_bytes());
    header.extend(text.bytes());
    header
}

/// Numbers as a NumPy file of a shape, the last axis fastest.
pub fn npy(shape: &[usize], values: &[f32]) -> Vec<u8> {
    let mut bytes = npy_header(shape);
    bytes.reserve_exact(4 * values.len());
    values.iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
    bytes
}
