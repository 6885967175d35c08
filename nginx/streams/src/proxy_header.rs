//! The header of the PROXY protocol, version 2, that tells an endpoint where a connection comes from. Version 1 is nginx's to write.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// Source: haproxy, "The PROXY protocol", 2.2.
const START: &[u8] = b"\r\n\r\n\0\r\nQUIT\n";
const LOCAL: u8 = 0x20;
const PROXY: u8 = 0x21;
const UNSPECIFIED: u8 = 0x00;
const TCP_OVER_IPV4: u8 = 0x11;
const TCP_OVER_IPV6: u8 = 0x21;

/// Of a connection from `client` to `server`, an address of the proxy's. Where one of them is not known the endpoint is told to take the
/// connection's own. Of two families both addresses are written as those of IPv6.
pub fn proxy_header(client: Option<SocketAddr>, server: Option<SocketAddr>) -> Vec<u8> {
    let (Some(client), Some(server)) = (client, server) else {
        return [START, &[LOCAL, UNSPECIFIED, 0, 0]].concat();
    };
    let (family, addresses) = match (client.ip().to_canonical(), server.ip().to_canonical()) {
        (IpAddr::V4(from), IpAddr::V4(to)) => {
            (TCP_OVER_IPV4, [from.octets(), to.octets()].concat())
        }
        (from, to) => (TCP_OVER_IPV6, [mapped(from).octets(), mapped(to).octets()].concat()),
    };
    let ports = [client.port().to_be_bytes(), server.port().to_be_bytes()].concat();
    let len = (addresses.len() + ports.len()) as u16;
    [START, &[PROXY, family], &len.to_be_bytes(), &addresses, &ports].concat()
}

fn mapped(address: IpAddr) -> Ipv6Addr {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped(),
        IpAddr::V6(address) => address,
    }
}
