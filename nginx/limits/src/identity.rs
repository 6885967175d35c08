//! What tells the clients of an Ingress apart.

use std::hash::Hasher;
use std::net::IpAddr;

use siphasher::sip128::{Hasher128, SipHasher13};

/// A part of who a client is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Address,
    /// Its name.
    Header(Box<[u8]>),
    /// Its name.
    Cookie(Box<[u8]>),
    /// Which one of the path, 1 to 9.
    Path(u8),
}

impl Part {
    /// Reads one of the record's texts; `None`: no such part is known here.
    pub fn read(text: &[u8]) -> Option<Part> {
        let colon = text.iter().position(|byte| *byte == b':').unwrap_or(text.len());
        match (&text[..colon], text.get(colon + 1..)) {
            (b"address", None) => Some(Part::Address),
            (b"header", Some(name)) if !name.is_empty() => Some(Part::Header(name.into())),
            (b"cookie", Some(name)) if !name.is_empty() => Some(Part::Cookie(name.into())),
            (b"path", Some([nth @ b'1'..=b'9'])) => Some(Part::Path(nth - b'0')),
            _ => None,
        }
    }
}

/// What tells clients apart: all parts together, or the address where there are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    pub parts: Box<[Part]>,
    /// Addresses of IPv6 that agree in so many first bits are one.
    pub ipv6_bits: u8,
}

impl Identity {
    /// A number for the client of a request: what it is made of cannot be chosen so that it is another one's without the
    /// `seed`. `value` is asked for each part but the address; what a request lacks counts with the address instead, so that
    /// leaving something out helps nobody.
    pub fn client<'v>(
        &self,
        address: Option<IpAddr>,
        seed: u64,
        value: impl Fn(usize, &Part) -> Option<&'v [u8]>,
    ) -> u128 {
        let address = network(address, self.ipv6_bits);
        if self.parts.is_empty() {
            return address;
        }
        let mut hasher = SipHasher13::new_with_keys(seed, seed.rotate_left(32));
        for (nth, part) in self.parts.iter().enumerate() {
            let value = if *part == Part::Address { None } else { value(nth, part) };
            write(&mut hasher, value, address);
        }
        hasher.finish128().as_u128()
    }
}

/// With its length, so that no other values come to the same bytes.
fn write(hasher: &mut SipHasher13, value: Option<&[u8]>, address: u128) {
    match value {
        Some(value) => {
            hasher.write(&(value.len() as u64 + 1).to_le_bytes());
            hasher.write(value);
        }
        None => {
            hasher.write(&0u64.to_le_bytes());
            hasher.write(&address.to_le_bytes());
        }
    }
}

/// A number for an address, or for the network of IPv6 that it is in, with so many bits. A client of IPv4 is the same whether it comes
/// mapped into IPv6 or not. All that come by unix sockets are one.
pub fn network(address: Option<IpAddr>, ipv6_bits: u8) -> u128 {
    match address.map(|address| address.to_canonical()) {
        None => 0,
        Some(IpAddr::V4(address)) => address.to_ipv6_mapped().to_bits(),
        Some(IpAddr::V6(address)) => {
            address.to_bits() & !u128::MAX.checked_shr(ipv6_bits.into()).unwrap_or(0)
        }
    }
}
