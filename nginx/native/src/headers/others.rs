//! Headers of one request for another: those that a client has sent, and those that an upstream has answered with.

use std::ptr::NonNull;

use ngx::ffi::{ngx_http_upstream_t, ngx_table_elt_t};

use super::known;
use super::list::{self, Side};
use super::removal::remove_element;
use super::rules::is_alike;
use crate::request::Request;
use crate::text::bytes;

/// Adds the headers of `from` for whose names `keeps` is true to those of `to`, which share their memory. `None`: out of memory.
pub fn copy(from: Request, to: Request, keeps: impl Fn(&[u8]) -> bool) -> Option<()> {
    let list = list::made(to, Side::Request)?;
    for h in list::elements(list::of(from, Side::Request)) {
        // SAFETY: live elements, whose strings live as long as the request.
        unsafe {
            let h = h.as_ref();
            if !keeps(bytes(h.key)) {
                continue;
            }
            let new = list::push(list)?;
            (*new.as_ptr()).hash = h.hash;
            (*new.as_ptr()).key = h.key;
            (*new.as_ptr()).value = h.value;
            (*new.as_ptr()).lowcase_key = h.lowcase_key;
            known::know_request(to, new);
        }
    }
    Some(())
}

/// Removes the request's headers of this name in every spelling that a backend may [take for it](is_alike).
pub fn remove_alike(r: Request, name: &[u8]) {
    remove_if(r, |key| is_alike(key, name));
}

/// Removes the request's headers with such names.
pub fn remove_if(r: Request, is_such: impl Fn(&[u8]) -> bool) {
    // SAFETY: live elements of the request.
    let is_it = |h: &NonNull<ngx_table_elt_t>| is_such(unsafe { bytes(h.as_ref().key) });
    let all: Vec<_> = list::elements(list::of(r, Side::Request)).filter(is_it).collect();
    all.into_iter().for_each(|h| remove_element(r, Side::Request, h));
}

/// All headers of the upstream's answer, in order, as it sent them; none before they are there.
pub fn of_upstream<'r>(r: Request<'r>) -> impl Iterator<Item = (&'r [u8], &'r [u8])> {
    // SAFETY: the upstream lives as long as the request.
    let list = |upstream: NonNull<ngx_http_upstream_t>| unsafe {
        NonNull::from(&mut (*upstream.as_ptr()).headers_in.headers)
    };
    r.upstream().map(list).into_iter().flat_map(list::elements).map(|h| {
        // SAFETY: what it has read lives as long, too.
        unsafe { (bytes(h.as_ref().key), bytes(h.as_ref().value)) }
    })
}
