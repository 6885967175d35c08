//! What proxies in front of nginx say about a request: a header made of it before the client's address is looked for,
//! and the host that the client asked for.
//!
//! A module of its own, because its handler comes when the head was read, long before any route is found.

use ngx::ffi::{
    NGX_CONF_TAKE2, NGX_HTTP_MAIN_CONF, ngx_http_phases_NGX_HTTP_POST_READ_PHASE,
    ngx_http_request_t, ngx_http_variable_value_t, ngx_int_t,
};
use wick_native::code::DECLINED;
use wick_native::complex::Complex;
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf};
use wick_native::guard::guard;
use wick_native::headers::{Side, get, is_framing, is_token, remove, replace};
use wick_native::http_module;
use wick_native::module::ModuleIndex;
use wick_native::phase::add_handler;
use wick_native::request::Request;
use wick_native::variable;

use crate::host;

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_set_request_header": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE2, main_conf => set;
    }
    main_conf: MainConf,
    preconfiguration: declare,
    postconfiguration: install,
}

/// The headers that requests get, in the order of their directives.
#[derive(Default)]
struct MainConf(Vec<Setting>);

struct Setting {
    name: Box<[u8]>,
    value: Complex,
}

fn set(cf: Conf, conf: &mut MainConf) -> Answer {
    let words: Vec<&[u8]> = cf.words().collect();
    let (name, text) = (words[1], words[2]);
    if !is_token(name) || is_framing(name) {
        let name = name.escape_ascii();
        return cf.error(format_args!(
            "invalid header name \"{name}\" in \"ingress_set_request_header\""
        ));
    }
    let Some(value) = Complex::compile(cf, text) else { return CONF_ERROR };
    conf.0.push(Setting { name: name.into(), value });
    CONF_OK
}

/// Declares `$ingress_forwarded_host`.
fn declare(conf: Conf) -> Option<()> {
    variable::declare(conf, b"ingress_forwarded_host", 0, |variable| {
        variable.get_handler = Some(forwarded_host);
    })
}

/// Behind the handlers of all other modules in nginx's list, which makes ours the first that are called: that of
/// [`host`] before the one here.
fn install(conf: Conf) -> Option<()> {
    // SAFETY: the parser is inside `http`; our configuration was created.
    if unsafe { !(*conf.http_main::<MainConf>(MODULE.get())).0.is_empty() } {
        add_handler(conf, ngx_http_phases_NGX_HTTP_POST_READ_PHASE, post_read)?;
    }
    host::install(conf)
}

/// Sets the headers. A value that cannot be one, or that is empty, leaves the request without: a client must not be
/// able to say in our place what the header says.
unsafe extern "C" fn post_read(r: *mut ngx_http_request_t) -> ngx_int_t {
    guard(DECLINED, || {
        // SAFETY: handlers get live requests; the type is what create_conf returned.
        let (r, conf) = unsafe {
            let r = Request::from_raw(r);
            (r, &*r.main_conf::<MainConf>(MODULE.get()))
        };
        for Setting { name, value } in &conf.0 {
            let value = value.evaluate(r).unwrap_or_default();
            if value.is_empty() || replace(r, Side::Request, name, value).is_err() {
                remove(r, Side::Request, name);
            }
        }
        DECLINED
    })
}

/// The first host of `X-Forwarded-Host`, to which each proxy may have added one.
unsafe extern "C" fn forwarded_host(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request and the place for the value.
    unsafe { variable::answer(r, value, |r| Ok(first_forwarded_host(r))) }
}

fn first_forwarded_host(r: Request<'_>) -> Option<&[u8]> {
    let hosts = get(r, Side::Request, b"x-forwarded-host")?;
    let first = hosts.split(|byte| *byte == b',').next()?.trim_ascii();
    (!first.is_empty()).then_some(first)
}
