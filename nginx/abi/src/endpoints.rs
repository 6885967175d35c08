//! The backend record (docs/wire.md 2), as the host reads it when the filter cannot choose: its endpoints, whatever the
//! algorithm and the settings by which the filter does. A critical setting, which none of them is so far, it does not know.

use std::net::IpAddr;

use wick_wire::backend::VERSION;
use wick_wire::{Fields, RecordError as FieldError};

use crate::address::Address;
use crate::reader::{Reader, Truncated};

const KIND_V4: u8 = 4;
const KIND_V6: u8 = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoint {
    pub address: Address,
    /// At least 1.
    pub weight: u16,
}

/// Why bytes are no backend record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// Of a version that this reader does not know.
    Version(u8),
    /// They end before what they announce.
    Truncated,
    /// Something follows the last endpoint.
    TrailingBytes,
    /// An endpoint is of neither address family, or its port or weight is 0; the number counts from 0.
    Endpoint(u32),
    /// There is a setting with this id that must not be passed over.
    Critical(u8),
}

impl From<FieldError> for RecordError {
    fn from(error: FieldError) -> Self {
        match error {
            FieldError::Critical(id) => RecordError::Critical(id),
            _ => RecordError::Truncated,
        }
    }
}

impl From<Truncated> for RecordError {
    fn from(_: Truncated) -> Self {
        RecordError::Truncated
    }
}

/// A backend record that was checked from end to end.
#[derive(Clone, Copy, Debug)]
pub struct EndpointList<'a> {
    count: u32,
    endpoints: &'a [u8],
}

impl<'a> EndpointList<'a> {
    /// # Errors
    /// [`RecordError`].
    pub fn parse(record: &'a [u8]) -> Result<EndpointList<'a>, RecordError> {
        let mut reader = Reader::new(record);
        let version = reader.u8()?;
        if version != VERSION {
            return Err(RecordError::Version(version));
        }
        let _algorithm = reader.u8()?;
        let _flags = reader.u16()?;
        let count = reader.u32()?;
        let settings_len = reader.u32()?;
        for setting in Fields::new(reader.bytes(settings_len as usize)?) {
            setting?.skip()?;
        }
        let list = EndpointList { count, endpoints: reader.rest };
        for number in 0..count {
            endpoint(&mut reader)?.ok_or(RecordError::Endpoint(number))?;
        }
        if reader.rest.is_empty() { Ok(list) } else { Err(RecordError::TrailingBytes) }
    }

    pub fn len(&self) -> usize {
        self.count as usize
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The endpoint at place `i`. Walks the record: some nanoseconds per endpoint before it.
    pub fn get(&self, i: usize) -> Option<Endpoint> {
        self.iter().nth(i)
    }

    /// The endpoints in the order of the record.
    pub fn iter(&self) -> impl Iterator<Item = Endpoint> + use<'a> {
        let mut reader = Reader::new(self.endpoints);
        std::iter::from_fn(move || endpoint(&mut reader).ok().flatten())
    }
}

/// Reads one endpoint; `Ok(None)` when it is not valid.
fn endpoint(reader: &mut Reader) -> Result<Option<Endpoint>, Truncated> {
    let (port, weight) = (reader.u16()?, reader.u16()?);
    let ip: IpAddr = match reader.u8()? {
        KIND_V4 => reader.array::<4>()?.into(),
        KIND_V6 => reader.array::<16>()?.into(),
        _ => return Ok(None),
    };
    let valid = port != 0 && weight != 0;
    Ok(valid.then_some(Endpoint { address: Address { ip, port }, weight }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn record(settings: &[u8], endpoints: &[Endpoint]) -> Vec<u8> {
        let mut bytes = vec![3, 0, 0, 0];
        bytes.extend((endpoints.len() as u32).to_le_bytes());
        bytes.extend((settings.len() as u32).to_le_bytes());
        bytes.extend(settings);
        for Endpoint { address, weight } in endpoints {
            bytes.extend(address.port.to_le_bytes());
            bytes.extend(weight.to_le_bytes());
            match address.ip {
                IpAddr::V4(ip) => bytes.extend([&[4][..], &ip.octets()].concat()),
                IpAddr::V6(ip) => bytes.extend([&[6][..], &ip.octets()].concat()),
            }
        }
        bytes
    }

    fn endpoint(text: &str, weight: u16) -> Endpoint {
        Endpoint { address: Address::parse(text.as_bytes(), 8080).unwrap(), weight }
    }

    #[test]
    fn the_format_is_that_of_the_wire_document() {
        let bytes = b"\x03\0\0\0\x02\0\0\0\0\0\0\0\x90\x1f\x01\0\x04\x0a\0\0\x01\x50\0\x07\0\x06 \x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01";
        let expected = [endpoint("10.0.0.1", 1), endpoint("[2001:db8::1]:80", 7)];
        let list = EndpointList::parse(bytes).unwrap();
        assert!(list.iter().eq(expected));
        assert_eq!((list.get(1), list.get(2)), (Some(expected[1]), None));
        assert_eq!(record(b"", &expected), bytes);
    }

    #[test]
    fn settings_are_skipped_and_no_endpoints_are_a_list() {
        let bytes = record(b"\x7f\x05\0\0later", &[endpoint("::1", 100)]);
        assert_eq!(EndpointList::parse(&bytes).unwrap().get(0), Some(endpoint("::1", 100)));
        assert!(EndpointList::parse(&record(b"", &[])).unwrap().is_empty());
    }

    #[test]
    fn a_critical_setting_is_not_skipped() {
        let bytes = record(b"\xff\x05\0\0later", &[endpoint("::1", 100)]);
        assert_eq!(EndpointList::parse(&bytes).err(), Some(RecordError::Critical(0x7f)));
        let cut = record(b"\x7f\x06\0\0later", &[endpoint("::1", 100)]);
        assert_eq!(EndpointList::parse(&cut).err(), Some(RecordError::Truncated));
    }

    #[test]
    fn what_is_not_valid_is_refused() {
        let good = record(b"", &[endpoint("10.0.0.1", 1)]);
        let changed = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[at] = byte;
            EndpointList::parse(&bytes).err()
        };
        assert_eq!(changed(0, 1), Some(RecordError::Version(1)));
        assert_eq!(changed(4, 2), Some(RecordError::Truncated));
        assert_eq!(changed(7, 255), Some(RecordError::Truncated));
        assert_eq!(changed(4, 0), Some(RecordError::TrailingBytes));
        assert_eq!(changed(8, 1), Some(RecordError::Truncated));
        assert_eq!(changed(11, 255), Some(RecordError::Truncated));
        assert_eq!(changed(14, 0), Some(RecordError::Endpoint(0)));
        assert_eq!(changed(16, 5), Some(RecordError::Endpoint(0)));
        for len in 0..good.len() {
            assert_eq!(EndpointList::parse(&good[..len]).err(), Some(RecordError::Truncated));
        }
    }

    proptest! {
        #[test]
        fn any_list_comes_back(
            settings in prop::collection::vec((0..128u8, prop::collection::vec(any::<u8>(), 0..9)), 0..5),
            endpoints: Vec<(IpAddr, u16, u16)>,
        ) {
            let endpoints: Vec<Endpoint> = endpoints
                .into_iter()
                .map(|(ip, port, weight)| (Address { ip, port: port.max(1) }, weight.max(1)))
                .map(|(address, weight)| Endpoint { address, weight })
                .collect();
            let field = |(id, value): (u8, Vec<u8>)| [&[id, value.len() as u8, 0, 0], &value[..]].concat();
            let settings: Vec<u8> = settings.into_iter().flat_map(field).collect();
            let bytes = record(&settings, &endpoints);
            let list = EndpointList::parse(&bytes).unwrap();
            prop_assert_eq!(list.len(), endpoints.len());
            prop_assert_eq!(list.iter().collect::<Vec<_>>(), endpoints);
        }

        #[test]
        fn any_bytes_are_refused_or_whole(
            count in 0..4_u32,
            settings_len in 0..40_u32,
            bytes: Vec<u8>,
        ) {
            let (count, settings_len) = (count.to_le_bytes(), settings_len.to_le_bytes());
            let alike = [&[3, 0, 0, 0], &count[..], &settings_len, &bytes].concat();
            for bytes in [&bytes[..], &alike] {
                if let Ok(list) = EndpointList::parse(bytes) {
                    prop_assert_eq!(list.iter().count(), list.len());
                }
            }
        }
    }
}
