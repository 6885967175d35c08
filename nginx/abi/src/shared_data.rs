//! Shared data: which zone a key belongs to, and the arguments and results of the foreign functions on it (docs/abi.md).

use crate::reader::{Reader, Truncated};

/// Value length that stands for: delete the key.
pub const DELETE: u32 = u32::MAX;
/// The zone of keys that name none.
pub const DEFAULT_ZONE: &[u8] = b"*";

/// The zone of a key: the text before its first `/`, else [`DEFAULT_ZONE`]. The stored key is the whole text.
pub fn zone_of(key: &[u8]) -> &[u8] {
    key.iter().position(|byte| *byte == b'/').map_or(DEFAULT_ZONE, |at| &key[..at])
}

/// One write of `wick_set_shared_data_many`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedWrite<'a> {
    pub key: &'a [u8],
    /// `None` deletes.
    pub value: Option<&'a [u8]>,
    /// 0: no check; all ones: the key must be absent; else its cas number.
    pub cas: u32,
}

/// Reads the argument of `wick_set_shared_data_many`: all of its writes.
///
/// # Errors
/// [`Truncated`] when it is shorter or longer than it announces.
pub fn parse_writes(arguments: &[u8]) -> Result<Vec<SharedWrite<'_>>, Truncated> {
    const HEAD_BYTES: usize = 12;
    let mut reader = Reader::new(arguments);
    let count = reader.u32()? as usize;
    if count > reader.rest.len() / HEAD_BYTES {
        return Err(Truncated); // before room for that many is made
    }
    let writes = (0..count).map(|_| parse_write(&mut reader)).collect::<Result<_, _>>()?;
    if reader.rest.is_empty() { Ok(writes) } else { Err(Truncated) }
}

fn parse_write<'a>(reader: &mut Reader<'a>) -> Result<SharedWrite<'a>, Truncated> {
    let (key_len, value_len, cas) = (reader.u32()?, reader.u32()?, reader.u32()?);
    let key = reader.bytes(key_len as usize)?;
    let value = match value_len {
        DELETE => None,
        len => Some(reader.bytes(len as usize)?),
    };
    Ok(SharedWrite { key, value, cas })
}

/// The argument of `wick_list_shared_data`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListRequest<'a> {
    /// 0: from the start.
    pub cursor: u64,
    pub max: u32,
    /// Includes the zone.
    pub prefix: &'a [u8],
}

impl<'a> ListRequest<'a> {
    /// # Errors
    /// [`Truncated`] when cursor and number are not all there.
    pub fn parse(arguments: &'a [u8]) -> Result<ListRequest<'a>, Truncated> {
        let mut reader = Reader::new(arguments);
        let (cursor, max) = (reader.u64()?, reader.u32()?);
        Ok(ListRequest { cursor, max, prefix: reader.rest })
    }
}

/// The result of `wick_list_shared_data`.
///
/// # Errors
/// [`Truncated`] when the number of keys or the length of one needs more than 32 bits.
pub fn encode_keys(next_cursor: u64, keys: &[impl AsRef<[u8]>]) -> Result<Vec<u8>, Truncated> {
    let number = |n: usize| u32::try_from(n).map(u32::to_le_bytes).map_err(|_| Truncated);
    let mut bytes = next_cursor.to_le_bytes().to_vec();
    bytes.extend(number(keys.len())?);
    for key in keys.iter().map(AsRef::as_ref) {
        bytes.extend(number(key.len())?);
        bytes.extend(key);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn encode_writes(writes: &[SharedWrite]) -> Vec<u8> {
        let mut bytes = (writes.len() as u32).to_le_bytes().to_vec();
        for write in writes {
            bytes.extend((write.key.len() as u32).to_le_bytes());
            bytes.extend(write.value.map_or(DELETE, |value| value.len() as u32).to_le_bytes());
            bytes.extend(write.cas.to_le_bytes());
            bytes.extend(write.key);
            bytes.extend(write.value.unwrap_or_default());
        }
        bytes
    }

    #[test]
    fn a_key_names_its_zone() {
        assert_eq!(zone_of(b"backends/shop/80"), b"backends");
        assert_eq!(zone_of(b"counter"), b"*");
        assert_eq!(zone_of(b"/a"), b"");
        assert_eq!(zone_of(b""), b"*");
    }

    #[test]
    fn writes_are_read_as_documented() {
        let bytes =
            b"\x02\0\0\0\x03\0\0\0\x01\0\0\0\x07\0\0\0z/av\x03\0\0\0\xff\xff\xff\xff\0\0\0\0z/b";
        let set = SharedWrite { key: b"z/a", value: Some(b"v"), cas: 7 };
        let delete = SharedWrite { key: b"z/b", value: None, cas: 0 };
        assert_eq!(parse_writes(bytes).unwrap(), [set, delete]);
        assert_eq!(parse_writes(b"\0\0\0\0"), Ok(vec![]));
        for len in 0..bytes.len() {
            assert_eq!(parse_writes(&bytes[..len]), Err(Truncated));
        }
        assert_eq!(parse_writes(&[&bytes[..], b"x"].concat()), Err(Truncated));
        assert_eq!(parse_writes(b"\xff\xff\xff\xff"), Err(Truncated));
    }

    #[test]
    fn a_listing_goes_both_ways() {
        let request = [&7_u64.to_le_bytes()[..], &3_u32.to_le_bytes(), b"z/"].concat();
        assert_eq!(
            ListRequest::parse(&request),
            Ok(ListRequest { cursor: 7, max: 3, prefix: b"z/" })
        );
        assert_eq!(ListRequest::parse(&request[..11]), Err(Truncated));
        let result = encode_keys(9, &[b"z/a".to_vec(), vec![]]).unwrap();
        assert_eq!(result, b"\x09\0\0\0\0\0\0\0\x02\0\0\0\x03\0\0\0z/a\0\0\0\0");
    }

    proptest! {
        #[test]
        fn any_writes_come_back(writes: Vec<(Vec<u8>, Option<Vec<u8>>, u32)>) {
            let writes: Vec<SharedWrite> = writes
                .iter()
                .map(|(key, value, cas)| SharedWrite { key, value: value.as_deref(), cas: *cas })
                .collect();
            let bytes = encode_writes(&writes);
            prop_assert_eq!(parse_writes(&bytes).unwrap(), writes);
        }

        #[test]
        fn any_bytes_are_refused_or_exactly_those_writes(count in 0..3_u32, bytes: Vec<u8>) {
            for bytes in [bytes.clone(), [&count.to_le_bytes()[..], &bytes].concat()] {
                if let Ok(writes) = parse_writes(&bytes) {
                    prop_assert_eq!(encode_writes(&writes), bytes.clone());
                }
                if let Ok(request) = ListRequest::parse(&bytes) {
                    prop_assert_eq!(request.prefix.len(), bytes.len() - 12);
                }
            }
        }
    }
}
