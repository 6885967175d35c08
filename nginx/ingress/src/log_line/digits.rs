//! Numbers as nginx prints them.

pub fn put(number: u64, to: &mut Vec<u8>) {
    to.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// To three digits.
pub fn put_padded(number: u64, to: &mut Vec<u8>) {
    let zeros = usize::from(number < 100) + usize::from(number < 10);
    to.extend_from_slice(&b"00"[..zeros]);
    put(number, to);
}

pub fn put_seconds(milliseconds: u64, to: &mut Vec<u8>) {
    put(milliseconds / 1000, to);
    to.push(b'.');
    put_padded(milliseconds % 1000, to);
}
