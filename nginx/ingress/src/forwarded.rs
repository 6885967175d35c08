//! What proxies in front of nginx say about a request: a header made of it before the client's address is looked for,
//! and the host that the client asked for.
//!
//! A module of its own, because its handler comes when the head was read, long before any route is found.

use std::ffi::{c_char, c_void};
use std::ptr::NonNull;

use ngx::ffi::{
    NGX_CONF_TAKE2, NGX_HTTP_MAIN_CONF, NGX_HTTP_MODULE, ngx_array_push, ngx_command_t, ngx_conf_t,
    ngx_http_core_main_conf_t, ngx_http_core_module, ngx_http_handler_pt, ngx_http_module_t,
    ngx_http_phases_NGX_HTTP_POST_READ_PHASE, ngx_http_request_t, ngx_http_variable_value_t,
    ngx_int_t, ngx_module_t,
};
use ngx::ngx_string;
use wick_native::code::{DECLINED, ERROR, OK};
use wick_native::complex::Complex;
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf};
use wick_native::guard::guard;
use wick_native::headers::{Side, get, is_framing, is_token, remove, replace};
use wick_native::module::{NO_HOOKS, command, create_conf};
use wick_native::request::Request;
use wick_native::variable::{self, fill};

const MAIN_CONF_OFFSET: usize = std::mem::offset_of!(ngx::ffi::ngx_http_conf_ctx_t, main_conf);

static mut COMMANDS: [ngx_command_t; 2] = [
    command(
        ngx_string!("ingress_set_request_header"),
        (NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE2) as usize,
        directive,
        MAIN_CONF_OFFSET,
    ),
    ngx_command_t::empty(),
];

static mut HTTP: ngx_http_module_t = ngx_http_module_t {
    preconfiguration: Some(declare),
    postconfiguration: Some(install),
    create_main_conf: Some(create_conf::<MainConf>),
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

/// The headers that requests get, in the order of their directives.
#[derive(Default)]
struct MainConf(Vec<Setting>);

struct Setting {
    name: Box<[u8]>,
    value: Complex,
}

unsafe extern "C" fn directive(
    cf: *mut ngx_conf_t,
    _: *mut ngx_command_t,
    conf: *mut c_void,
) -> *mut c_char {
    // SAFETY: nginx's parser is calling with what create_conf returned.
    guard(CONF_ERROR, || unsafe { set(Conf::from_raw(cf), &mut *conf.cast::<MainConf>()) })
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
unsafe extern "C" fn declare(cf: *mut ngx_conf_t) -> ngx_int_t {
    guard(ERROR, || {
        // SAFETY: nginx's parser is calling, inside `http`.
        let conf = unsafe { Conf::from_raw(cf) };
        let declared = variable::declare(conf, b"ingress_forwarded_host", 0, |variable| {
            variable.get_handler = Some(forwarded_host);
        });
        if declared.is_some() { OK } else { ERROR }
    })
}

/// Behind the handlers of all other modules in nginx's list, which makes it the first that is called.
unsafe extern "C" fn install(cf: *mut ngx_conf_t) -> ngx_int_t {
    let core = &raw const ngx_http_core_module;
    // SAFETY: nginx's parser is calling, inside `http`; our configuration is what create_conf returned, and the core
    // module's arrays of handlers exist by now.
    guard(ERROR, || unsafe {
        let conf = Conf::from_raw(cf);
        if (*conf.http_main::<MainConf>(module())).0.is_empty() {
            return OK;
        }
        let core = conf.http_main::<ngx_http_core_main_conf_t>(&*core);
        let phase = &raw mut (*core).phases[ngx_http_phases_NGX_HTTP_POST_READ_PHASE as usize];
        let place = ngx_array_push(&raw mut (*phase).handlers).cast::<ngx_http_handler_pt>();
        NonNull::new(place).map_or(ERROR, |place| {
            place.write(Some(post_read));
            OK
        })
    })
}

/// Sets the headers. A value that cannot be one, or that is empty, leaves the request without: a client must not be
/// able to say in our place what the header says.
unsafe extern "C" fn post_read(r: *mut ngx_http_request_t) -> ngx_int_t {
    guard(DECLINED, || {
        // SAFETY: handlers get live requests; the type is what create_conf returned.
        let (r, conf) = unsafe {
            let r = Request::from_raw(r);
            (r, &*r.main_conf::<MainConf>(module()))
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
    let (r, value) = unsafe { (Request::from_raw(r), &mut *value) };
    let hosts = get(r, Side::Request, b"x-forwarded-host").unwrap_or_default();
    let first = hosts.split(|byte| *byte == b',').next().unwrap_or_default().trim_ascii();
    if first.is_empty() {
        value.set_not_found(1);
    } else {
        fill(value, first);
    }
    OK
}
