//! What anybody may read of a datagram of QUIC: whose connection it is for.
//!
//! Sources: RFC 9000, 17.2 and 17.3; RFC 8999.

/// The version whose packets have types that are known here.
const VERSION_1: [u8; 4] = [0, 0, 0, 1];

/// Bytes of a connection id that nginx makes.
pub const OWN_ID_BYTES: usize = 20;

/// The first packet of a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuicPacket<'d> {
    pub kind: QuicKind,
    /// The id of the connection, as the receiver knows it.
    pub destination: &'d [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuicKind {
    /// Of a handshake; the client's first ones have an id that the client has made up.
    Initial,
    /// Of a connection that the server has answered.
    Known,
    /// Of another version, or no packet of a client's.
    Other,
}

impl<'d> QuicPacket<'d> {
    /// `None`: it is too short for one.
    pub fn first_of(datagram: &'d [u8]) -> Option<QuicPacket<'d>> {
        let (&flags, rest) = datagram.split_first()?;
        if flags & 0x80 == 0 {
            let destination = rest.get(..OWN_ID_BYTES)?;
            return Some(QuicPacket { kind: QuicKind::Known, destination });
        }
        let (version, rest) = rest.split_first_chunk::<4>()?;
        let (&length, rest) = rest.split_first()?;
        let destination = rest.get(..usize::from(length))?;
        let kind = match flags >> 4 & 3 {
            _ if *version != VERSION_1 => QuicKind::Other,
            0 => QuicKind::Initial,
            3 => QuicKind::Other,
            _ => QuicKind::Known,
        };
        Some(QuicPacket { kind, destination })
    }

    /// Whether the id may be one that an nginx has made.
    pub fn may_be_ours(&self) -> bool {
        self.destination.len() == OWN_ID_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long(flags: u8, version: u8, id: &[u8]) -> Vec<u8> {
        [&[flags, 0, 0, 0, version, id.len() as u8][..], id, &[0; 40]].concat()
    }

    #[test]
    fn packets_say_whose_they_are() {
        let id = [7; OWN_ID_BYTES];
        for (datagram, kind, destination) in [
            (long(0xc3, 1, &id[..8]), QuicKind::Initial, &id[..8]),
            (long(0xd0, 1, &id), QuicKind::Known, &id[..]),
            (long(0xe0, 1, &id), QuicKind::Known, &id[..]),
            (long(0xf0, 1, &id), QuicKind::Other, &id[..]),
            (long(0xc0, 2, &id), QuicKind::Other, &id[..]),
            ([&[0x40][..], &id, &[1]].concat(), QuicKind::Known, &id[..]),
        ] {
            assert_eq!(QuicPacket::first_of(&datagram), Some(QuicPacket { kind, destination }));
        }
    }

    #[test]
    fn what_is_cut_is_none() {
        let id = [7; OWN_ID_BYTES];
        let short = [&[0x40][..], &id].concat();
        for whole in [&long(0xc0, 1, &id)[..6 + OWN_ID_BYTES], &short] {
            assert!(QuicPacket::first_of(whole).is_some());
            for end in 0..whole.len() {
                assert_eq!(QuicPacket::first_of(&whole[..end]), None);
            }
        }
    }
}
