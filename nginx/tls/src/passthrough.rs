//! The record of a passthrough: where connections with its name go.

use std::net::{IpAddr, SocketAddr};

use wick_wire::{RecordError, passthrough, take, take_u16};

use crate::record::take_head;

const KIND_V4: u8 = 4;
const KIND_V6: u8 = 6;

/// A record that was checked from end to end.
#[derive(Clone, Copy, Debug)]
pub struct Passthrough<'a> {
    addresses: &'a [u8],
    count: usize,
}

impl<'a> Passthrough<'a> {
    /// # Errors: when the bytes are not such a record; never panics.
    pub fn decode(mut bytes: &'a [u8]) -> Result<Self, RecordError> {
        take_head(passthrough::VERSION, &mut bytes)?;
        let (addresses, mut count) = (bytes, 0);
        while !bytes.is_empty() {
            take_address(&mut bytes)?;
            count += 1;
        }
        if count == 0 { Err(RecordError::Missing) } else { Ok(Passthrough { addresses, count }) }
    }

    /// The address whose turn it is: they go round in the order of the record.
    pub fn address(&self, turn: usize) -> SocketAddr {
        let address = self.addresses().nth(turn % self.count);
        address.expect("there are as many as were counted")
    }

    pub fn addresses(&self) -> impl Iterator<Item = SocketAddr> + use<'a> {
        let mut rest = self.addresses;
        std::iter::from_fn(move || take_address(&mut rest).ok())
    }
}

fn take_address(bytes: &mut &[u8]) -> Result<SocketAddr, RecordError> {
    let port = take_u16(bytes).ok_or(RecordError::Length)?;
    let ip: IpAddr = match take(bytes, 1).ok_or(RecordError::Length)? {
        [KIND_V4] => take_ip::<4>(bytes)?.into(),
        [KIND_V6] => take_ip::<16>(bytes)?.into(),
        _ => return Err(RecordError::Field),
    };
    if port == 0 { Err(RecordError::Field) } else { Ok(SocketAddr::new(ip, port)) }
}

fn take_ip<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], RecordError> {
    let (ip, rest) = bytes.split_first_chunk().ok_or(RecordError::Length)?;
    *bytes = rest;
    Ok(*ip)
}
