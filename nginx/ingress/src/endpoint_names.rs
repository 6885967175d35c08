//! The directive `ingress_endpoint_names NAME …` of a location that passes requests on in TLS: an endpoint's certificate has to have one of these
//! alternative names (host names, addresses, URIs). The name of `proxy_ssl_name` is then only sent.
//!
//! nginx has loaded the authorities into a context of the location's own, as `proxy_ssl_verify on` stands there, too. The handshake itself verifies by
//! it, so that one that fails is over before anything is sent; and nginx, which would look for its one name behind it, looks no more.

use std::ffi::{c_int, c_void};

use ngx::ffi::{
    NGX_CONF_1MORE, NGX_HTTP_LOC_CONF, X509_STORE_CTX, ngx_flag_t, ngx_http_upstream_conf_t,
};
use wick_native::conf::{Answer, CONF_OK, Conf, refuse};
use wick_native::guard::guard;
use wick_native::http_module;
use wick_native::measure::module_named;
use wick_native::module::ModuleIndex;
use wick_native::tls::{Context, Shown};

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_endpoint_names": NGX_HTTP_LOC_CONF | NGX_CONF_1MORE, loc_conf => ingress_endpoint_names;
    }
    main_conf: MainConf,
    loc_conf: LocConf,
    postconfiguration: postconfiguration,
}

/// Where the directive stands.
#[derive(Default)]
struct MainConf {
    places: Vec<Place>,
}

/// What the module keeps per location.
#[derive(Default)]
struct LocConf {
    is_named: bool,
}

struct Place {
    /// Of the location, one for each module that speaks TLS.
    passing: Vec<*mut ngx_http_upstream_conf_t>,
    names: Names,
}

type Names = Box<[Box<[u8]>]>;

fn ingress_endpoint_names(cf: Conf, conf: &mut LocConf) -> Answer {
    if std::mem::replace(&mut conf.is_named, true) {
        return refuse(c"is duplicate");
    }
    let names: Names = cf.words().skip(1).map(Box::from).collect();
    if names.iter().any(|name| name.is_empty()) {
        return refuse(c"has an empty name");
    }
    // SAFETY: the parser is in a location, each module has made its configuration of it, which begins with nginx's for these two; no other reference
    // to ours is alive.
    unsafe {
        let passing = [c"ngx_http_proxy_module", c"ngx_http_grpc_module"]
            .into_iter()
            .filter_map(|name| Some(cf.http_loc(module_named(cf, name)?.as_ref().ctx_index)))
            .collect();
        (*cf.http_main::<MainConf>(MODULE.get())).places.push(Place { passing, names });
    }
    CONF_OK
}

/// Every location has its context by now.
fn postconfiguration(conf: Conf) -> Option<()> {
    // SAFETY: the parser is inside `http`, and nothing else refers to our configuration.
    let places = unsafe { std::mem::take(&mut (*conf.http_main::<MainConf>(MODULE.get())).places) };
    // SAFETY: the locations of this configuration.
    places.into_iter().try_for_each(|place| unsafe { install(conf, place) })
}

/// `None`: refused, and the log says why.
///
/// # Safety
/// Locations of the configuration that is being read, all of which were.
unsafe fn install(conf: Conf, Place { passing, names }: Place) -> Option<()> {
    let names = conf.pool().keep(names)?;
    let mut is_verified = false;
    for passing in passing {
        // SAFETY: the caller's promise; the names live as long as the configuration, and the context does not live longer.
        unsafe {
            let (passing, ssl) = (&mut *passing, (*passing).ssl.as_ref());
            let Some(context) = ssl.and_then(|ssl| Context::from_raw(ssl.ctx)) else { continue };
            if std::mem::replace(&mut passing.ssl_verify, OFF) != OFF {
                context.set_endpoint_verify(verify, names.as_ptr().cast());
                // What a session was verified for is not looked at again.
                context.separate_sessions();
                is_verified = true;
            }
        }
    }
    if !is_verified {
        conf.error(format_args!(
            "\"ingress_endpoint_names\" needs a location that passes requests on in TLS, with \"proxy_ssl_verify\" or \"grpc_ssl_verify\" on"
        ));
    }
    is_verified.then_some(())
}

const OFF: ngx_flag_t = 0;

unsafe extern "C" fn verify(chain: *mut X509_STORE_CTX, names: *mut c_void) -> c_int {
    guard(0, || {
        // SAFETY: OpenSSL is calling, with the argument of the context.
        unsafe {
            Shown::from_raw(chain).is_some_and(|it| it.holds_here(&*names.cast::<Names>())).into()
        }
    })
}
