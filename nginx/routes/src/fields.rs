//! Reading little-endian numbers and tagged fields from the front of a slice.

/// Takes `len` bytes off the front; `None` when there are fewer.
pub fn take<'a>(bytes: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (head, tail) = bytes.split_at_checked(len)?;
    *bytes = tail;
    Some(head)
}

/// Takes a u32, little endian, off the front.
pub fn take_u32(bytes: &mut &[u8]) -> Option<u32> {
    let (head, tail) = bytes.split_first_chunk()?;
    *bytes = tail;
    Some(u32::from_le_bytes(*head))
}

/// Takes one field off the front: a word with the id in its low 8 bits and the length in its high 24, then the bytes.
pub fn take_field<'a>(bytes: &mut &'a [u8]) -> Option<(u8, &'a [u8])> {
    let [id, low, middle, high] = take_u32(bytes)?.to_le_bytes();
    let len = u32::from_le_bytes([low, middle, high, 0]);
    Some((id, take(bytes, len as usize)?))
}
