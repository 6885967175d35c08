//! One network, as a record has it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use wick_wire::RecordError;

/// A network: its addresses from the first to the second, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    V4((u32, u32)),
    V6((u128, u128)),
}

impl Range {
    /// Reads u8 bits · 4 or 16 bytes of address.
    pub fn read(value: &[u8]) -> Result<Range, RecordError> {
        let (&bits, address) = value.split_first().ok_or(RecordError::Field)?;
        let range = if let Ok(address) = <[u8; 4]>::try_from(address) {
            v4(address.into(), bits)
        } else {
            let address: [u8; 16] = address.try_into().map_err(|_| RecordError::Field)?;
            v6(address.into(), bits)
        };
        range.ok_or(RecordError::Field)
    }

    /// Whether it has the address. One of IPv4 that is mapped into IPv6 is the former.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self, address.to_canonical()) {
            (Range::V4((first, last)), IpAddr::V4(address)) => {
                (first..=last).contains(&&address.to_bits())
            }
            (Range::V6((first, last)), IpAddr::V6(address)) => {
                (first..=last).contains(&&address.to_bits())
            }
            _ => false,
        }
    }
}

fn v4(address: Ipv4Addr, bits: u8) -> Option<Range> {
    let host = u32::MAX.checked_shr(bits.into()).unwrap_or(0);
    let first = address.to_bits() & !host;
    (bits <= 32).then_some(Range::V4((first, first | host)))
}

fn v6(address: Ipv6Addr, bits: u8) -> Option<Range> {
    if let (Some(mapped), 96..) = (address.to_ipv4_mapped(), bits) {
        return v4(mapped, bits - 96);
    }
    let host = u128::MAX.checked_shr(bits.into()).unwrap_or(0);
    let first = address.to_bits() & !host;
    (bits <= 128).then_some(Range::V6((first, first | host)))
}
