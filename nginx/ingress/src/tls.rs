//! TLS handshakes: certificates and settings of a shared zone, found by server name.
//!
//! `ingress_certificates ZONE [reject_unknown] [listeners]` in a server block puts callbacks at its OpenSSL context. The one of the
//! ClientHello finds the TLS host and separates its sessions from others', the one of the certificate puts the host in
//! force, the one of the status staples (docs/ingress-module.md, "What happens to a handshake"). What a request has to
//! show is decided elsewhere, by the [`handshake::Handshake`] that stays with the connection.

pub mod callbacks;
pub mod handshake;
mod interned;
pub mod named;
pub mod pair;
pub mod ready;
mod server;
pub mod shelf;
mod variable;

use std::ptr::NonNull;
use std::rc::Rc;

use ngx::ffi::{
    NGX_CONF_TAKE1, NGX_CONF_TAKE2, NGX_CONF_TAKE3, NGX_HTTP_SRV_CONF, ngx_cycle_t,
    ngx_http_core_srv_conf_t, ngx_http_ssl_module, ngx_http_ssl_srv_conf_t,
};
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::http_module;
use wick_native::module::{ModuleIndex, http_main_of_cycle};
use wick_native::tls::Context;
use wick_native::zone::SharedZone;

use self::server::TlsServer;
use self::shelf::Shelf;
use crate::zone::ZoneUses;

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_certificates": NGX_HTTP_SRV_CONF | NGX_CONF_TAKE1 | NGX_CONF_TAKE2 | NGX_CONF_TAKE3, srv_conf
            => ingress_certificates;
    }
    main_conf: MainConf,
    srv_conf: SrvConf,
    preconfiguration: variable::declare,
    postconfiguration: postconfiguration,
}

/// One configuration's certificates.
#[derive(Default)]
struct MainConf {
    zones: ZoneUses,
    /// One per zone, so that server blocks share what they have parsed.
    shelves: Vec<(SharedZone, Rc<Shelf>)>,
}

/// What the module keeps per server block.
#[derive(Default)]
struct SrvConf {
    /// Set where `ingress_certificates` stands.
    wanted: Option<Wanted>,
}

/// What the directive says.
struct Wanted {
    zone: SharedZone,
    rejects_unknown: bool,
    asks_listeners: bool,
}

/// `ingress_certificates ZONE [reject_unknown] [listeners]`
fn ingress_certificates(cf: Conf, conf: &mut SrvConf) -> Answer {
    if conf.wanted.is_some() {
        return refuse(c"is duplicate");
    }
    let words: Vec<&[u8]> = cf.words().collect();
    let (mut rejects_unknown, mut asks_listeners) = (false, false);
    for word in &words[2..] {
        let is_known = match *word {
            b"reject_unknown" => !std::mem::replace(&mut rejects_unknown, true),
            b"listeners" => !std::mem::replace(&mut asks_listeners, true),
            _ => false,
        };
        if !is_known {
            let word = word.escape_ascii();
            return cf
                .error(format_args!("invalid parameter \"{word}\" in \"ingress_certificates\""));
        }
    }
    // SAFETY: the parser is inside `http`, and no other reference to the configuration is alive.
    let main = unsafe { &mut *cf.http_main::<MainConf>(MODULE.get()) };
    let zone = main.zones.refer(cf, "ingress_certificates", words[1]);
    conf.wanted = zone.map(|zone| Wanted { zone, rejects_unknown, asks_listeners });
    if conf.wanted.is_some() { CONF_OK } else { CONF_ERROR }
}

/// Refuses a configuration that names a zone it does not have.
///
/// # Safety
/// `cycle` is live and its configuration was read.
pub unsafe fn check(cycle: *mut ngx_cycle_t) -> Option<()> {
    // SAFETY: the caller's promise.
    let (main, log) =
        unsafe { (http_main_of_cycle::<MainConf>(cycle, MODULE.get()), (*cycle).log) };
    main.map_or(Some(()), |main| main.zones.check(log))
}

/// Every server block has its context by now.
fn postconfiguration(conf: Conf) -> Option<()> {
    // SAFETY: the parser is inside `http`, and nothing else refers to our configurations.
    unsafe {
        let main = &mut *conf.http_main::<MainConf>(MODULE.get());
        conf.http_servers().try_for_each(|server| install(conf, main, server))
    }
}

/// Sets the callbacks of one server block, if it has the directive. `None`: refused, and the log says why.
///
/// # Safety
/// A live server block of the configuration that is being read.
unsafe fn install(
    conf: Conf,
    main: &mut MainConf,
    server: NonNull<ngx_http_core_srv_conf_t>,
) -> Option<()> {
    // SAFETY: the server's array has a slot per HTTP module; the types are those that the modules keep there.
    let (wanted, ssl) = unsafe {
        let slots = (*server.as_ref().ctx).srv_conf;
        let ours = &*(*slots.add(MODULE.get())).cast::<SrvConf>();
        let ssl = &*(*slots.add(ngx_http_ssl_module.ctx_index)).cast::<ngx_http_ssl_srv_conf_t>();
        (ours.wanted.as_ref(), ssl)
    };
    let Some(Wanted { zone, rejects_unknown, asks_listeners }) = wanted else { return Some(()) };
    // SAFETY: the context lives as long as the configuration.
    let Some(context) = (unsafe { Context::from_raw(ssl.ssl.ctx) }) else {
        conf.error(format_args!(
            "\"ingress_certificates\" needs a server block with \"ssl_certificate\" and a \"listen\" with \"ssl\""
        ));
        return None;
    };
    if !ssl.certificate_values.is_null() {
        conf.error(format_args!(
            "\"ssl_certificate\" with variables and \"ingress_certificates\" cannot be in one server block"
        ));
        return None;
    }
    let (shelf, identity) = (main.shelf(*zone), context.identity());
    let server = TlsServer::new(shelf, *rejects_unknown, *asks_listeners, &identity);
    let server = conf.pool().keep(server)?;
    // SAFETY: the server lives as long as the configuration, and the context does not live longer.
    unsafe { context.set_callbacks(&callbacks::ALL, server.as_ptr().cast()) };
    Some(())
}

/// What was parsed of a zone, the same for all that use it.
pub fn shelf_of(conf: Conf, zone: SharedZone) -> Rc<Shelf> {
    // SAFETY: the parser is inside `http`, and nothing else refers to our configuration.
    unsafe { (*conf.http_main::<MainConf>(MODULE.get())).shelf(zone) }
}

impl MainConf {
    fn shelf(&mut self, zone: SharedZone) -> Rc<Shelf> {
        if let Some((_, shelf)) = self.shelves.iter().find(|(known, _)| known.name() == zone.name())
        {
            return shelf.clone();
        }
        let shelf = Rc::new(Shelf::new(zone));
        self.shelves.push((zone, shelf.clone()));
        shelf
    }
}
