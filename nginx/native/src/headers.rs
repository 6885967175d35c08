//! Header lists: those of the request as nginx forwards them, those of the response as it sends them.
//!
//! nginx also keeps pointers to the headers it knows. They are kept right here, so that a header
//! that was removed is neither forwarded nor seen by `$http_*` and never dangles.

mod content_type;
mod cookies;
mod fixed;
mod known;
mod list;
mod others;
mod own;
mod passed;
mod removal;
mod rules;
mod sent;

use std::ptr::NonNull;

use ngx::ffi::{ngx_encode_base64, ngx_hash_strlow, ngx_str_t, ngx_table_elt_t};

use crate::request::Request;
use crate::text::{EMPTY, borrowed, bytes};

pub use content_type::{content_type, media_type, replace_content_type};
pub(crate) use cookies::keeping_cookies;
pub use cookies::set_cookie;
pub use fixed::{
    Seen, clear_beginning, hash, push_fixed, push_request, request_header, retain, see_all,
};
pub use list::Side;
pub use others::{copy, of_upstream, remove_alike, remove_if};
pub use own::OwnName;
pub use passed::{Joined, Passed, PassedName};
use removal::remove_element;
pub use rules::{Refused, is_alike, is_field_value, is_token};
pub use sent::{Replacing, Same, is_framing};

/// All headers in order; a name may come several times. Content-Type and Content-Length of a
/// response, which nginx keeps elsewhere, are not among them: see [`content_type`].
pub fn each<'r>(r: Request<'r>, side: Side) -> impl Iterator<Item = (&'r [u8], &'r [u8])> {
    list::elements(list::of(r, side)).filter(move |h| visible(*h, side)).map(|h| {
        // SAFETY: the element and its strings live as long as the request.
        unsafe { (bytes(h.as_ref().key), bytes(h.as_ref().value)) }
    })
}

/// The first value of `name`, whatever its case.
pub fn get<'r>(r: Request<'r>, side: Side, name: &[u8]) -> Option<&'r [u8]> {
    if side == Side::Response && name.eq_ignore_ascii_case(b"content-type") {
        return content_type(r);
    }
    each(r, side).find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// Adds one more header.
/// # Errors
/// [`Refused`] for a name that is no token or a value with control characters (and when memory ends).
pub fn add(r: Request, side: Side, name: &[u8], value: &[u8]) -> Result<(), Refused> {
    if !is_token(name) || !is_field_value(value) {
        return Err(Refused);
    }
    add_checked(r, side, name, value)
}

fn add_checked(r: Request, side: Side, name: &[u8], value: &[u8]) -> Result<(), Refused> {
    match side {
        Side::Response if name.eq_ignore_ascii_case(b"content-type") => {
            let copy = r.pool().copy_str(value).ok_or(Refused)?;
            // SAFETY: a string of the request's pool.
            unsafe { content_type::set(r, copy) };
            Ok(())
        }
        Side::Response if name.eq_ignore_ascii_case(b"content-length") => Err(Refused),
        Side::Response => push(r, side, name, value).map(|h| known::know_response(r, h)),
        Side::Request => push(r, side, name, value).map(|h| known::know_request(r, h)),
    }
}

/// Sets `name` to exactly one value.
/// # Errors
/// As for [`add`].
pub fn replace(r: Request, side: Side, name: &[u8], value: &[u8]) -> Result<(), Refused> {
    if !is_token(name) || !is_field_value(value) {
        return Err(Refused);
    }
    if !has(r, side, name) {
        return add_checked(r, side, name, value);
    }
    let mut same = named(r, side, name);
    let Some(mut first) = same.next() else { return Err(Refused) };
    let copy = r.pool().copy_str(value).ok_or(Refused)?;
    // SAFETY: a live element of the request.
    unsafe { first.as_mut().value = copy };
    same.collect::<Vec<_>>().into_iter().for_each(|h| remove_element(r, side, h));
    Ok(())
}

/// Removes every header of that name; none is no error.
pub fn remove(r: Request, side: Side, name: &[u8]) {
    if side == Side::Response && name.eq_ignore_ascii_case(b"content-type") {
        // SAFETY: a live request.
        unsafe { (*r.as_ptr()).headers_out.content_type = EMPTY };
    }
    let all: Vec<_> = named(r, side, name).collect();
    all.into_iter().for_each(|h| remove_element(r, side, h));
}

/// Takes `Authorization` from what the backend gets. nginx goes on knowing who sent it (`$remote_user`). `None`: out of memory,
/// or a request with more of them than anybody means to send.
pub fn hide_authorization(r: Request) -> Option<()> {
    const MAX: usize = 16;
    let list = list::of(r, Side::Request);
    // SAFETY: a live request; its pointer is null or to an element that lives as long. The copy is of its pool, because the place
    // of what was cut off may be taken by another header.
    unsafe {
        if let Some(h) = NonNull::new((*r.as_ptr()).headers_in.authorization) {
            (*r.as_ptr()).headers_in.authorization = r.pool().put(*h.as_ptr())?.as_ptr();
        }
        for _ in 0..MAX {
            let is_it =
                |h: &mut ngx_table_elt_t| bytes(h.key).eq_ignore_ascii_case(b"authorization");
            let Some(h) = list::first(list, is_it) else { return Some(()) };
            list::cut(list, h);
        }
    }
    None
}

/// Has nginx take `user` for who sent the request (`$remote_user`), whose credentials were [hidden](hide_authorization): it reads no
/// others than those of Basic authentication. `None`: out of memory.
pub fn name_user(r: Request, user: &[u8]) -> Option<()> {
    let credentials = [user, b":"].concat();
    let encoded = r.pool().raw(encoded_len(credentials.len()))?;
    let (mut to, mut from) = (ngx_str_t { len: 0, data: encoded.as_ptr() }, borrowed(&credentials));
    // SAFETY: there is room for what becomes of so many bytes; a live request, whose pointer is null or to an element of its own.
    unsafe {
        ngx_encode_base64(&raw mut to, &raw mut from);
        let value = [b"Basic ", bytes(to)].concat();
        if let Some(mut h) = NonNull::new((*r.as_ptr()).headers_in.authorization) {
            h.as_mut().value = r.pool().copy_str(&value)?;
        }
    }
    r.forget_user();
    Some(())
}

/// Of base64.
fn encoded_len(len: usize) -> usize {
    len.div_ceil(3) * 4
}

// nginx marks a response header as removed by hash 0; in requests the mark means nothing.
fn visible(h: NonNull<ngx_table_elt_t>, side: Side) -> bool {
    // SAFETY: a live element.
    side == Side::Request || unsafe { h.as_ref().hash != 0 }
}

/// As whether there is any of [`named`], and faster.
fn has(r: Request, side: Side, name: &[u8]) -> bool {
    // SAFETY: live elements of the request and their strings.
    unsafe {
        let is_it = |h: &mut ngx_table_elt_t| {
            (side == Side::Request || h.hash != 0) && bytes(h.key).eq_ignore_ascii_case(name)
        };
        list::first(list::of(r, side), is_it).is_some()
    }
}

fn named(r: Request, side: Side, name: &[u8]) -> impl Iterator<Item = NonNull<ngx_table_elt_t>> {
    list::elements(list::of(r, side)).filter(move |h| {
        // SAFETY: a live element.
        visible(*h, side) && unsafe { bytes(h.as_ref().key) }.eq_ignore_ascii_case(name)
    })
}

fn push(
    r: Request,
    side: Side,
    name: &[u8],
    value: &[u8],
) -> Result<NonNull<ngx_table_elt_t>, Refused> {
    let pool = r.pool();
    let key = pool.copy_str(name).ok_or(Refused)?;
    let value = pool.copy_str(value).ok_or(Refused)?;
    let lower = pool.raw(name.len()).ok_or(Refused)?;
    let list = list::made(r, side).ok_or(Refused)?;
    // SAFETY: the list is the request's.
    unsafe {
        let h = list::push(list).ok_or(Refused)?;
        (*h.as_ptr()).hash = ngx_hash_strlow(lower.as_ptr(), key.data, key.len);
        (*h.as_ptr()).key = key;
        (*h.as_ptr()).value = value;
        (*h.as_ptr()).lowcase_key = lower.as_ptr();
        Ok(h)
    }
}
