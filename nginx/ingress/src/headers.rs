//! Response headers: those of the configuration, and those that the request's route brings along.
//!
//! A module of its own, because its filter stands where headers are complete, behind `add_header` and before
//! compression, while the handler of routes comes first of all.

use std::cell::Cell;
use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

use ngx::ffi::{
    NGX_CONF_TAKE1, NGX_CONF_TAKE2, NGX_HTTP_MAIN_CONF, NGX_HTTP_MODULE, NGX_LOG_INFO,
    ngx_command_t, ngx_conf_t, ngx_http_module_t, ngx_http_output_header_filter_pt,
    ngx_http_request_t, ngx_http_top_header_filter, ngx_int_t, ngx_module_t,
};
use ngx::ngx_string;
use wick_native::code::{ERROR, OK};
use wick_native::complex::Complex;
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf};
use wick_native::guard::guard;
use wick_native::headers::{is_framing, is_token, put};
use wick_native::log;
use wick_native::module::command;
use wick_native::request::Request;
use wick_routes::Header;

const MAIN_CONF_OFFSET: usize = std::mem::offset_of!(ngx::ffi::ngx_http_conf_ctx_t, main_conf);

static mut COMMANDS: [ngx_command_t; 3] = [
    command(
        ngx_string!("ingress_set_header"),
        (NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE2) as usize,
        directive,
        MAIN_CONF_OFFSET,
    ),
    command(
        ngx_string!("ingress_clear_header"),
        (NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE1) as usize,
        directive,
        MAIN_CONF_OFFSET,
    ),
    ngx_command_t::empty(),
];

static mut HTTP: ngx_http_module_t = ngx_http_module_t {
    preconfiguration: None,
    postconfiguration: Some(install),
    create_main_conf: Some(create_main_conf),
    init_main_conf: None,
    create_srv_conf: None,
    merge_srv_conf: None,
    create_loc_conf: None,
    merge_loc_conf: None,
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

/// The headers of the configuration, in the order of their directives.
#[derive(Default)]
struct MainConf(Vec<Setting>);

struct Setting {
    name: Box<[u8]>,
    /// `None`: the header is removed.
    value: Option<Complex>,
}

/// Headers of the route that a request is on, copied into its memory: the record may be replaced while it runs.
struct Kept {
    name: &'static [u8],
    value: &'static [u8],
    next: *mut Kept,
}

/// The filter that follows ours. One thread per process.
struct Next(Cell<ngx_http_output_header_filter_pt>);

// SAFETY: nginx's processes run this code in one thread.
unsafe impl Sync for Next {}

static NEXT: Next = Next(Cell::new(None));

unsafe extern "C" fn create_main_conf(cf: *mut ngx_conf_t) -> *mut c_void {
    guard(null_mut(), || {
        // SAFETY: nginx's parser is calling.
        let kept = unsafe { Conf::from_raw(cf) }.pool().keep(MainConf::default());
        kept.map_or(null_mut(), |conf| conf.as_ptr().cast())
    })
}

unsafe extern "C" fn directive(
    cf: *mut ngx_conf_t,
    _: *mut ngx_command_t,
    conf: *mut c_void,
) -> *mut c_char {
    // SAFETY: nginx's parser is calling with what create_main_conf returned.
    guard(CONF_ERROR, || unsafe { set(Conf::from_raw(cf), &mut *conf.cast::<MainConf>()) })
}

fn set(cf: Conf, conf: &mut MainConf) -> Answer {
    let words: Vec<&[u8]> = cf.words().collect();
    let (directive, name) = (words[0].escape_ascii(), words[1]);
    if !is_token(name) {
        let name = name.escape_ascii();
        return cf.error(format_args!("invalid header name \"{name}\" in \"{directive}\""));
    }
    if is_framing(name) {
        let name = name.escape_ascii();
        return cf.error(format_args!(
            "\"{directive}\" cannot change \"{name}\", which frames messages"
        ));
    }
    let value = match words.get(2) {
        None => None,
        Some(text) => match Complex::compile(cf, text) {
            None => return CONF_ERROR,
            value => value,
        },
    };
    conf.0.push(Setting { name: name.into(), value });
    CONF_OK
}

/// Puts the filter in front of the chain.
unsafe extern "C" fn install(_: *mut ngx_conf_t) -> ngx_int_t {
    // SAFETY: the chain's head is a plain function pointer, changed only while configurations are read.
    unsafe {
        NEXT.0.set(ngx_http_top_header_filter);
        ngx_http_top_header_filter = Some(header);
    }
    OK
}

/// Gives the request the headers of its route, until it leaves the route's policy. `None`: out of memory.
pub fn keep(r: Request, headers: &[Header]) -> Option<()> {
    let mut first: *mut Kept = null_mut();
    for Header { name, value } in headers.iter().rev() {
        let (name, value) = (r.pool().copy(name)?, r.pool().copy(value)?);
        first = r.pool().put(Kept { name, value, next: first })?.as_ptr();
    }
    // SAFETY: a registered HTTP module.
    unsafe { r.set_ctx(module(), first) };
    Some(())
}

// Most requests have no such headers. Theirs go on before anything is set up that only the others need.
unsafe extern "C" fn header(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: filters get live requests; the types are what this module stored.
    let (r, conf, kept) = unsafe {
        let r = Request::from_raw(r);
        (r, &*r.main_conf::<MainConf>(module()), r.ctx::<Kept>(module()))
    };
    if (!conf.0.is_empty() || !kept.is_null()) && r.is_main() {
        change(r, conf, kept);
    }
    // SAFETY: the filter that `install` found there.
    NEXT.0.get().map_or(ERROR, |next| unsafe { next(r.as_ptr()) })
}

#[inline(never)]
fn change(r: Request, conf: &MainConf, mut kept: *const Kept) {
    guard((), || {
        for Setting { name, value } in &conf.0 {
            let value = value.as_ref().map_or(Some(&b""[..]), |value| value.evaluate(r));
            replace(r, name, value.unwrap_or_default());
        }
        // SAFETY: what `keep` linked lives as long as the request.
        while let Some(Kept { name, value, next }) = unsafe { kept.as_ref() } {
            replace(r, name, value);
            kept = *next;
        }
    });
}

/// A value that could end the header's line early is left out.
fn replace(r: Request, name: &[u8], value: &[u8]) {
    if put(r, name, value).is_err() {
        let name = name.escape_ascii();
        let line = format_args!(
            "Left the response's header \"{name}\" as it is: it cannot be set to this value"
        );
        log::write(r.log(), NGX_LOG_INFO as usize, line);
    }
}
