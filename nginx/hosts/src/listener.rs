//! Where a request came in, and what the server of such requests may be called (docs/wire.md 1, HOST).

use std::net::IpAddr;

/// The address and port of nginx that a client has connected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listener {
    pub is_tls: bool,
    address: IpAddr,
    pub port: u16,
}

impl Listener {
    pub fn new(is_tls: bool, address: IpAddr, port: u16) -> Self {
        // A socket for both families has IPv4 addresses in IPv6's form.
        Self { is_tls, address: address.to_canonical(), port }
    }

    /// The names of its servers, the best first: the one of its address, the one of any address.
    pub fn servers(&self) -> [String; 2] {
        let scheme = if self.is_tls { "https" } else { "http" };
        let port = self.port;
        let own = match self.address {
            IpAddr::V4(address) => format!("{scheme}:{address}:{port}"),
            IpAddr::V6(address) => format!("{scheme}:[{address}]:{port}"),
        };
        [own, format!("{scheme}:*:{port}")]
    }

    /// Appends what tells it apart, always as long.
    pub fn write(&self, key: &mut Vec<u8>) {
        let address = match self.address {
            IpAddr::V4(address) => address.to_ipv6_mapped(),
            IpAddr::V6(address) => address,
        };
        key.push(self.is_tls.into());
        key.extend(self.port.to_be_bytes());
        key.extend(address.octets());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn servers(is_tls: bool, address: &str, port: u16) -> [String; 2] {
        Listener::new(is_tls, address.parse().expect("an address"), port).servers()
    }

    #[test]
    fn a_listener_has_two_names() {
        assert_eq!(servers(false, "10.0.0.1", 80), ["http:10.0.0.1:80", "http:*:80"]);
        assert_eq!(servers(true, "2001:db8::1", 443), ["https:[2001:db8::1]:443", "https:*:443"]);
        assert_eq!(servers(false, "::ffff:10.0.0.1", 80), servers(false, "10.0.0.1", 80));
    }

    #[test]
    fn what_is_written_tells_listeners_apart() {
        let all = [
            (false, "10.0.0.1", 80),
            (true, "10.0.0.1", 80),
            (false, "10.0.0.1", 81),
            (false, "10.0.0.2", 80),
            (false, "::", 80),
        ];
        let written = all.map(|(is_tls, address, port)| {
            let mut key = Vec::new();
            Listener::new(is_tls, address.parse().expect("an address"), port).write(&mut key);
            key
        });
        for (place, key) in written.iter().enumerate() {
            assert!(!written[..place].contains(key) && key.len() == written[0].len());
        }
    }
}
