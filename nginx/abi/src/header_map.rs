//! Header maps in the filter's memory. Spec: proxy-wasm v0.2.1, "Serialization":
//! u32 n, n times (u32 key length, u32 value length), then n times key, NUL, value, NUL.

use crate::reader::{Reader, Truncated};

/// One header: name, value.
pub type Pair<'a> = (&'a [u8], &'a [u8]);

/// Why bytes are no header map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapError {
    /// They end before what they announce.
    Truncated,
    /// A name or value is not followed by NUL.
    Terminator,
    /// Something follows the last pair.
    TrailingBytes,
}

impl From<Truncated> for MapError {
    fn from(_: Truncated) -> Self {
        MapError::Truncated
    }
}

/// A header map that was checked from end to end. Names and values may hold any byte, NUL and line breaks too.
#[derive(Clone, Copy, Debug)]
pub struct HeaderMap<'a> {
    lengths: &'a [u8],
    strings: &'a [u8],
}

impl<'a> HeaderMap<'a> {
    /// Checks `bytes`. No bytes and a single zero byte are the empty map, as filters write it.
    ///
    /// # Errors
    /// [`MapError`].
    pub fn parse(bytes: &'a [u8]) -> Result<HeaderMap<'a>, MapError> {
        if matches!(bytes, [] | [0]) {
            return Ok(HeaderMap { lengths: &[], strings: &[] });
        }
        let mut reader = Reader::new(bytes);
        let count = reader.u32()? as usize;
        let lengths = reader.bytes(count.checked_mul(8).ok_or(MapError::Truncated)?)?;
        let map = HeaderMap { lengths, strings: reader.rest };
        for (key_len, value_len) in map.lengths() {
            for len in [key_len, value_len] {
                reader.bytes(len)?;
                if reader.u8()? != 0 {
                    return Err(MapError::Terminator);
                }
            }
        }
        if reader.rest.is_empty() { Ok(map) } else { Err(MapError::TrailingBytes) }
    }

    pub fn len(&self) -> usize {
        self.lengths.len() / 8
    }

    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// The pairs in their order; names may repeat.
    pub fn iter(&self) -> impl Iterator<Item = Pair<'a>> + use<'a> {
        let mut strings = self.strings;
        let mut next = move |len: usize| {
            let (string, rest) = strings.split_at_checked(len + 1)?;
            strings = rest;
            string.split_last().map(|(_, string)| string)
        };
        self.lengths()
            .map_while(move |(key_len, value_len)| Some((next(key_len)?, next(value_len)?)))
    }

    fn lengths(&self) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        self.lengths.chunks_exact(8).map(|lengths| {
            let number = |at: usize| {
                lengths[at..at + 4].iter().rev().fold(0, |n, b| n << 8 | usize::from(*b))
            };
            (number(0), number(4))
        })
    }
}

/// Bytes that [`encode`] writes.
pub fn encoded_len(pairs: &[Pair]) -> usize {
    4 + pairs.iter().map(|(key, value)| 8 + key.len() + 1 + value.len() + 1).sum::<usize>()
}

/// Writes a map into `out`, which has exactly [`encoded_len`] bytes.
///
/// # Errors
/// [`Truncated`] when it has another length, or a count or length needs more than 32 bits; `out` is then unspecified.
pub fn encode(pairs: &[Pair], out: &mut [u8]) -> Result<(), Truncated> {
    let mut rest = out;
    let mut put = |bytes: &[u8]| -> Result<(), Truncated> {
        let (place, after) =
            std::mem::take(&mut rest).split_at_mut_checked(bytes.len()).ok_or(Truncated)?;
        place.copy_from_slice(bytes);
        rest = after;
        Ok(())
    };
    let number = |n: usize| u32::try_from(n).map(u32::to_le_bytes).map_err(|_| Truncated);
    put(&number(pairs.len())?)?;
    for (key, value) in pairs {
        put(&number(key.len())?)?;
        put(&number(value.len())?)?;
    }
    for string in pairs.iter().flat_map(|(key, value)| [key, value]) {
        put(string)?;
        put(&[0])?;
    }
    if rest.is_empty() { Ok(()) } else { Err(Truncated) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn encoded(pairs: &[Pair]) -> Vec<u8> {
        let mut out = vec![0xaa; encoded_len(pairs)];
        encode(pairs, &mut out).unwrap();
        out
    }

    #[test]
    fn the_format_is_that_of_the_specification() {
        let bytes = b"\x01\0\0\0\x02\0\0\0\x03\0\0\0ab\0xyz\0";
        assert_eq!(encoded(&[(b"ab", b"xyz")]), bytes);
        assert!(HeaderMap::parse(bytes).unwrap().iter().eq([(&b"ab"[..], &b"xyz"[..])]));
    }

    #[test]
    fn the_empty_map_has_three_forms() {
        for bytes in [&b""[..], b"\0", b"\0\0\0\0"] {
            let map = HeaderMap::parse(bytes).unwrap();
            assert!(map.is_empty() && map.iter().next().is_none());
        }
    }

    #[test]
    fn lengths_and_terminators_are_checked() {
        let parse = |bytes: &[u8]| HeaderMap::parse(bytes).err();
        assert_eq!(parse(b"\0\0"), Some(MapError::Truncated));
        assert_eq!(parse(b"\xff\xff\xff\xff"), Some(MapError::Truncated));
        assert_eq!(parse(b"\x01\0\0\0\xff\xff\xff\xff\0\0\0\0ab\0\0"), Some(MapError::Truncated));
        assert_eq!(parse(b"\x01\0\0\0\x01\0\0\0\0\0\0\0ab\0"), Some(MapError::Terminator));
        assert_eq!(parse(b"\0\0\0\0x"), Some(MapError::TrailingBytes));
    }

    #[test]
    fn encoding_needs_exactly_the_room_it_says() {
        let pairs: [Pair; 1] = [(b"ab", b"xyz")];
        let len = encoded_len(&pairs);
        assert_eq!(encode(&pairs, &mut vec![0; len - 1]), Err(Truncated));
        assert_eq!(encode(&pairs, &mut vec![0; len + 1]), Err(Truncated));
    }

    proptest! {
        #[test]
        fn any_map_comes_back(pairs: Vec<(Vec<u8>, Vec<u8>)>) {
            let pairs: Vec<Pair> = pairs.iter().map(|(key, value)| (&key[..], &value[..])).collect();
            let bytes = encoded(&pairs);
            let map = HeaderMap::parse(&bytes).unwrap();
            prop_assert_eq!(map.len(), pairs.len());
            prop_assert_eq!(map.iter().collect::<Vec<_>>(), pairs);
        }

        #[test]
        fn any_bytes_are_refused_or_whole(head in 0..4_u32, bytes: Vec<u8>) {
            for bytes in [&bytes[..], &[&head.to_le_bytes()[..], &bytes].concat()] {
                if let Ok(map) = HeaderMap::parse(bytes) {
                    prop_assert_eq!(map.iter().count(), map.len());
                }
            }
        }

        #[test]
        fn a_damaged_map_is_refused_or_whole(at: prop::sample::Index, byte: u8, cut: prop::sample::Index) {
            let mut bytes = encoded(&[(b"host", b"a.test"), (b"accept", b""), (b"", b"x")]);
            let (at, cut) = (at.index(bytes.len()), cut.index(bytes.len() + 1));
            bytes[at] = byte;
            for bytes in [&bytes[..], &bytes[..cut]] {
                if let Ok(map) = HeaderMap::parse(bytes) {
                    prop_assert_eq!(map.iter().count(), map.len());
                }
            }
        }
    }
}
