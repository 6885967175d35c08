//! Which of nginx's listening sockets are whose.

use std::ptr::{NonNull, null_mut};
use std::slice::from_raw_parts;

use ngx::ffi::{
    ngx_connection_t, ngx_cycle_t, ngx_http_addr_conf_t, ngx_http_in_addr_t, ngx_http_in6_addr_t,
    ngx_http_init_connection, ngx_http_port_t, ngx_listening_t,
};
use wick_native::bits;
use wick_native::text::bytes;

use super::conf::{MODULE, Passthroughs, SrvConf};

/// The one with this name that is not HTTP's; null: there is none.
///
/// # Safety
/// `cycle` is live and its configuration was read.
pub unsafe fn of_stream(cycle: *mut ngx_cycle_t, name: &[u8]) -> *mut ngx_listening_t {
    // SAFETY: the caller's promise; names are strings of the configuration.
    unsafe {
        let found = listeners(cycle).find(|ls| bytes((**ls).addr_text) == name && !is_http(*ls));
        found.unwrap_or(null_mut())
    }
}

/// Those with TLS whose every address has the server block of `passthroughs` as its default one.
///
/// # Safety
/// `cycle` is live and its configuration was read.
pub unsafe fn of_server(
    cycle: *mut ngx_cycle_t,
    passthroughs: NonNull<Passthroughs>,
) -> impl Iterator<Item = *mut ngx_listening_t> {
    // SAFETY: the caller's promise; HTTP's listeners have its ports.
    unsafe {
        let own = move |conf: &ngx_http_addr_conf_t| {
            bits::ngx_http_addr_conf_s::SSL.is_set(conf)
                && passthroughs_of(conf) == Some(passthroughs)
        };
        let listeners = listeners(cycle).filter(|ls| is_http(*ls));
        listeners.filter(move |ls| addresses(*ls).all(own))
    }
}

/// The first address of the listener that accepted a connection, and the passthroughs there.
///
/// # Safety
/// `c` was accepted by one of [`of_server`].
#[inline]
pub unsafe fn of_connection<'a>(
    c: *const ngx_connection_t,
) -> Option<(&'a ngx_http_addr_conf_t, &'a Passthroughs)> {
    // SAFETY: the caller's promise; all of it lives as long as the worker.
    unsafe {
        let conf = addresses((*c).listening).next()?;
        Some((conf, passthroughs_of(conf)?.as_ref()))
    }
}

/// # Safety
/// As for [`of_stream`]; what is returned is good as long as the cycle.
unsafe fn listeners(cycle: *mut ngx_cycle_t) -> impl Iterator<Item = *mut ngx_listening_t> {
    // SAFETY: the caller's promise: an array of listeners.
    unsafe {
        let (first, count) =
            ((*cycle).listening.elts.cast::<ngx_listening_t>(), (*cycle).listening.nelts);
        (0..count).map(move |nth| first.add(nth))
    }
}

/// By its handler, which nobody has replaced yet.
///
/// # Safety
/// A live listener.
unsafe fn is_http(ls: *const ngx_listening_t) -> bool {
    // SAFETY: the caller's promise.
    let handler = unsafe { (*ls).handler };
    handler.is_some_and(|handler| handler as *const () == ngx_http_init_connection as *const ())
}

/// Of the addresses that a listener of HTTP serves; at least one.
#[inline]
unsafe fn addresses<'a>(
    ls: *const ngx_listening_t,
) -> impl Iterator<Item = &'a ngx_http_addr_conf_t> {
    // SAFETY: HTTP's listeners have an ngx_http_port_t with as many addresses of the listener's family as it counts.
    unsafe {
        let port = &*(*ls).servers.cast::<ngx_http_port_t>();
        let is_v6 = i32::from((*(*ls).sockaddr).sa_family) == libc::AF_INET6;
        let (v4, v6): (&[ngx_http_in_addr_t], &[ngx_http_in6_addr_t]) = if is_v6 {
            (&[], from_raw_parts(port.addrs.cast(), port.naddrs))
        } else {
            (from_raw_parts(port.addrs.cast(), port.naddrs), &[])
        };
        v4.iter().map(|address| &address.conf).chain(v6.iter().map(|address| &address.conf))
    }
}

/// # Safety
/// The configuration of `conf` was read.
#[inline]
unsafe fn passthroughs_of(conf: &ngx_http_addr_conf_t) -> Option<NonNull<Passthroughs>> {
    // SAFETY: every server block has what create_srv_conf returned.
    unsafe {
        let ctx = (*conf.default_server).ctx;
        (*(*(*ctx).srv_conf.add(MODULE.get())).cast::<SrvConf>()).passthroughs
    }
}
