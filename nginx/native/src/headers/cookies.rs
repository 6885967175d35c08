//! Cookies that a module gives to the client, beside those of upstreams.

use std::ptr::NonNull;

use ngx::ffi::{ngx_str_t, ngx_table_elt_t};

use super::list::{self, Side};
use super::rules::Refused;
use crate::request::Request;
use crate::text::{borrowed, bytes};

// Our headers are known by where their name stands: that survives internal redirects, which clear what a module keeps.
static NAME: [u8; 10] = *b"Set-Cookie";
static LOWER_NAME: [u8; 10] = *b"set-cookie";

/// Adds `value`, which begins with the cookie's `name` and `=`, to the response that is still to come; one that was
/// added before under the same name is replaced.
/// # Errors
/// [`Refused`] for another beginning, for control characters, for more than `max` cookies (and when memory ends).
pub fn set_cookie(r: Request, name: &[u8], value: &[u8], max: usize) -> Result<(), Refused> {
    if !names(value, name) || value.iter().any(u8::is_ascii_control) {
        return Err(Refused);
    }
    // SAFETY: live elements of the request.
    let same = ours(r).find(|h| names(unsafe { bytes(h.as_ref().value) }, name));
    if same.is_none() && ours(r).count() >= max {
        return Err(Refused);
    }
    let value = r.pool().copy_str(value).ok_or(Refused)?;
    match same {
        // SAFETY: a live element of the request.
        Some(mut h) => unsafe { h.as_mut().value = value },
        None => push(r, value)?,
    }
    Ok(())
}

/// Does what `clear` does to the response's headers, but keeps the cookies that [`set_cookie`] added.
pub(crate) fn keeping_cookies(r: Request, clear: impl FnOnce()) -> Result<(), Refused> {
    // SAFETY: live elements; their values stay in the request's pool.
    let values: Vec<ngx_str_t> = ours(r).map(|h| unsafe { h.as_ref().value }).collect();
    clear();
    values.into_iter().try_for_each(|value| push(r, value))
}

fn ours(r: Request) -> impl Iterator<Item = NonNull<ngx_table_elt_t>> {
    // SAFETY: live elements of the request.
    list::elements(list::of(r, Side::Response)).filter(|h| unsafe {
        h.as_ref().key.data.cast_const() == NAME.as_ptr() && h.as_ref().hash != 0
    })
}

fn push(r: Request, value: ngx_str_t) -> Result<(), Refused> {
    // SAFETY: the list is the request's.
    unsafe {
        let h = list::push(list::of(r, Side::Response)).ok_or(Refused)?.as_ptr();
        (*h).hash = 1; // any but 0, which means: removed
        (*h).key = borrowed(&NAME);
        (*h).lowcase_key = LOWER_NAME.as_ptr().cast_mut();
        (*h).value = value;
    }
    Ok(())
}

fn names(value: &[u8], name: &[u8]) -> bool {
    value.strip_prefix(name).is_some_and(|rest| rest.starts_with(b"="))
}
