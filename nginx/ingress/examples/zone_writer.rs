//! A module for tests: declares a zone and writes into it whatever is asked for, so that `ingress_route` can be tested
//! with records that no filter would write, and without a filter.
//!
//! `zone_writer ZONE SIZE;` in `http` declares the zone. In `location /ZONE/ { zone_write ZONE; }` a PUT sets the key that
//! is the path without its first slash to the body, any other method deletes it; both answer 204.

use std::ptr::NonNull;

use ngx::ffi::{
    NGX_CONF_TAKE1, NGX_CONF_TAKE2, NGX_HTTP_INSUFFICIENT_STORAGE, NGX_HTTP_LOC_CONF,
    NGX_HTTP_MAIN_CONF, NGX_HTTP_NO_CONTENT, NGX_HTTP_PUT, NGX_HTTP_SPECIAL_RESPONSE,
    ngx_http_conf_ctx_t, ngx_http_core_loc_conf_t, ngx_http_core_module,
    ngx_http_read_client_request_body, ngx_http_request_t, ngx_int_t,
};
use wick_kv::Cas;
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, parse_size};
use wick_native::guard::guard;
use wick_native::module::ModuleIndex;
use wick_native::request::Request;
use wick_native::zone::SharedZone;
use wick_native::{body, code, http_module, loadable_modules};

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    static WRITER at MODULE;
    directives {
        "zone_writer": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE2 => zone_writer;
        "zone_write": NGX_HTTP_LOC_CONF | NGX_CONF_TAKE1, loc_conf => zone_write;
    }
    loc_conf: LocConf,
}

loadable_modules! {
    "ngx_http_zone_writer_module": WRITER,
    order: [],
}

/// The zone that a location writes to.
#[derive(Default)]
struct LocConf {
    zone: Option<SharedZone>,
}

fn zone_writer(conf: Conf) -> Answer {
    let words: Vec<&[u8]> = conf.words().collect();
    let Some(bytes) = parse_size(words[2]) else { return CONF_ERROR };
    SharedZone::declare(conf, words[1], bytes, None).map_or(CONF_ERROR, |_| CONF_OK)
}

fn zone_write(conf: Conf, loc: &mut LocConf) -> Answer {
    // SAFETY: nginx's parser is calling inside a location.
    unsafe {
        let ctx = (*conf.as_ptr()).ctx.cast::<ngx_http_conf_ctx_t>();
        let slot = ngx_http_core_module.ctx_index;
        let core = (*(*ctx).loc_conf.add(slot)).cast::<ngx_http_core_loc_conf_t>();
        (*core).handler = Some(content);
    }
    loc.zone = conf.words().nth(1).and_then(|name| SharedZone::refer(conf, name));
    CONF_OK
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
    // SAFETY: every location has our configuration.
    let zone = unsafe { NonNull::new(r.loc_conf::<LocConf>(MODULE.get()))?.as_ref() }.zone?;
    let mut value = vec![0; body::len(r)];
    body::copy(r, 0, &mut value)?;
    // SAFETY: a live request.
    let is_put = unsafe { (*r.as_ptr()).method } == NGX_HTTP_PUT as usize;
    let value = is_put.then_some(&value[..]);
    zone.store().set(&zone.lock(), r.uri().strip_prefix(b"/")?, value, Cas::Any).ok()
}
