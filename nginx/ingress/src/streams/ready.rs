//! What the record of a stream says, ready for sessions.

use std::rc::Rc;

use ngx::ffi::ngx_log_t;
use wick_access::AddressList;
use wick_hosts::ReadOther;
use wick_limits::{Identity, Limits, Rate};
use wick_streams::{Name, Numbers, Protocol, ProxyVersion, RecordError, Stream};

use super::settings::{Settings, SrvConfs, Structure};
use crate::access::Lists;
use crate::limited_log::LimitedLog;
use crate::limits::hash;

pub struct Ready {
    pub stream: Stream,
    pub allow: Option<Rc<AddressList>>,
    pub deny: Option<Rc<AddressList>>,
    pub limits: Option<Limits>,
    /// A hash of the namespace, which has its share of the table of limits.
    pub namespace: u64,
    /// The server's configurations with the record's numbers in force; `None`: it has none, or they cannot be put in force.
    settings: Option<Settings>,
    pub lacks_settings: bool,
}

/// What a server brings along.
pub struct Server<'s> {
    pub confs: SrvConfs,
    /// `None`: this nginx's is not known.
    pub structure: Option<&'s Structure>,
    pub errors: &'s LimitedLog,
    pub log: *mut ngx_log_t,
}

impl Ready {
    /// # Errors: it cannot be read, or a list that it names is not there. Nobody may be served then.
    ///
    /// # Safety
    /// The server's configurations are those of the nginx that was measured, and live as long as what is made.
    pub unsafe fn of(
        name: Name,
        record: &[u8],
        server: &Server<'_>,
        lists: &Lists,
        others: &mut ReadOther<'_>,
    ) -> Result<Ready, RecordError> {
        let stream = Stream::decode(record)?;
        let allow = stream.allow.as_deref().map(|id| lists.addresses(id, others)).transpose()?;
        let deny = stream.deny.as_deref().map(|id| lists.addresses(id, others)).transpose()?;
        let sends_header =
            name.protocol == Protocol::Tcp && stream.sends_proxy_protocol == Some(ProxyVersion::V1);
        let wants_settings = stream.numbers != Numbers::default() || sends_header;
        let structure = server.structure.filter(|_| wants_settings);
        // SAFETY: the caller's promise.
        let settings = structure.map(|structure| unsafe {
            Settings::new(server.confs, structure, &stream.numbers, sends_header)
        });
        let (limits, namespace) = (limits_of(name, &stream), hash(&stream.target.namespace));
        let lacks_settings = wants_settings && settings.is_none();
        Ok(Ready { stream, allow, deny, limits, namespace, settings, lacks_settings })
    }

    /// `None`: the server's own.
    pub fn srv_confs(&self) -> Option<SrvConfs> {
        self.settings.as_ref().map(Settings::srv_confs)
    }
}

/// So many times the rate may come at once, as with limits of routes that say nothing else.
const BURST: u64 = 5;

fn limits_of(name: Name, stream: &Stream) -> Option<Limits> {
    if stream.connections.is_none() && stream.connections_per_second.is_none() {
        return None;
    }
    let rate = |number: u32| Rate::per_second(number, u64::from(number) * BURST);
    Some(Limits {
        key: key(name),
        rates: [stream.connections_per_second.map(rate), None],
        connections: stream.connections,
        exempt: None,
        identity: Identity { parts: Box::default(), ipv6_bits: 128 },
        has_headers: false,
    })
}

/// Keys of Ingresses are hashes, so none of them is one of these.
fn key(name: Name) -> u128 {
    u128::from_be_bytes(*b"stream\0\0\0\0\0\0\0\0\0\0") | u128::from(name.tag())
}
