//! Lists of networks, and whether they have an address.

use std::net::IpAddr;

use wick_wire::{Field, RecordError, address_list, fields, max};

use crate::range::Range;
use crate::rules::{Rule, check_rules};
use crate::verdict::{Refusal, Verdict};

/// Networks of both families. Finding an address takes a few steps however many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressList {
    v4: Ranges<u32>,
    v6: Ranges<u128>,
}

/// Addresses from the first to the second, both included; ascending, none next to another.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ranges<A>(Box<[(A, A)]>);

/// The check of a route with these lists, and with the rules behind them. The first that fits decides: who is denied stays out
/// although allowed. A client without an address, on a unix socket, is in no list.
#[inline]
pub fn check_address(
    client: Option<IpAddr>,
    allow: Option<&AddressList>,
    deny: Option<&AddressList>,
    rules: &[Rule],
) -> Verdict {
    let has = |list: &AddressList| client.is_some_and(|client| list.contains(client));
    match (allow, deny) {
        (_, Some(deny)) if has(deny) => Verdict::Refused(Refusal::Forbidden),
        (None, _) => check_rules(client, rules),
        (Some(allow), _) if has(allow) => Verdict::Granted,
        (Some(_), _) => Verdict::Refused(Refusal::Forbidden),
    }
}

impl AddressList {
    /// Reads a record (docs/wire.md 2, ADDRESS_LIST).
    ///
    /// # Errors: when the bytes are not such a record; never panics.
    pub fn decode(record: &[u8]) -> Result<AddressList, RecordError> {
        let (mut v4, mut v6) = (Vec::new(), Vec::new());
        for field in fields(address_list::VERSION, record)? {
            match range_in(field?)? {
                Some(Range::V4(range)) => v4.push(range),
                Some(Range::V6(range)) => v6.push(range),
                None => {}
            }
        }
        match v4.len() + v6.len() {
            0 => Err(RecordError::Missing),
            1..=max::ADDRESS_RANGES => Ok(AddressList { v4: Ranges::new(v4), v6: Ranges::new(v6) }),
            _ => Err(RecordError::Field),
        }
    }

    /// Whether the address is in one of the networks. One of IPv4 that is mapped into IPv6 is the former.
    #[inline]
    pub fn contains(&self, address: IpAddr) -> bool {
        match address.to_canonical() {
            IpAddr::V4(address) => self.v4.contains(address.to_bits()),
            IpAddr::V6(address) => self.v6.contains(address.to_bits()),
        }
    }
}

impl<A: Next> Ranges<A> {
    /// Any ranges, in any order.
    fn new(mut ranges: Vec<(A, A)>) -> Self {
        ranges.sort_unstable();
        let mut apart: Vec<(A, A)> = Vec::with_capacity(ranges.len());
        for (first, last) in ranges {
            match apart.last_mut() {
                Some((_, end)) if end.next().is_none_or(|next| first <= next) => {
                    *end = last.max(*end);
                }
                _ => apart.push((first, last)),
            }
        }
        Ranges(apart.into())
    }

    #[inline]
    fn contains(&self, address: A) -> bool {
        let behind = self.0.partition_point(|(first, _)| *first <= address);
        behind > 0 && address <= self.0[behind - 1].1
    }
}

/// An address as a number.
trait Next: Copy + Ord {
    /// `None` behind the last one.
    fn next(self) -> Option<Self>;
}

impl Next for u32 {
    fn next(self) -> Option<u32> {
        self.checked_add(1)
    }
}

impl Next for u128 {
    fn next(self) -> Option<u128> {
        self.checked_add(1)
    }
}

/// `None`: the field is another one, and may be passed over.
fn range_in(field: Field) -> Result<Option<Range>, RecordError> {
    if field.id != address_list::RANGES {
        return field.skip().map(|()| None);
    }
    Range::read(field.value).map(Some)
}
