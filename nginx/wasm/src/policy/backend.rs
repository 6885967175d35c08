//! One backend that names a policy, as the filter has registered it: a root context.

use std::cell::{Cell, RefCell};
use std::net::IpAddr;
use std::rc::Rc;

use wick_abi::Status;
use wick_policy::{Endpoint, Endpoints, Zone};

use super::running::Running;
use crate::fault::Backoff;

pub struct Backend {
    pub policy: Rc<Running>,
    /// The id of its root context.
    pub root: i32,
    /// What the policy reads as its plugin configuration.
    pub config: Box<[u8]>,
    /// Of the key in the attempt record; empty: none.
    pub key_template: Box<[u8]>,
    pub endpoints: Endpoints,
    /// Per endpoint: the number of its slot, and of that for the policy's own cells; 0: there is none.
    pub slots: Box<[[u64; 2]]>,
    pub life: Life,
}

/// What stays when the backend gets another list of endpoints.
#[derive(Default)]
pub struct Life {
    /// The instance in which it was opened, by its number; 0: none.
    pub opened: Cell<u64>,
    /// That which did not take its configuration.
    pub refused_by: Cell<u64>,
    /// That which was told of the present endpoints.
    pub told: Cell<u64>,
    pub backoff: RefCell<Backoff>,
    /// Round robin until then, in milliseconds.
    pub rests_until: Cell<u64>,
}

impl Life {
    /// For another list.
    pub fn go_on(&self) -> Life {
        Life {
            opened: self.opened.clone(),
            refused_by: self.refused_by.clone(),
            told: Cell::new(0),
            backoff: RefCell::new(self.backoff.take()),
            rests_until: self.rests_until.clone(),
        }
    }
}

/// What the filter says of a backend; bytes are those of the filter's memory. See docs/abi.md, `wick_set_policy`.
pub struct Registration<'a> {
    /// By which the filter tells its backends apart.
    pub id: u64,
    /// `NAME@DIGEST`
    pub version: &'a [u8],
    pub config: &'a [u8],
    pub key_template: &'a [u8],
    endpoints: &'a [[u8; ENDPOINT_BYTES]],
}

/// u64 slot · u64 own slot · u32 weight · u8 zone · u8 4 or 6 · u16 port · 16 bytes of address.
const ENDPOINT_BYTES: usize = 40;
const HEAD_BYTES: usize = 32;

impl<'a> Registration<'a> {
    /// u64 id · u32 ↔ handle · u32 0 · u32 lengths of version, config and template · u32 number of endpoints, and all of these.
    /// # Errors
    /// BAD_ARGUMENT.
    pub fn parse(arguments: &'a [u8]) -> Result<Self, Status> {
        let (head, rest) =
            arguments.split_first_chunk::<HEAD_BYTES>().ok_or(Status::BadArgument)?;
        let word = |at: usize| head[at..at + 4].try_into().map_or(0, u32::from_le_bytes) as usize;
        let id = head[..8].try_into().map_or(0, u64::from_le_bytes);
        let (version, rest) = rest.split_at_checked(word(16)).ok_or(Status::BadArgument)?;
        let (config, rest) = rest.split_at_checked(word(20)).ok_or(Status::BadArgument)?;
        let (key_template, rest) = rest.split_at_checked(word(24)).ok_or(Status::BadArgument)?;
        match rest.as_chunks() {
            (endpoints, []) if endpoints.len() == word(28) => {
                Ok(Registration { id, version, config, key_template, endpoints })
            }
            _ => Err(Status::BadArgument),
        }
    }

    pub fn endpoints(&self) -> Endpoints {
        Endpoints::new(self.endpoints.iter().map(|bytes| {
            let ip: IpAddr = match bytes[21] {
                4 => <[u8; 4]>::try_from(&bytes[24..28]).unwrap_or_default().into(),
                _ => <[u8; 16]>::try_from(&bytes[24..40]).unwrap_or_default().into(),
            };
            let port = u16::from_le_bytes([bytes[22], bytes[23]]);
            let weight = bytes[16..20].try_into().map_or(1, u32::from_le_bytes);
            Endpoint { ip, port, weight, zone: Zone::from(bytes[20]) }
        }))
    }

    pub fn slots(&self) -> Box<[[u64; 2]]> {
        let word = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_le_bytes);
        self.endpoints.iter().map(|bytes| [word(&bytes[..8]), word(&bytes[8..16])]).collect()
    }
}
