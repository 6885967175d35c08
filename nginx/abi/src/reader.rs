//! Taking little-endian numbers and bytes off the front of a slice.

/// The bytes end before what they announce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truncated;

/// Arguments that are two texts: u32 length of the first, the first, the second.
pub fn two(arguments: &[u8]) -> Result<(&[u8], &[u8]), Truncated> {
    let mut reader = Reader::new(arguments);
    let len = reader.u32()? as usize;
    Ok((reader.bytes(len)?, reader.rest))
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    pub rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { rest: bytes }
    }

    pub fn bytes(&mut self, len: usize) -> Result<&'a [u8], Truncated> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(Truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Truncated> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Truncated)?;
        self.rest = rest;
        Ok(*taken)
    }

    pub fn u8(&mut self) -> Result<u8, Truncated> {
        self.array().map(u8::from_le_bytes)
    }

    pub fn u16(&mut self) -> Result<u16, Truncated> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Result<u32, Truncated> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, Truncated> {
        self.array().map(u64::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_texts_are_told_apart_by_the_length_of_the_first() {
        assert_eq!(two(b"\x02\0\0\0abc"), Ok((&b"ab"[..], &b"c"[..])));
        assert_eq!(two(b"\0\0\0\0"), Ok((&b""[..], &b""[..])));
        for bad in [&b""[..], b"\0\0\0", b"\x02\0\0\0a", b"\xff\xff\xff\xffa"] {
            assert_eq!(two(bad), Err(Truncated));
        }
    }
}
