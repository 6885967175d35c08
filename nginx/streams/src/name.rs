//! What a stream is called: `tcp:5432`, `udp:53`, and where an address of ours has one of its own `tcp:10.0.0.1:5432`, `tcp:[2001:db8::1]:5432`.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    Tcp,
    Udp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    pub protocol: Protocol,
    /// That clients have connected to; `None`: any.
    pub address: Option<IpAddr>,
    pub port: u16,
}

impl Name {
    /// Reads one without an address. `None`: it is none, or not written as it should be.
    pub fn read(text: &[u8]) -> Option<Name> {
        let (protocol, digits) = match text.split_at_checked(4)? {
            (b"tcp:", digits) => (Protocol::Tcp, digits),
            (b"udp:", digits) => (Protocol::Udp, digits),
            _ => return None,
        };
        let is_canonical = digits.first().is_some_and(|digit| (b'1'..=b'9').contains(digit));
        let port = std::str::from_utf8(digits).ok().filter(|_| is_canonical)?.parse().ok()?;
        Some(Name { protocol, address: None, port })
    }

    /// That of the same port at this address.
    pub fn at(self, address: IpAddr) -> Name {
        // A socket for both families has IPv4 addresses in IPv6's form.
        Name { address: Some(address.to_canonical()), ..self }
    }

    /// Another one for each name, and never 0.
    pub fn tag(self) -> u64 {
        let words = self.words();
        if self.address.is_none() {
            return words[2];
        }
        let mut hasher = DefaultHasher::new();
        words.hash(&mut hasher);
        hasher.finish() | 1 << 63
    }

    /// The name in three words, of which the last is never 0.
    pub fn words(self) -> [u64; 3] {
        let mapped = match self.address {
            None => Ipv6Addr::UNSPECIFIED,
            Some(IpAddr::V4(address)) => address.to_ipv6_mapped(),
            Some(IpAddr::V6(address)) => address,
        };
        let bits = mapped.to_bits();
        let port = u64::from(self.port) | u64::from(self.protocol == Protocol::Udp) << 16;
        [(bits >> 64) as u64, bits as u64, port]
    }

    /// The name that has these words.
    pub fn of_words([address_high, address_low, port]: [u64; 3]) -> Name {
        let bits = u128::from(address_high) << 64 | u128::from(address_low);
        let protocol = if port >> 16 == 0 { Protocol::Tcp } else { Protocol::Udp };
        let plain = Name { protocol, address: None, port: port as u16 };
        if bits == 0 { plain } else { plain.at(Ipv6Addr::from_bits(bits).into()) }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.protocol {
            Protocol::Tcp => "tcp:",
            Protocol::Udp => "udp:",
        })?;
        match self.address {
            None => write!(f, "{}", self.port),
            Some(address) => write!(f, "{}", SocketAddr::new(address, self.port)),
        }
    }
}
