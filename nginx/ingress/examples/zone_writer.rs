//! A module for tests: declares a zone and writes into it whatever is asked for, so that `ingress_route` can be tested
//! with records that no filter would write, and without a filter.
//!
//! `zone_writer ZONE SIZE;` in `http` declares the zone. In `location /ZONE/ { zone_write ZONE; }` a PUT sets the key that
//! is the path without its first slash to the body, any other method deletes it; both answer 204.

use std::ffi::{c_char, c_void};
use std::ptr::{NonNull, null, null_mut};

use ngx::ffi::{
    NGX_CONF_TAKE1, NGX_CONF_TAKE2, NGX_HTTP_INSUFFICIENT_STORAGE, NGX_HTTP_LOC_CONF,
    NGX_HTTP_MAIN_CONF, NGX_HTTP_MODULE, NGX_HTTP_NO_CONTENT, NGX_HTTP_PUT,
    NGX_HTTP_SPECIAL_RESPONSE, ngx_command_t, ngx_conf_t, ngx_http_conf_ctx_t,
    ngx_http_core_loc_conf_t, ngx_http_core_module, ngx_http_module_t,
    ngx_http_read_client_request_body, ngx_http_request_t, ngx_int_t, ngx_module_t,
};
use ngx::ngx_string;
use wick_kv::Cas;
use wick_native::conf::{CONF_ERROR, CONF_OK, Conf, parse_size};
use wick_native::guard::guard;
use wick_native::module::command;
use wick_native::request::Request;
use wick_native::zone::SharedZone;
use wick_native::{body, code};

static mut COMMANDS: [ngx_command_t; 3] = [
    command(
        ngx_string!("zone_writer"),
        (NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE2) as usize,
        zone_writer,
        std::mem::offset_of!(ngx_http_conf_ctx_t, main_conf),
    ),
    command(
        ngx_string!("zone_write"),
        (NGX_HTTP_LOC_CONF | NGX_CONF_TAKE1) as usize,
        zone_write,
        std::mem::offset_of!(ngx_http_conf_ctx_t, loc_conf),
    ),
    ngx_command_t::empty(),
];

static mut HTTP: ngx_http_module_t = ngx_http_module_t {
    preconfiguration: None,
    postconfiguration: None,
    create_main_conf: Some(create_conf),
    init_main_conf: None,
    create_srv_conf: None,
    merge_srv_conf: None,
    create_loc_conf: Some(create_conf),
    merge_loc_conf: None,
};

static mut WRITER: ngx_module_t = ngx_module_t {
    ctx: (&raw mut HTTP).cast(),
    commands: (&raw mut COMMANDS).cast(),
    type_: NGX_HTTP_MODULE as usize,
    ..ngx_module_t::default()
};

#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static mut ngx_modules: [*const ngx_module_t; 2] = [&raw const WRITER, null()];

#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static mut ngx_module_names: [*const c_char; 2] =
    [c"ngx_http_zone_writer_module".as_ptr(), null()];

#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static mut ngx_module_order: [*const c_char; 1] = [null()];

/// The zone that a location writes to.
#[repr(C)]
struct LocConf {
    zone: Option<SharedZone>,
}

unsafe extern "C" fn create_conf(cf: *mut ngx_conf_t) -> *mut c_void {
    // SAFETY: nginx's parser is calling; all zero is `None`.
    let conf = unsafe { Conf::from_raw(cf).pool().zeroed::<LocConf>() };
    conf.map_or(null_mut(), |conf| conf.as_ptr().cast())
}

unsafe extern "C" fn zone_writer(
    cf: *mut ngx_conf_t,
    _: *mut ngx_command_t,
    _: *mut c_void,
) -> *mut c_char {
    guard(CONF_ERROR, || {
        // SAFETY: nginx's parser is calling.
        let conf = unsafe { Conf::from_raw(cf) };
        let words: Vec<&[u8]> = conf.words().collect();
        let Some(bytes) = parse_size(words[2]) else { return CONF_ERROR };
        SharedZone::declare(conf, words[1], bytes, 0).map_or(CONF_ERROR, |_| CONF_OK)
    })
}

unsafe extern "C" fn zone_write(
    cf: *mut ngx_conf_t,
    _: *mut ngx_command_t,
    loc: *mut c_void,
) -> *mut c_char {
    guard(CONF_ERROR, || {
        // SAFETY: nginx's parser is calling inside a location, with what create_conf returned.
        unsafe {
            let conf = Conf::from_raw(cf);
            let ctx = (*cf).ctx.cast::<ngx_http_conf_ctx_t>();
            let slot = ngx_http_core_module.ctx_index;
            let core = (*(*ctx).loc_conf.add(slot)).cast::<ngx_http_core_loc_conf_t>();
            (*core).handler = Some(content);
            (*loc.cast::<LocConf>()).zone =
                conf.words().nth(1).and_then(|name| SharedZone::refer(conf, name));
        }
        CONF_OK
    })
}

unsafe extern "C" fn content(r: *mut ngx_http_request_t) -> ngx_int_t {
    guard(code::ERROR, || {
        // SAFETY: nginx calls its content handler with a live request; it drops the reference that reading takes.
        match unsafe { ngx_http_read_client_request_body(r, Some(write)) } {
            status if status >= NGX_HTTP_SPECIAL_RESPONSE as ngx_int_t => status,
            _ => code::DONE,
        }
    })
}

unsafe extern "C" fn write(r: *mut ngx_http_request_t) {
    guard((), || {
        // SAFETY: the body of a live request was read.
        let r = unsafe { Request::from_raw(r) };
        let status =
            if set(r).is_some() { NGX_HTTP_NO_CONTENT } else { NGX_HTTP_INSUFFICIENT_STORAGE };
        // SAFETY: the request is not used again.
        unsafe { r.finalize(status as ngx_int_t) };
    })
}

fn set(r: Request) -> Option<()> {
    let module = &raw const WRITER;
    // SAFETY: nginx has written the index; every location has our configuration.
    let zone = unsafe { NonNull::new(r.loc_conf::<LocConf>(&*module))?.as_ref() }.zone?;
    let mut value = vec![0; body::len(r)];
    body::copy(r, 0, &mut value)?;
    // SAFETY: a live request.
    let is_put = unsafe { (*r.as_ptr()).method } == NGX_HTTP_PUT as usize;
    let value = is_put.then_some(&value[..]);
    zone.store().set(&zone.lock(), r.uri().strip_prefix(b"/")?, value, Cas::Any).ok()
}
