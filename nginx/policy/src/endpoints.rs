//! The endpoints of one backend, as a policy sees them.

use std::net::{IpAddr, SocketAddr};

/// Where an endpoint is, seen from this proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Zone {
    Unknown = 0,
    Ours = 1,
    Another = 2,
}

impl From<u8> for Zone {
    fn from(number: u8) -> Zone {
        match number {
            1 => Zone::Ours,
            2 => Zone::Another,
            _ => Zone::Unknown,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Endpoint {
    pub ip: IpAddr,
    pub port: u16,
    pub weight: u32,
    pub zone: Zone,
}

/// A list of endpoints; policies name one by its place.
#[derive(Debug, Default)]
pub struct Endpoints {
    /// 16 bytes each: u64 id · u32 weight · u32 zone, as `wick_get_endpoints` gives them.
    entries: Vec<u8>,
    addresses: Vec<SocketAddr>,
}

pub const ENTRY_BYTES: usize = 16;

impl Endpoints {
    pub fn new(list: impl IntoIterator<Item = Endpoint>) -> Endpoints {
        let mut endpoints = Endpoints::default();
        for Endpoint { ip, port, weight, zone } in list {
            endpoints.entries.extend_from_slice(&id(ip, port).to_le_bytes());
            endpoints.entries.extend_from_slice(&weight.to_le_bytes());
            endpoints.entries.extend_from_slice(&(zone as u32).to_le_bytes());
            endpoints.addresses.push(SocketAddr::new(ip, port));
        }
        endpoints
    }

    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.addresses.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }

    /// The entries from place `first` on, at most `max`.
    #[must_use]
    pub fn entries(&self, first: u32, max: u32) -> &[u8] {
        let first = (first as usize).min(self.len());
        let end = first.saturating_add(max as usize).min(self.len());
        &self.entries[first * ENTRY_BYTES..end * ENTRY_BYTES]
    }

    /// `ip:port`, with an IPv6 address in brackets.
    #[must_use]
    pub fn address(&self, index: u32) -> Option<String> {
        self.addresses.get(index as usize).map(SocketAddr::to_string)
    }
}

/// The same for the same address and port, whatever else changes and on whichever worker. FNV-1a with a last round that
/// spreads all bits.
fn id(ip: IpAddr, port: u16) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let add = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(PRIME);
    let hash = match ip {
        IpAddr::V4(ip) => ip.octets().iter().fold(0xcbf2_9ce4_8422_2325, add),
        IpAddr::V6(ip) => ip.octets().iter().fold(0xcbf2_9ce4_8422_2325, add),
    };
    let hash = port.to_be_bytes().iter().fold(hash, add);
    let mixed = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ (mixed >> 33)
}
