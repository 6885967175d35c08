//! Headers of the response at hand as its client gets them, those included that nginx prints by itself.

use std::ptr::NonNull;

use ngx::ffi::{ngx_list_push, ngx_table_elt_t};

use super::known::{forget_response, know_response, response_slot};
use super::{Refused, Side, is_field_value, is_token, list, push, remove, set_content_type};
use crate::request::Request;

/// Headers that frame a message: nginx prints them as the message needs them.
const FRAMING: [&[u8]; 3] = [b"Content-Length", b"Transfer-Encoding", b"Connection"];

pub fn is_framing(name: &[u8]) -> bool {
    FRAMING.iter().any(|framing| framing.eq_ignore_ascii_case(name))
}

/// Makes `value` the only header of that name, exactly as it is; an empty one only removes the name. For header filters
/// that run before compression and ranges, which still do to the response what its new headers ask for.
/// # Errors
/// [`Refused`] for a name that is no token or [frames](is_framing) the message, or a value with control characters (and
/// when memory ends).
pub fn put(r: Request, name: &[u8], value: &[u8]) -> Result<(), Refused> {
    if !is_token(name) || !is_field_value(value) || is_framing(name) {
        return Err(Refused);
    }
    remove(r, Side::Response, name);
    stop_nginxs_own(r, name);
    if value.is_empty() {
        return silence(r, name);
    }
    if name.eq_ignore_ascii_case(b"content-type") {
        return set_content_type(r, value);
    }
    let header = push(r, Side::Response, name, value)?;
    know_response(r, header);
    // nginx would make an absolute address of it.
    if name.eq_ignore_ascii_case(b"location") && value.starts_with(b"/") {
        forget_response(r, header);
    }
    Ok(())
}

/// What nginx prints from other members than the header's own.
fn stop_nginxs_own(r: Request, name: &[u8]) {
    // SAFETY: a live request.
    unsafe {
        let r = r.as_ptr();
        if name.eq_ignore_ascii_case(b"last-modified") {
            (*r).headers_out.last_modified_time = -1;
        } else if name.eq_ignore_ascii_case(b"accept-ranges") {
            (*r).set_allow_ranges(0);
        }
    }
}

/// nginx prints `Server` and `Date` unless there is one already: a removed one will do.
fn silence(r: Request, name: &[u8]) -> Result<(), Refused> {
    if !name.eq_ignore_ascii_case(b"server") && !name.eq_ignore_ascii_case(b"date") {
        return Ok(());
    }
    let Some(slot) = response_slot(r, name) else { return Ok(()) };
    // SAFETY: the list is the request's, and so is the member. A zeroed element has no text and hash 0: it is removed.
    unsafe {
        let h = ngx_list_push(list::of(r, Side::Response).as_ptr()).cast::<ngx_table_elt_t>();
        let h = NonNull::new(h).ok_or(Refused)?.as_ptr();
        h.write_bytes(0, 1);
        *slot = h;
    }
    Ok(())
}
