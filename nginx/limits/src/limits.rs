//! What a route says of limits.

use wick_wire::{Fields, RecordError, id, limits, numbers};

use crate::identity::{Identity, Part};
use crate::rate::Rate;

/// At least one limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Of the Ingress: routes with the same key share what a client has.
    pub key: u128,
    /// Per second and per minute, in the order in which they are asked.
    pub rates: [Option<Rate>; 2],
    /// Requests at a time, from 1.
    pub connections: Option<u32>,
    /// Id of the list of clients that are not limited.
    pub exempt: Option<Box<[u8]>>,
    pub identity: Identity,
    /// Responses say how much is left.
    pub has_headers: bool,
}

/// Where the Ingress says none.
const BURST_MULTIPLIER: u32 = 5;

impl Limits {
    /// Reads the value of a route's field.
    ///
    /// # Errors: `Critical` when it says something that is not known here, `Missing` without a key or a limit, `Field` when one is damaged.
    pub fn read(value: &[u8]) -> Result<Limits, RecordError> {
        let (mut key, mut exempt, mut connections) = (None, None, None);
        let (mut rps, mut rpm, mut multiplier) = (None, None, BURST_MULTIPLIER);
        let (mut parts, mut ipv6_bits, mut has_headers) = (Vec::new(), 128, false);
        for field in Fields::new(value) {
            let field = field?;
            match field.id {
                limits::KEY => key = Some(key_in(field.value)?),
                limits::RPS => rps = Some(numbers::LIMIT.read(field.value)? as u32),
                limits::RPM => rpm = Some(numbers::LIMIT.read(field.value)? as u32),
                limits::BURST_MULTIPLIER => {
                    multiplier = numbers::BURST_MULTIPLIER.read(field.value)? as u32;
                }
                limits::CONNECTIONS => connections = Some(numbers::LIMIT.read(field.value)? as u32),
                limits::EXEMPT => exempt = Some(id(field.value)?),
                limits::BY => parts.push(part_in(field.value)?),
                limits::IPV6_BITS => ipv6_bits = numbers::IPV6_BITS.read(field.value)? as u8,
                limits::HEADERS => has_headers = true,
                _ => field.skip()?,
            }
        }
        let burst = |requests: u32| u64::from(requests) * u64::from(multiplier);
        let rates = [
            rps.map(|requests| Rate::per_second(requests, burst(requests))),
            rpm.map(|requests| Rate::per_minute(requests, burst(requests))),
        ];
        if rates == [None; 2] && connections.is_none() {
            return Err(RecordError::Missing);
        }
        let identity = Identity { parts: parts.into(), ipv6_bits };
        let key = key.ok_or(RecordError::Missing)?;
        Ok(Limits { key, rates, connections, exempt, identity, has_headers })
    }
}

/// A newer wick may tell clients apart by what is not known here: then nothing of the route is served.
fn part_in(value: &[u8]) -> Result<Part, RecordError> {
    Part::read(value).ok_or(RecordError::Critical(limits::BY))
}

/// 32 hexadecimal digits.
fn key_in(value: &[u8]) -> Result<u128, RecordError> {
    let digits = std::str::from_utf8(value).ok().filter(|text| text.len() == 32);
    digits.and_then(|text| u128::from_str_radix(text, 16).ok()).ok_or(RecordError::Field)
}
