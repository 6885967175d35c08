//! nginx's listening sockets as the HTTP module has them, for those who look at connections before it does.
//!
//! No module of nginx's.

use std::slice::from_raw_parts;

use ngx::ffi::{
    NGX_USE_CLEAR_EVENT, ngx_connection_t, ngx_cycle_t, ngx_event_flags, ngx_event_t,
    ngx_handle_read_event, ngx_http_addr_conf_t, ngx_http_close_connection, ngx_http_empty_handler,
    ngx_http_in_addr_t, ngx_http_in6_addr_t, ngx_http_init_connection, ngx_http_port_t,
    ngx_listening_t, ngx_reusable_connection, ngx_use_accept_mutex,
};
use wick_native::bits;
use wick_native::code::OK;
use wick_native::event;

/// All of a configuration, those of others too.
///
/// # Safety
/// `cycle` is live and its configuration was read; what is returned is good as long as it.
pub unsafe fn all(cycle: *mut ngx_cycle_t) -> impl Iterator<Item = *mut ngx_listening_t> {
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
pub unsafe fn is_http(ls: *const ngx_listening_t) -> bool {
    // SAFETY: the caller's promise.
    let handler = unsafe { (*ls).handler };
    handler.is_some_and(|handler| handler as *const () == ngx_http_init_connection as *const ())
}

/// Of the addresses that a listener of HTTP serves; at least one.
///
/// # Safety
/// A live listener of HTTP, whoever handles its connections now.
#[inline]
pub unsafe fn addresses<'a>(
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

/// The first address of the listener that accepted a connection.
///
/// # Safety
/// `c` was accepted by a listener of HTTP.
#[inline]
pub unsafe fn of_connection<'a>(c: *const ngx_connection_t) -> Option<&'a ngx_http_addr_conf_t> {
    // SAFETY: the caller's promise; all of it lives as long as the worker.
    unsafe { addresses((*c).listening).next() }
}

/// Goes about a connection that was just accepted as `ngx_http_init_connection` does: what it sends is waited for, or looked at if it is there. Others
/// than edge-triggered events would come again and again for what is only looked at: there HTTP has it at once.
///
/// # Safety
/// `c` is an open connection of a listener of HTTP, which only the caller knows of yet; `read` gets its read event.
pub unsafe fn begin(
    c: *mut ngx_connection_t,
    read: unsafe extern "C" fn(*mut ngx_event_t),
    wait: impl FnOnce(),
    go_on: impl FnOnce(),
) {
    // SAFETY: the caller's promise.
    unsafe {
        if ngx_event_flags & NGX_USE_CLEAR_EVENT as usize == 0 {
            return ngx_http_init_connection(c);
        }
        let event = (*c).read;
        (*event).handler = Some(read);
        (*(*c).write).handler = Some(ngx_http_empty_handler);
        if !bits::event::READY.is_set(event) {
            wait();
        } else if ngx_use_accept_mutex != 0 {
            event::post(event);
        } else {
            go_on();
        }
    }
}

/// Until more has come, or the time is over. A peek leaves the socket as full as it was: only what comes from now on is an event. The connection
/// may be closed for others' sake while it waits, as HTTP's are.
///
/// # Safety
/// `c` is an open connection of a listener of HTTP, and its read handler is the caller's.
pub unsafe fn wait_for_more(c: *mut ngx_connection_t, timeout_ms: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let event = (*c).read;
        bits::event::READY.set(event, 0);
        if !bits::event::TIMER_SET.is_set(event) {
            event::set_timer(event, timeout_ms);
        }
        ngx_reusable_connection(c, 1);
        if ngx_handle_read_event(event, 0) != OK {
            ngx_http_close_connection(c);
        }
    }
}
