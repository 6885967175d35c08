//! Taking little-endian numbers and bytes off the front of a slice.

/// The bytes end before what they announce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truncated;

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
