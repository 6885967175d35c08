//! Addresses of endpoints: IP literals with a port, never names.

use std::fmt::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where to connect to; the port is never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    pub ip: IpAddr,
    pub port: u16,
}

/// Why a text and a port are no [`Address`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// Neither an IPv4 nor an IPv6 literal.
    NotAnIp,
    /// The port is missing, 0, above 65535 or no number.
    Port,
}

impl Address {
    /// Reads `1.2.3.4`, `2001:db8::1` or `[2001:db8::1]`; the forms with dots or brackets may carry `:port`, which wins over `port`.
    ///
    /// # Errors
    /// [`AddressError`]. A `port` above 65535 is an error even if the text has its own.
    pub fn parse(text: &[u8], port: u32) -> Result<Address, AddressError> {
        let port = u16::try_from(port).map_err(|_| AddressError::Port)?;
        let (ip, own_port) = split(text)?;
        let port = own_port.map_or(Ok(port), parse_port)?;
        if port == 0 { Err(AddressError::Port) } else { Ok(Address { ip, port }) }
    }

    /// The address as text, `ip:port` or `[ip]:port`, as nginx prints it.
    pub fn text(&self) -> AddressText {
        let mut text = AddressText { bytes: [0; AddressText::CAPACITY], len: 0 };
        // Cannot fail: the capacity is that of the longest address.
        let _ = match self.ip {
            IpAddr::V4(ip) => text.put_v4(ip),
            IpAddr::V6(ip) => write!(text, "[{ip}]"),
        };
        let _ = text.write_char(':');
        text.put_decimal(u32::from(self.port));
        text
    }
}

/// IP and the text of the port that it carries.
fn split(text: &[u8]) -> Result<(IpAddr, Option<&[u8]>), AddressError> {
    if let Some(text) = text.strip_prefix(b"[") {
        let end = text.iter().position(|byte| *byte == b']').ok_or(AddressError::NotAnIp)?;
        let ip = parse_ip::<Ipv6Addr>(&text[..end])?;
        return match &text[end + 1..] {
            [] => Ok((ip, None)),
            [b':', port @ ..] => Ok((ip, Some(port))),
            _ => Err(AddressError::NotAnIp),
        };
    }
    let mut colons = text.iter().enumerate().filter(|(_, byte)| **byte == b':').map(|(at, _)| at);
    match (colons.next(), colons.next()) {
        (None, _) => Ok((parse_ip::<Ipv4Addr>(text)?, None)),
        (Some(at), None) => Ok((parse_ip::<Ipv4Addr>(&text[..at])?, Some(&text[at + 1..]))),
        (Some(_), Some(_)) => Ok((parse_ip::<Ipv6Addr>(text)?, None)),
    }
}

fn parse_ip<Ip: std::str::FromStr + Into<IpAddr>>(text: &[u8]) -> Result<IpAddr, AddressError> {
    let text = std::str::from_utf8(text).map_err(|_| AddressError::NotAnIp)?;
    text.parse::<Ip>().map(Into::into).map_err(|_| AddressError::NotAnIp)
}

/// Digits only: `u16::from_str` alone would take a sign.
fn parse_port(text: &[u8]) -> Result<u16, AddressError> {
    if text.is_empty() || !text.iter().all(u8::is_ascii_digit) {
        return Err(AddressError::Port);
    }
    let text = std::str::from_utf8(text).map_err(|_| AddressError::Port)?;
    text.parse().map_err(|_| AddressError::Port)
}

/// The text of an address, without a heap.
#[derive(Clone, Copy)]
pub struct AddressText {
    bytes: [u8; AddressText::CAPACITY],
    len: usize,
}

impl AddressText {
    /// Bytes of the longest: `[`, 39 of an IPv6 address, `]:65535`.
    pub const CAPACITY: usize = 47;

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    fn put_v4(&mut self, ip: Ipv4Addr) -> fmt::Result {
        for (at, octet) in ip.octets().into_iter().enumerate() {
            if at > 0 {
                self.write_char('.')?;
            }
            self.put_decimal(u32::from(octet));
        }
        Ok(())
    }

    /// Up to five digits; by hand, because this runs once per attempt.
    fn put_decimal(&mut self, number: u32) {
        let digits = number.checked_ilog10().unwrap_or(0) as usize + 1;
        let mut rest = number;
        for place in self.bytes[self.len..self.len + digits].iter_mut().rev() {
            *place = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        self.len += digits;
    }
}

impl Write for AddressText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let place = self.bytes.get_mut(self.len..self.len + text.len()).ok_or(fmt::Error)?;
        place.copy_from_slice(text.as_bytes());
        self.len += text.len();
        Ok(())
    }
}

impl fmt::Debug for AddressText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", String::from_utf8_lossy(self.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use proptest::prelude::*;

    use super::*;

    fn text(text: &str, port: u32) -> Result<String, AddressError> {
        let address = Address::parse(text.as_bytes(), port)?;
        Ok(String::from_utf8(address.text().as_bytes().to_vec()).unwrap())
    }

    #[test]
    fn literals_are_read_with_and_without_a_port_of_their_own() {
        for (given, expected) in [
            ("10.0.0.1", "10.0.0.1:80"),
            ("10.0.0.1:8080", "10.0.0.1:8080"),
            ("255.255.255.255:65535", "255.255.255.255:65535"),
            ("::1", "[::1]:80"),
            ("[::1]", "[::1]:80"),
            ("[2001:db8::1]:8080", "[2001:db8::1]:8080"),
            ("2001:db8::1:8080", "[2001:db8::1:8080]:80"),
            ("::ffff:10.0.0.1", "[::ffff:10.0.0.1]:80"),
        ] {
            assert_eq!(text(given, 80).as_deref(), Ok(expected));
        }
        assert_eq!(text("10.0.0.1:1", 0).as_deref(), Ok("10.0.0.1:1"));
    }

    #[test]
    fn anything_else_is_refused() {
        use AddressError::{NotAnIp, Port};
        for (given, port, error) in [
            ("", 80, NotAnIp),
            ("localhost", 80, NotAnIp),
            ("unix:/run/a.sock", 80, NotAnIp),
            ("10.0.0", 80, NotAnIp),
            ("10.0.0.01", 80, NotAnIp),
            ("10.0.0.1/8", 80, NotAnIp),
            ("10.0.0.1 ", 80, NotAnIp),
            ("[10.0.0.1]", 80, NotAnIp),
            ("[::1", 80, NotAnIp),
            ("[::1]x", 80, NotAnIp),
            ("fe80::1%eth0", 80, NotAnIp),
            ("10.0.0.1", 0, Port),
            ("10.0.0.1", 65536, Port),
            ("10.0.0.1:80", 65536, Port),
            ("10.0.0.1:", 80, Port),
            ("10.0.0.1:0", 80, Port),
            ("10.0.0.1:+1", 80, Port),
            ("10.0.0.1:65536", 80, Port),
            ("[::1]:", 80, Port),
        ] {
            assert_eq!(text(given, port), Err(error), "{given}");
        }
    }

    proptest! {
        #[test]
        fn any_address_comes_back_and_prints_as_the_standard_library_does(ip: IpAddr, port in 1..=u16::MAX) {
            let printed = Address { ip, port }.text();
            let expected = SocketAddr::new(ip, port).to_string();
            prop_assert_eq!(printed.as_bytes(), expected.as_bytes());
            prop_assert_eq!(Address::parse(printed.as_bytes(), 1), Ok(Address { ip, port }));
            prop_assert_eq!(Address::parse(ip.to_string().as_bytes(), u32::from(port)), Ok(Address { ip, port }));
        }

        #[test]
        fn any_bytes_are_refused_or_an_address(bytes: Vec<u8>, alike in "[\\[]?[0-9a-f.:]{0,20}[\\]]?[:0-9]{0,7}", port: u32) {
            for bytes in [&bytes[..], alike.as_bytes()] {
                if let Ok(address) = Address::parse(bytes, port) {
                    prop_assert_eq!(Address::parse(address.text().as_bytes(), 0), Ok(address));
                }
            }
        }
    }
}
