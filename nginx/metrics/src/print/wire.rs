//! Protobuf's wire format.

const VARINT: u32 = 0;
const FIXED64: u32 = 1;
const LENGTH_DELIMITED: u32 = 2;

/// A field that is an unsigned number, or a signed one by `zigzag`.
pub fn number(field: u32, value: u64, to: &mut Vec<u8>) {
    varint((field << 3 | VARINT).into(), to);
    varint(value, to);
}

pub fn double(field: u32, value: f64, to: &mut Vec<u8>) {
    varint((field << 3 | FIXED64).into(), to);
    to.extend_from_slice(&value.to_le_bytes());
}

/// A field that is a message or a text.
pub fn message(field: u32, bytes: &[u8], to: &mut Vec<u8>) {
    varint((field << 3 | LENGTH_DELIMITED).into(), to);
    length(bytes.len(), to);
    to.extend_from_slice(bytes);
}

/// A field of numbers; none is nothing. `scratch` is overwritten.
pub fn packed(
    field: u32,
    values: impl Iterator<Item = u64>,
    scratch: &mut Vec<u8>,
    to: &mut Vec<u8>,
) {
    scratch.clear();
    values.for_each(|value| varint(value, scratch));
    if !scratch.is_empty() {
        message(field, scratch, to);
    }
}

/// What stands in front of a message.
pub fn length(bytes: usize, to: &mut Vec<u8>) {
    varint(bytes as u64, to);
}

/// A signed number, small ones of both signs as small numbers.
pub fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

fn varint(mut value: u64, to: &mut Vec<u8>) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}
