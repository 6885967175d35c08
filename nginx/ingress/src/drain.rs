//! Clients leave an nginx that is going to end before it closes their connections.
//!
//! A location with `ingress_drain` begins this at a `POST` and ends it at a `DELETE`, in all workers at once; a `GET` says `on` or `off`. While
//! it is on, connections are accepted as ever, and each response is the last one of its connection: HTTP/1.1 says `Connection: close`, HTTP/2
//! `GOAWAY` with the next stream. In a worker that ends, after a reload for instance, the same holds for the requests it still has: nginx would
//! close their connections behind responses that say nothing of it.

use std::sync::atomic::{AtomicU64, Ordering};

use ngx::ffi::{
    NGX_CONF_NOARGS, NGX_HTTP_LOC_CONF, NGX_HTTP_NOT_ALLOWED, ngx_exiting, ngx_http_request_t,
    ngx_int_t,
};
use wick_native::code::ERROR;
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::filter::HeaderFilter;
use wick_native::guard::guard;
use wick_native::http_module;
use wick_native::module::ModuleIndex;
use wick_native::request::Request;
use wick_native::response::send_text;
use wick_native::word_zone::WordZone;

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_drain": NGX_HTTP_LOC_CONF | NGX_CONF_NOARGS, main_conf => ingress_drain;
    }
    main_conf: MainConf,
    postconfiguration: install,
}

/// The zone with the one word that is not 0 while nginx drains. `None`: no location has the directive.
#[derive(Default)]
struct MainConf(Option<WordZone>);

impl MainConf {
    fn word(&self) -> Option<&'static AtomicU64> {
        self.0.map(|zone| &zone.words()[0])
    }

    fn is_on(&self) -> bool {
        self.word().is_some_and(|word| word.load(Ordering::Relaxed) != 0)
    }
}

static FILTER: HeaderFilter = HeaderFilter::new();

fn ingress_drain(conf: Conf, main: &mut MainConf) -> Answer {
    if main.0.is_some() {
        return refuse(c"is duplicate");
    }
    // nginx keeps what has the same name and size: a reload changes nothing.
    main.0 = WordZone::declare(conf, b"ingress_drain", 1);
    if main.0.is_none() {
        return CONF_ERROR;
    }
    // SAFETY: the directive stands in locations only.
    unsafe { conf.set_handler(answer) };
    CONF_OK
}

/// Puts the filter in front of the chain.
fn install(_: Conf) -> Option<()> {
    FILTER.install(header);
    Some(())
}

/// Of the location.
unsafe extern "C" fn answer(r: *mut ngx_http_request_t) -> ngx_int_t {
    guard(ERROR, || {
        // SAFETY: handlers get live requests; the module's main configuration.
        let (r, main) = unsafe {
            let r = Request::from_raw(r);
            (r, &*r.main_conf::<MainConf>(MODULE.get()))
        };
        let Some(word) = main.word() else { return ERROR };
        match r.method() {
            b"POST" => word.store(1, Ordering::Relaxed),
            b"DELETE" => word.store(0, Ordering::Relaxed),
            b"GET" => {}
            _ => return NGX_HTTP_NOT_ALLOWED as ngx_int_t,
        }
        send_text(r, 200, if main.is_on() { b"on" } else { b"off" })
    })
}

unsafe extern "C" fn header(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: filters get live requests; the module's main configuration; a plain number of nginx's.
    let (r, is_ending) = unsafe {
        let r = Request::from_raw(r);
        (r, ngx_exiting != 0 || (*r.main_conf::<MainConf>(MODULE.get())).is_on())
    };
    if is_ending && r.is_main() {
        r.retire_connection();
    }
    // SAFETY: what nginx called this with.
    unsafe { FILTER.next(r.as_ptr()) }
}
