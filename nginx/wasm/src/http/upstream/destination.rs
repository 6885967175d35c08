//! What a connection to an endpoint may be used for: requests that would have opened the same one.

use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::ptr::NonNull;
use std::sync::OnceLock;

use ngx::ffi::{ngx_http_complex_value_t, ngx_http_upstream_conf_t, ngx_http_upstream_t};
use wick_abi::Address;
use wick_native::bits;
use wick_native::complex::Complex;
use wick_native::request::Request;

use super::table::Key;

/// Where a connection leads and what holds on it. Connections with equal destinations are interchangeable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Destination {
    address: Address,
    /// The protocol module that talks over it, by address: gRPC leaves a state with its connections that no other module
    /// would go on with.
    protocol: usize,
    /// The address of our own that it comes from (`proxy_bind`), by where the configuration has it; 0: the system chooses.
    from: usize,
    tls: Option<Tls>,
}

/// What is asked of a handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tls {
    /// nginx's settings, by address: protocols, ciphers, certificates, whom to trust.
    settings: usize,
    is_verified: bool,
    is_name_sent: bool,
    name: Name,
}

/// A hash of the name that is sent and verified. With 128 bits and secret keys nobody finds two names with the same one.
type Name = [u64; 2];
/// Of the upstream block, which is the same for all.
const DEFAULT_NAME: Name = [0; 2];

impl Destination {
    /// Of a connection that `r` would open to `address` now. `None`: no other request may use it.
    #[inline]
    pub fn of(r: Request, address: Address) -> Option<Destination> {
        // SAFETY: the live request's upstream.
        let (upstream, is_tls) = unsafe {
            let upstream = r.upstream()?;
            (upstream.as_ref(), bits::upstream::SSL.is_set(upstream.as_ptr()))
        };
        let protocol = upstream.output.tag.addr();
        let from = local_address(upstream)?;
        let tls = if is_tls { Some(Tls::of(r, upstream)?) } else { None };
        Some(Destination { address, protocol, from, tls })
    }

    pub fn is_tls(&self) -> bool {
        self.tls.is_some()
    }
}

/// `None`: variables name it, so that it hangs on the request.
#[inline]
fn local_address(upstream: &ngx_http_upstream_t) -> Option<usize> {
    // SAFETY: an upstream always has a configuration, which outlives the request.
    match unsafe { (*upstream.conf).local.as_ref() } {
        None => Some(0),
        Some(local) => local.value.is_null().then(|| local.addr.addr()),
    }
}

impl Key for Destination {
    #[inline]
    fn hash(&self) -> u32 {
        let ip = match self.address.ip {
            IpAddr::V4(ip) => ip.to_bits(),
            IpAddr::V6(ip) => {
                let bits = ip.to_bits();
                (bits ^ (bits >> 32) ^ (bits >> 64) ^ (bits >> 96)) as u32
            }
        };
        // Protocols and settings are few: those of one endpoint may share a bucket.
        let mixed = (ip ^ u32::from(self.address.port).rotate_left(16)).wrapping_mul(0x9e37_79b1);
        mixed ^ (mixed >> 16)
    }
}

impl Tls {
    #[cold]
    fn of(r: Request, upstream: &ngx_http_upstream_t) -> Option<Tls> {
        // SAFETY: an upstream always has a configuration, which outlives the request.
        let conf = unsafe { &*upstream.conf };
        let is_verified = conf.ssl_verify != 0;
        let is_name_sent = conf.ssl_server_name != 0;
        // SAFETY: nginx compiled the configuration's values, which outlive all requests.
        let name = match unsafe { complex(conf.ssl_name) } {
            Some(name) if is_verified || is_name_sent => hash(name.evaluate(r)?),
            _ => DEFAULT_NAME,
        };
        let tls = Tls { settings: conf.ssl.addr(), is_verified, is_name_sent, name };
        (!has_own_certificate(conf)).then_some(tls)
    }
}

/// Whether the certificate that nginx shows hangs on the request: it is no part of the settings then.
fn has_own_certificate(conf: &ngx_http_upstream_conf_t) -> bool {
    [conf.ssl_certificate, conf.ssl_certificate_key]
        .into_iter()
        // SAFETY: as above.
        .filter_map(|value| unsafe { complex(value) })
        .any(|value| value.has_variables())
}

/// # Safety
/// Null, or a value that lives for `'a`.
unsafe fn complex<'a>(value: *mut ngx_http_complex_value_t) -> Option<&'a Complex> {
    // SAFETY: the caller's promise.
    NonNull::new(value).map(|value| unsafe { Complex::from_raw(value) })
}

fn hash(name: &[u8]) -> Name {
    static KEYS: OnceLock<[RandomState; 2]> = OnceLock::new();
    let keys = KEYS.get_or_init(|| [RandomState::new(), RandomState::new()]);
    [keys[0].hash_one(name), keys[1].hash_one(name)]
}
