//! The record of a passthrough: where connections with its name go.

use std::net::{IpAddr, SocketAddr};

use wick_wire::{Field, Fields, RecordError, fields, passthrough, take_u16};

/// A record that was checked from end to end.
#[derive(Clone, Copy, Debug)]
pub struct Passthrough<'a> {
    fields: Fields<'a>,
    count: usize,
}

impl<'a> Passthrough<'a> {
    /// # Errors: when the bytes are not such a record; never panics.
    pub fn decode(record: &'a [u8]) -> Result<Self, RecordError> {
        let (fields, mut count) = (fields(passthrough::VERSION, record)?, 0);
        for field in fields {
            count += usize::from(address_in(field?)?.is_some());
        }
        if count == 0 { Err(RecordError::Missing) } else { Ok(Passthrough { fields, count }) }
    }

    /// The address whose turn it is: they go round in the order of the record.
    pub fn address(&self, turn: usize) -> SocketAddr {
        let address = self.addresses().nth(turn % self.count);
        address.expect("there are as many as were counted")
    }

    pub fn addresses(&self) -> impl Iterator<Item = SocketAddr> + use<'a> {
        self.fields.filter_map(|field| address_in(field.ok()?).ok()?)
    }
}

/// `None`: the field is another one, and may be passed over.
fn address_in(field: Field) -> Result<Option<SocketAddr>, RecordError> {
    if field.id != passthrough::ADDRESSES {
        return field.skip().map(|()| None);
    }
    let mut ip = field.value;
    let port = take_u16(&mut ip).ok_or(RecordError::Field)?;
    let ip: IpAddr = match ip.len() {
        4 => read_ip::<4>(ip)?.into(),
        _ => read_ip::<16>(ip)?.into(),
    };
    if port == 0 { Err(RecordError::Field) } else { Ok(Some(SocketAddr::new(ip, port))) }
}

fn read_ip<const N: usize>(bytes: &[u8]) -> Result<[u8; N], RecordError> {
    bytes.try_into().map_err(|_| RecordError::Field)
}
