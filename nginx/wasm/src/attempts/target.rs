//! Addresses in the forms that nginx wants, made once: reading and printing one costs more than all else of a choice.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hash, Hasher};
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

/// The targets that an instance has chosen lately, by what it passed.
#[derive(Default)]
pub struct Targets(HashMap<Passed, Target, BuildHasherDefault<Folding>>);

/// With so many all are forgotten; those in use come back one by one.
const MAX_TARGETS: usize = 16 << 10;
/// Room for the longest text of an address.
const TEXT_BYTES: usize = 47;

/// The text that names a target, filled up with zeros to its length in the last byte, and the port.
#[derive(PartialEq, Eq)]
struct Passed {
    text: [u8; TEXT_BYTES + 1],
    port: u32,
}

impl Targets {
    /// The target that `text` and `port` name; `None` when they name none, see [`Address::parse`].
    #[inline]
    pub fn get(&mut self, text: &[u8], port: u32) -> Option<&Target> {
        if self.0.len() >= MAX_TARGETS {
            self.0.clear();
        }
        match self.0.entry(Passed::new(text, port)?) {
            Entry::Occupied(known) => Some(known.into_mut()),
            Entry::Vacant(place) => {
                Some(place.insert(Target::new(&Address::parse(text, port).ok()?)))
            }
        }
    }
}

impl Passed {
    #[inline]
    fn new(text: &[u8], port: u32) -> Option<Passed> {
        let mut padded = [0; TEXT_BYTES + 1];
        padded[..TEXT_BYTES].get_mut(..text.len())?.copy_from_slice(text);
        padded[TEXT_BYTES] = text.len() as u8;
        Some(Passed { text: padded, port })
    }
}

impl Hash for Passed {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        for word in self.text.as_chunks::<8>().0 {
            state.write_u64(u64::from_le_bytes(*word));
        }
        state.write_u64(u64::from(self.port));
    }
}

/// Needs no secret: endpoints come from the controller's posts.
#[derive(Default)]
struct Folding(u64);

impl Hasher for Folding {
    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    /// The table looks at the highest and the lowest bits; a product has its chance in the upper half.
    #[inline]
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
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
    fn a_target_is_what_was_asked_for_however_many_there_are() {
        let mut targets = Targets::default();
        for round in 0..3 {
            for i in 0..MAX_TARGETS as u32 + 10 {
                let text = format!("10.0.{}.{}", i / 256, i % 256);
                let target = targets.get(text.as_bytes(), 8000 + i).expect("an address");
                assert_eq!(
                    target.text.as_bytes(),
                    format!("{text}:{}", 8000 + i).as_bytes(),
                    "{round}"
                );
            }
            assert!(targets.0.len() <= MAX_TARGETS);
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
