//! What a stream is called: `tcp:5432`, `udp:53`.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    Tcp,
    Udp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    pub protocol: Protocol,
    pub port: u16,
}

impl Name {
    /// `None`: it is none, or not written as it should be.
    pub fn read(text: &[u8]) -> Option<Name> {
        let (protocol, digits) = match text.split_at_checked(4)? {
            (b"tcp:", digits) => (Protocol::Tcp, digits),
            (b"udp:", digits) => (Protocol::Udp, digits),
            _ => return None,
        };
        let is_canonical = digits.first().is_some_and(|digit| (b'1'..=b'9').contains(digit));
        let port = std::str::from_utf8(digits).ok().filter(|_| is_canonical)?.parse().ok()?;
        Some(Name { protocol, port })
    }

    /// Another one for each name.
    pub fn number(self) -> u32 {
        u32::from(self.port) | u32::from(self.protocol == Protocol::Udp) << 16
    }

    /// The name that has this number.
    pub fn of_number(number: u32) -> Name {
        let protocol = if number >> 16 == 0 { Protocol::Tcp } else { Protocol::Udp };
        Name { protocol, port: number as u16 }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let protocol = match self.protocol {
            Protocol::Tcp => "tcp",
            Protocol::Udp => "udp",
        };
        write!(f, "{protocol}:{}", self.port)
    }
}
