//! What the record of a stream says, ready for sessions.

use std::cell::OnceCell;
use std::rc::Rc;

use ngx::ffi::ngx_log_t;
use wick_access::AddressList;
use wick_hosts::ReadOther;
use wick_limits::{Identity, Limits, Rate};
use wick_streams::{
    BackendTls, Name, Numbers, Protocol, ProxyVersion, RecordError, Stream, Target,
};

use super::reencryption::{ReadyEndpoint, Reencryption};
use super::settings::{Settings, SrvConfs, Structure};
use super::termination::Termination;
use crate::access::Lists;
use crate::limited_log::LimitedLog;
use crate::limits::hash;
use crate::tls::ready::ReadyHost;

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
    /// One for each name, or for all; none where there is no TLS.
    places: Box<[Place]>,
}

/// What a target has of TLS.
#[derive(Default)]
struct Place {
    /// In the place of the record's; `None`: its endpoints are not spoken to in TLS.
    settings: Option<Settings>,
    /// What TLS of clients ends with, made at its first use.
    tls_host: OnceCell<Rc<ReadyHost>>,
    endpoint: ReadyEndpoint,
}

/// What a server brings along.
pub struct Server<'s> {
    pub confs: SrvConfs,
    /// `None`: this nginx's is not known.
    pub structure: Option<&'s Structure>,
    /// `None`: TLS does not end here.
    pub termination: Option<&'s Termination>,
    /// `None`: endpoints cannot be spoken to in TLS.
    pub reencryption: Option<&'s Reencryption>,
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
        let mut stream = Stream::decode(record)?;
        if name.protocol == Protocol::Udp {
            stream.without_tcp();
        }
        let allow = stream.allow.as_deref().map(|id| lists.addresses(id, others)).transpose()?;
        let deny = stream.deny.as_deref().map(|id| lists.addresses(id, others)).transpose()?;
        let wanted = Wanted::of(name, &stream, server);
        // SAFETY: the caller's promise.
        let (settings, places) =
            unsafe { (wanted.settings(&stream, None), wanted.places(&stream)) };
        let (limits, namespace) = (limits_of(name, &stream), hash(&stream.target.namespace));
        let lacks_settings = wanted.is_any && settings.is_none();
        Ok(Ready { stream, allow, deny, limits, namespace, settings, lacks_settings, places })
    }

    /// What serves sessions: of several the one at this place. `None`: nobody does.
    pub fn target(&self, place: Option<usize>) -> Option<&Target> {
        let Stream { names, target, .. } = &self.stream;
        if names.is_empty() { Some(target) } else { names.get(place?) }
    }

    /// Whether what a target says of TLS can be in force.
    pub fn has_tls_for(&self, place: Option<usize>) -> bool {
        let Some(target) = self.target(place) else { return false };
        let known = self.places.get(place.unwrap_or(0));
        let ends = target.tls.is_none() || (self.settings.is_some() && known.is_some());
        ends && (target.backend_tls.is_none() || known.is_some_and(|it| it.settings.is_some()))
    }

    /// What the client's TLS ends with. `None`: it does not end here, or cannot.
    pub fn tls_host(
        &self,
        name: Name,
        place: Option<usize>,
        termination: &Termination,
    ) -> Option<Rc<ReadyHost>> {
        let tls = self.target(place)?.tls.as_ref()?;
        let make = || {
            let host = place.and_then(|place| self.stream.names.host(place)).unwrap_or(b"");
            let name = [name.to_string().as_bytes(), b"/", host].concat();
            Rc::new(termination.preparing().host(&name, tls.host.clone()))
        };
        Some(self.places.get(place.unwrap_or(0))?.tls_host.get_or_init(make).clone())
    }

    /// What endpoints of a target are verified by.
    pub fn endpoint(&self, place: Option<usize>) -> Option<&ReadyEndpoint> {
        Some(&self.places.get(place.unwrap_or(0))?.endpoint)
    }

    /// Those of a session with this target; `None`: the server's own.
    pub fn srv_confs(&self, place: Option<usize>) -> Option<SrvConfs> {
        let own = self.places.get(place.unwrap_or(0)).and_then(|it| it.settings.as_ref());
        own.or(self.settings.as_ref()).map(Settings::srv_confs)
    }
}

/// What of a record is in nginx's own configurations.
struct Wanted<'s> {
    server: &'s Server<'s>,
    sends_header: bool,
    /// `None`: no client's TLS ends here.
    termination: Option<&'s Termination>,
    is_any: bool,
}

impl<'s> Wanted<'s> {
    fn of(name: Name, stream: &Stream, server: &'s Server<'s>) -> Wanted<'s> {
        let sends_header =
            name.protocol == Protocol::Tcp && stream.sends_proxy_protocol == Some(ProxyVersion::V1);
        let ends_tls = stream.targets().any(|target| target.tls.is_some());
        let termination = server.termination.filter(|_| ends_tls);
        let is_any = stream.numbers != Numbers::default() || sends_header || termination.is_some();
        Wanted { server, sends_header, termination, is_any }
    }

    /// `None`: they are the server's own, or cannot be in force.
    ///
    /// # Safety
    /// As for [`Ready::of`].
    unsafe fn settings(&self, stream: &Stream, endpoint: Option<&BackendTls>) -> Option<Settings> {
        let Server { confs, structure, reencryption, .. } = self.server;
        let structure = structure.filter(|_| self.is_any || endpoint.is_some())?;
        // SAFETY: the caller's promise; contexts live as long as configurations.
        unsafe {
            let mut made = Settings::new(*confs, structure, &stream.numbers, self.sends_header);
            if let Some(tls) = self.termination {
                made.put(tls.slot, tls.conf);
            }
            if let Some(endpoint) = endpoint {
                let name = endpoint.server_name.as_deref();
                made.speak_tls(structure, (*reencryption)?.context, name)?;
            }
            Some(made)
        }
    }

    /// # Safety
    /// As for [`Ready::of`].
    unsafe fn places(&self, stream: &Stream) -> Box<[Place]> {
        let has_tls = |target: &Target| target.tls.is_some() || target.backend_tls.is_some();
        if !stream.targets().any(has_tls) {
            return Box::default();
        }
        let place = |target: &Target| {
            let endpoint = target.backend_tls.as_ref();
            // SAFETY: the caller's promise.
            let settings = endpoint.and_then(|it| unsafe { self.settings(stream, Some(it)) });
            Place { settings, ..Place::default() }
        };
        stream.targets().map(place).collect()
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
