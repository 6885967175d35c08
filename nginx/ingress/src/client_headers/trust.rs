//! Who is believed about other clients.

use std::net::IpAddr;
use std::str;

use wick_native::request::Request;

/// The proxies in front.
#[derive(Default)]
pub enum Trust {
    #[default]
    Nobody,
    Everybody,
    Networks(Vec<Network>),
}

/// Of a family, the addresses whose first bits are these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u32,
}

impl Trust {
    /// Whether anybody is believed.
    pub fn is_anybodys(&self) -> bool {
        !matches!(self, Trust::Nobody)
    }

    /// Whether the sender is believed: by the address of the connection, and by that which PROXY protocol tells on it.
    pub fn covers(&self, r: Request) -> bool {
        let networks = match self {
            Trust::Nobody => return false,
            Trust::Everybody => return true,
            Trust::Networks(networks) => networks,
        };
        let has = |address: IpAddr| networks.iter().any(|network| network.has(address));
        let told = r.proxy_protocol_source();
        let is_told = |text: &[u8]| address_in(text).is_some_and(has);
        r.client_address().is_some_and(has) && told.is_none_or(is_told)
    }
}

fn address_in(text: &[u8]) -> Option<IpAddr> {
    str::from_utf8(text).ok()?.parse().ok()
}

impl Network {
    /// `None`: the text is no address, with or without a number of bits.
    pub fn parse(text: &[u8]) -> Option<Network> {
        let text = str::from_utf8(text).ok()?;
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().ok()?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let bits = bits.map_or(Some(longest), |bits| bits.parse().ok())?;
        (bits <= longest).then_some(Network { address, bits })
    }

    fn has(&self, address: IpAddr) -> bool {
        let differing = match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                (own.to_bits() ^ other.to_bits()).leading_zeros()
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                (own.to_bits() ^ other.to_bits()).leading_zeros()
            }
            _ => return false,
        };
        differing >= self.bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(network: &[u8], address: &str) -> bool {
        Network::parse(network).expect("a network").has(address.parse().expect("an address"))
    }

    #[test]
    fn a_network_has_the_addresses_that_begin_as_it_does() {
        assert!(has(b"10.0.0.0/8", "10.255.0.1") && !has(b"10.0.0.0/8", "11.0.0.1"));
        assert!(has(b"192.0.2.1", "192.0.2.1") && !has(b"192.0.2.1", "192.0.2.2"));
        assert!(has(b"0.0.0.0/0", "203.0.113.9") && !has(b"0.0.0.0/0", "2001:db8::1"));
        assert!(has(b"2001:db8::/32", "2001:db8:1::1") && !has(b"2001:db8::/32", "2001:db9::1"));
        assert!(has(b"10.0.0.0/8", "::ffff:10.1.2.3"));
    }

    #[test]
    fn what_is_no_network_is_none() {
        for text in [&b""[..], b"10.0.0.0/33", b"10.0.0/8", b"::/129", b"a", b"10.0.0.0/", b"\xff"]
        {
            assert_eq!(Network::parse(text), None, "{}", text.escape_ascii());
        }
    }
}
