//! TLS handshakes: certificates and settings of a shared zone, found by server name.
//!
//! `ingress_certificates ZONE [reject_unknown]` in a server block puts callbacks at its OpenSSL context. The one of the
//! ClientHello finds the TLS host and separates its sessions from others', the one of the certificate puts the host in
//! force, the one of the status staples (docs/ingress-module.md, "What happens to a handshake"). What a request has to
//! show is decided elsewhere, by the [`Handshake`] that stays with the connection.

mod callbacks;
mod handshake;
mod interned;
mod named;
mod pair;
mod ready;
mod server;
mod shelf;
mod variable;

use std::ffi::{c_char, c_void};
use std::ptr::NonNull;
use std::rc::Rc;

use ngx::ffi::{
    NGX_CONF_TAKE12, NGX_HTTP_MODULE, NGX_HTTP_SRV_CONF, ngx_command_t, ngx_conf_t,
    ngx_http_core_main_conf_t, ngx_http_core_module, ngx_http_core_srv_conf_t, ngx_http_module_t,
    ngx_http_ssl_module, ngx_http_ssl_srv_conf_t, ngx_int_t, ngx_module_t,
};
use ngx::ngx_string;
use wick_native::code::{ERROR, OK};
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::guard::guard;
use wick_native::module::{NO_HOOKS, command, create_conf};
use wick_native::tls::Context;
use wick_native::zone::SharedZone;

pub use handshake::{Handshake, handshake};

use self::server::TlsServer;
use self::shelf::Shelf;
use crate::conf::refer_zone;

const SRV_CONF_OFFSET: usize = std::mem::offset_of!(ngx::ffi::ngx_http_conf_ctx_t, srv_conf);

static mut COMMANDS: [ngx_command_t; 2] = [
    command(
        ngx_string!("ingress_certificates"),
        (NGX_HTTP_SRV_CONF | NGX_CONF_TAKE12) as usize,
        directive,
        SRV_CONF_OFFSET,
    ),
    ngx_command_t::empty(),
];

static mut HTTP: ngx_http_module_t = ngx_http_module_t {
    preconfiguration: Some(variable::declare),
    postconfiguration: Some(postconfiguration),
    create_main_conf: Some(create_conf::<MainConf>),
    create_srv_conf: Some(create_conf::<SrvConf>),
    ..NO_HOOKS
};

pub static mut MODULE: ngx_module_t = ngx_module_t {
    ctx: (&raw mut HTTP).cast(),
    commands: (&raw mut COMMANDS).cast(),
    type_: NGX_HTTP_MODULE as usize,
    ..ngx_module_t::default()
};

fn module() -> &'static ngx_module_t {
    let module = &raw const MODULE;
    // SAFETY: nginx writes the indexes before it calls any of our functions, and nothing afterwards.
    unsafe { &*module }
}

/// One configuration's certificates.
#[derive(Default)]
struct MainConf {
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
}

/// `ingress_certificates ZONE [reject_unknown]`
unsafe extern "C" fn directive(
    cf: *mut ngx_conf_t,
    _: *mut ngx_command_t,
    conf: *mut c_void,
) -> *mut c_char {
    // SAFETY: nginx's parser is calling with what create_conf returned.
    guard(CONF_ERROR, || unsafe { set(Conf::from_raw(cf), &mut *conf.cast::<SrvConf>()) })
}

/// # Safety
/// The parser is inside `http`.
unsafe fn set(cf: Conf, conf: &mut SrvConf) -> Answer {
    if conf.wanted.is_some() {
        return refuse(c"is duplicate");
    }
    let words: Vec<&[u8]> = cf.words().collect();
    let rejects_unknown = match words.get(2) {
        None => false,
        Some(&b"reject_unknown") => true,
        Some(word) => {
            let word = word.escape_ascii();
            return cf
                .error(format_args!("invalid parameter \"{word}\" in \"ingress_certificates\""));
        }
    };
    // SAFETY: the caller's promise.
    let zone = unsafe { refer_zone(cf, "ingress_certificates", words[1]) };
    conf.wanted = zone.map(|zone| Wanted { zone, rejects_unknown });
    if conf.wanted.is_some() { CONF_OK } else { CONF_ERROR }
}

/// Every server block has its context by now.
unsafe extern "C" fn postconfiguration(cf: *mut ngx_conf_t) -> ngx_int_t {
    guard(ERROR, || {
        // SAFETY: nginx's parser is calling, inside `http`, and nothing else refers to our configurations.
        let installed = unsafe {
            let conf = Conf::from_raw(cf);
            let main = &mut *conf.http_main::<MainConf>(module());
            servers(conf).try_for_each(|server| install(conf, main, server))
        };
        if installed.is_some() { OK } else { ERROR }
    })
}

/// # Safety
/// The parser is inside `http`.
unsafe fn servers(conf: Conf) -> impl Iterator<Item = NonNull<ngx_http_core_srv_conf_t>> {
    let core = &raw const ngx_http_core_module;
    // SAFETY: the core module's array of pointers to the configurations of server blocks.
    unsafe {
        let core = &*conf.http_main::<ngx_http_core_main_conf_t>(&*core);
        core.servers.as_slice::<NonNull<ngx_http_core_srv_conf_t>>().iter().copied()
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
    let ssl = &raw const ngx_http_ssl_module;
    // SAFETY: the server's array has a slot per HTTP module; the types are those that the modules keep there.
    let (wanted, ssl) = unsafe {
        let slots = (*server.as_ref().ctx).srv_conf;
        let ours = &*(*slots.add(module().ctx_index)).cast::<SrvConf>();
        let ssl = &*(*slots.add((*ssl).ctx_index)).cast::<ngx_http_ssl_srv_conf_t>();
        (ours.wanted.as_ref(), ssl)
    };
    let Some(Wanted { zone, rejects_unknown }) = wanted else { return Some(()) };
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
    let server = TlsServer::new(main.shelf(*zone), *rejects_unknown, &context.identity());
    let server = conf.pool().keep(server)?;
    // SAFETY: the server lives as long as the configuration, and the context does not live longer.
    unsafe { context.set_callbacks(&callbacks::ALL, server.as_ptr().cast()) };
    Some(())
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
