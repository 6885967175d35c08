//! Which of nginx's listening sockets are whose.

use std::ptr::{NonNull, null_mut};

use ngx::ffi::{ngx_connection_t, ngx_cycle_t, ngx_http_addr_conf_t, ngx_listening_t};
use wick_native::bits;
use wick_native::text::bytes;

use super::conf::{MODULE, Passthroughs, SrvConf};
use crate::http_listeners::{addresses, all, is_http, of_connection as address_of};

/// The one with this name that is not HTTP's; null: there is none.
///
/// # Safety
/// `cycle` is live and its configuration was read.
pub unsafe fn of_stream(cycle: *mut ngx_cycle_t, name: &[u8]) -> *mut ngx_listening_t {
    // SAFETY: the caller's promise; names are strings of the configuration.
    unsafe {
        let found = all(cycle).find(|ls| bytes((**ls).addr_text) == name && !is_http(*ls));
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
        let listeners = all(cycle).filter(|ls| is_http(*ls));
        listeners.filter(move |ls| addresses(*ls).all(own))
    }
}

/// The first address of the listener that accepted a connection, and the passthroughs there.
///
/// # Safety
/// `c` was accepted by a listener of HTTP.
#[inline]
pub unsafe fn of_connection<'a>(
    c: *const ngx_connection_t,
) -> Option<(&'a ngx_http_addr_conf_t, &'a Passthroughs)> {
    // SAFETY: the caller's promise; all of it lives as long as the worker.
    unsafe {
        let conf = address_of(c)?;
        Some((conf, passthroughs_of(conf)?.as_ref()))
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
