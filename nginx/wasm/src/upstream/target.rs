//! Addresses in the forms that nginx wants, made once: reading and printing one costs more than all else of a choice.

use std::mem::zeroed;
use std::net::IpAddr;

use wick_abi::{Address, AddressText};

/// Where to connect to.
#[derive(Clone, Copy)]
pub struct Target {
    pub address: Address,
    /// `ip:port`
    pub text: AddressText,
    /// A `sockaddr_in` or `sockaddr_in6`, in the first `socklen` bytes.
    pub sockaddr: libc::sockaddr_in6,
    pub socklen: libc::socklen_t,
}

impl Target {
    pub fn new(address: &Address) -> Target {
        let (sockaddr, socklen) = sockaddr(address);
        Target { address: *address, text: address.text(), sockaddr, socklen }
    }
}

/// The targets that an instance has chosen lately, by what it passed. A place holds one; whoever comes
/// later takes it over, so nothing grows.
#[derive(Default)]
pub struct Targets(Vec<Option<Known>>);

const PLACES: usize = 256;
/// Longest text that is kept; others are read each time.
const MOST_BYTES: usize = 47;

struct Known {
    text: [u8; MOST_BYTES],
    len: u8,
    port: u32,
    target: Target,
}

impl Targets {
    /// The target that `text` and `port` name; `None` when they name none, see [`Address::parse`].
    #[inline]
    pub fn get(&mut self, text: &[u8], port: u32) -> Option<&Target> {
        let place = place(text, port);
        let known = self.0.get(place).and_then(Option::as_ref);
        if known.is_some_and(|known| known.port == port && known.text() == text) {
            return self.0[place].as_ref().map(|known| &known.target);
        }
        self.learn(place, text, port)
    }

    #[cold]
    fn learn(&mut self, place: usize, text: &[u8], port: u32) -> Option<&Target> {
        let target = Target::new(&Address::parse(text, port).ok()?);
        if self.0.is_empty() {
            self.0.resize_with(PLACES, || None);
        }
        let mut kept = [0; MOST_BYTES];
        kept.get_mut(..text.len())?.copy_from_slice(text);
        let known = Known { text: kept, len: text.len() as u8, port, target };
        Some(&self.0[place].insert(known).target)
    }
}

impl Known {
    fn text(&self) -> &[u8] {
        &self.text[..usize::from(self.len)]
    }
}

/// The last bytes of an address and the port differ most.
#[inline]
fn place(text: &[u8], port: u32) -> usize {
    let tail = text.last_chunk::<4>().map_or(0, |tail| u32::from_le_bytes(*tail));
    let mixed = (tail ^ port.rotate_left(16)).wrapping_mul(0x9e37_79b1);
    (mixed >> 24) as usize % PLACES
}

fn sockaddr(address: &Address) -> (libc::sockaddr_in6, libc::socklen_t) {
    // SAFETY: plain C data, for which zero is valid.
    let mut v6: libc::sockaddr_in6 = unsafe { zeroed() };
    match address.ip {
        IpAddr::V4(ip) => {
            let v4 = libc::sockaddr_in {
                sin_family: libc::AF_INET as libc::sa_family_t,
                sin_port: address.port.to_be(),
                sin_addr: libc::in_addr { s_addr: u32::from_ne_bytes(ip.octets()) },
                sin_zero: [0; 8],
            };
            const { assert!(size_of::<libc::sockaddr_in>() <= size_of::<libc::sockaddr_in6>()) };
            // SAFETY: large enough, and aligned alike.
            unsafe { (&raw mut v6).cast::<libc::sockaddr_in>().write(v4) };
            (v6, size_of::<libc::sockaddr_in>() as libc::socklen_t)
        }
        IpAddr::V6(ip) => {
            v6.sin6_family = libc::AF_INET6 as libc::sa_family_t;
            v6.sin6_port = address.port.to_be();
            v6.sin6_addr = libc::in6_addr { s6_addr: ip.octets() };
            (v6, size_of::<libc::sockaddr_in6>() as libc::socklen_t)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_what_was_asked_for_however_many_share_a_place() {
        let mut targets = Targets::default();
        for round in 0..3 {
            for i in 0..2000_u32 {
                let text = format!("10.0.{}.{}", i / 256, i % 256);
                let target = targets.get(text.as_bytes(), 8000 + i).expect("an address");
                assert_eq!(
                    target.text.as_bytes(),
                    format!("{text}:{}", 8000 + i).as_bytes(),
                    "{round}"
                );
            }
        }
    }

    #[test]
    fn the_text_may_carry_its_own_port_and_the_longest_fits() {
        let mut targets = Targets::default();
        let longest = "[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535";
        for _ in 0..2 {
            assert_eq!(targets.get(b"1.2.3.4:81", 80).expect("an address").address.port, 81);
            assert_eq!(
                targets.get(longest.as_bytes(), 0).expect("an address").text.as_bytes(),
                longest.as_bytes()
            );
            assert!(targets.get(b"example.test", 80).is_none());
            assert!(targets.get(b"1.2.3.4", 0).is_none());
        }
    }

    #[test]
    fn socket_addresses_are_in_network_order() {
        let target = Target::new(&Address::parse(b"1.2.3.4", 258).expect("an address"));
        // SAFETY: an IPv4 target holds a sockaddr_in.
        let v4 = unsafe { *(&raw const target.sockaddr).cast::<libc::sockaddr_in>() };
        assert_eq!(v4.sin_addr.s_addr.to_ne_bytes(), [1, 2, 3, 4]);
        assert_eq!(v4.sin_port.to_ne_bytes(), [1, 2]);
        assert_eq!(target.socklen as usize, size_of::<libc::sockaddr_in>());
    }
}
