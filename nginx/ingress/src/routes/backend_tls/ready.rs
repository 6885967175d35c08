//! How a backend is spoken to, with OpenSSL's contexts for it, and what those call.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ffi::{CStr, c_int, c_void};
use std::ptr::{NonNull, null_mut};

use ngx::ffi::{SSL, X509_STORE_CTX, ngx_flag_t, ngx_http_upstream_conf_t, ngx_ssl_t};
use wick_native::guard::guard;
use wick_native::tls::{Connection, EndpointSettings, Failure, Owner, Shown, WantedSettings};
use wick_routes::{BackendTls, TlsVersion};

use super::means::Means;
use crate::tls::named::Named;
use crate::tls::pair::ReadyPair;
use crate::tls::shelf::ReadyAuthority;

/// Contexts refer to it: it does not move, and lives as long as the configuration.
pub struct ReadyBackend {
    said: BackendTls,
    means: Means,
    authority: OnceCell<Named<ReadyAuthority>>,
    pair: OnceCell<Named<ReadyPair>>,
    /// One for each of nginx's own that it takes the place of.
    settings: RefCell<HashMap<NonNull<ngx_ssl_t>, EndpointSettings>>,
}

/// By what name TLS is spoken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SpokenTo {
    /// That of the route.
    #[default]
    Backend,
    /// That of the location.
    Service,
}

/// As nginx has it.
const DEFAULT_CIPHERS: &CStr = c"DEFAULT";

/// None: what backends have is of no TLS host.
const TLS_HOST: &[u8] = b"";

impl ReadyBackend {
    pub(super) fn new(said: BackendTls, means: Means) -> ReadyBackend {
        let (authority, pair) = (OnceCell::new(), OnceCell::new());
        ReadyBackend { said, means, authority, pair, settings: RefCell::default() }
    }

    /// Puts it in force where nginx speaks TLS; elsewhere nothing changes.
    ///
    /// # Errors: OpenSSL does not take something of it.
    ///
    /// # Safety
    /// A location's settings of a live configuration, or a copy of them.
    pub unsafe fn put_in_force(
        &self,
        upstream: &mut ngx_http_upstream_conf_t,
        is_http2: bool,
        spoken_to: SpokenTo,
    ) -> Result<(), Failure> {
        // Where nobody speaks TLS by a module, its settings have no context.
        // SAFETY: as promised.
        let is_tls = |ssl: &NonNull<ngx_ssl_t>| unsafe { !ssl.as_ref().ctx.is_null() };
        let Some(base) = NonNull::new(upstream.ssl).filter(is_tls) else { return Ok(()) };
        // SAFETY: as promised.
        upstream.ssl = unsafe { self.settings(base, is_http2)? };
        upstream.ssl_verify = ngx_flag_t::from(self.is_name_verified());
        upstream.ssl_server_name = ngx_flag_t::from(self.said.sends_name);
        if spoken_to == SpokenTo::Backend {
            upstream.ssl_name = self.means.name.cast().as_ptr();
        }
        (upstream.ssl_certificate, upstream.ssl_certificate_key) = (null_mut(), null_mut());
        Ok(())
    }

    /// nginx looks for the name that is sent once the handshake is over, and the handshake itself for all others.
    fn is_name_verified(&self) -> bool {
        self.said.authority.is_some() && self.said.alternative_names.is_empty()
    }

    /// Those that take the place of `base`: protocols have different ones.
    ///
    /// # Errors: as above.
    ///
    /// # Safety
    /// As above.
    unsafe fn settings(
        &self,
        base: NonNull<ngx_ssl_t>,
        is_http2: bool,
    ) -> Result<*mut ngx_ssl_t, Failure> {
        let mut known = self.settings.borrow_mut();
        if let Some(settings) = known.get(&base) {
            return Ok(settings.as_ptr());
        }
        let wanted = WantedSettings {
            ciphers: self.said.ciphers.as_deref().unwrap_or(DEFAULT_CIPHERS),
            versions: versions(self.said.version),
            is_http2,
            verify: self.said.authority.as_ref().map(|_| verify as _),
            certificate: self.said.certificate.as_ref().map(|_| show as _),
        };
        let argument = std::ptr::from_ref(self).cast_mut().cast();
        // SAFETY: as promised; `self` lives as long as the configuration, and is what the callbacks take it for.
        let settings = unsafe { EndpointSettings::new(base, &wanted, argument)? };
        Ok(known.entry(base).or_insert(settings).as_ptr())
    }

    /// Whether what an endpoint has shown holds.
    fn holds(&self, shown: &Shown) -> bool {
        let Some(id) = &self.said.authority else { return false };
        let shelf = &self.means.shelf;
        let named =
            self.authority.get_or_init(|| Named::new(id.clone(), shelf.known_authority(id)));
        let Some(authority) = named.find(TLS_HOST, |id| shelf.authority(id)) else {
            named.tell_missing(TLS_HOST);
            return shown.refuse();
        };
        let owner = match &*self.said.alternative_names {
            [] => Owner::Anybody,
            names => Owner::OneOf(names),
        };
        shown.holds(&authority.store, self.said.depth, owner)
    }

    /// Shows the endpoint what it has asked for. False: it is missing.
    fn show(&self, connection: Connection) -> bool {
        let Some(id) = &self.said.certificate else { return true };
        let shelf = &self.means.shelf;
        let named = self.pair.get_or_init(|| Named::new(id.clone(), shelf.known_pair(id)));
        match named.find(TLS_HOST, |id| shelf.pair(id)) {
            Some(pair) => pair.offer(connection).is_ok(),
            None => {
                named.tell_missing(TLS_HOST);
                false
            }
        }
    }
}

/// TLS 1.2 and 1.3.
fn versions(only: Option<TlsVersion>) -> (bool, bool) {
    (only != Some(TlsVersion::V1_3), only != Some(TlsVersion::V1_2))
}

unsafe extern "C" fn verify(chain: *mut X509_STORE_CTX, backend: *mut c_void) -> c_int {
    guard(0, || {
        // SAFETY: OpenSSL is calling, with the argument of the context.
        unsafe {
            let Some(shown) = Shown::from_raw(chain) else { return 0 };
            (*backend.cast::<ReadyBackend>()).holds(&shown).into()
        }
    })
}

unsafe extern "C" fn show(ssl: *mut SSL, backend: *mut c_void) -> c_int {
    guard(0, || {
        // SAFETY: as above.
        unsafe { (*backend.cast::<ReadyBackend>()).show(Connection::from_raw(ssl)).into() }
    })
}
