//! nginx's pointers to the headers that it knows.

use std::mem::offset_of;
use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    ngx_array_t, ngx_hash_find, ngx_http_header_t, ngx_http_headers_in, ngx_http_headers_out_t,
    ngx_table_elt_t,
};

use crate::request::Request;
use crate::text::bytes;

/// Headers of the same name form a linked list from nginx 1.23 on; before, some stood in arrays.
const LINKED: bool = size_of::<ngx_table_elt_t>() > 48;

const _: () = assert!(!LINKED || size_of::<ngx_table_elt_t>() == 56);

/// What nginx says of a request header that it knows: in a static table of its own, to which its hashes point.
#[derive(Clone, Copy)]
pub(super) struct Definition(NonNull<ngx_http_header_t>);

/// Where nginx keeps its pointer to a request header that it knows.
struct Known {
    place: *mut u8,
    definition: *mut ngx_http_header_t,
    /// Several may come: `Cookie`, `X-Forwarded-For`.
    many: bool,
}

impl Definition {
    /// Of a name in any case. `None`: nginx does not know it.
    pub fn of(name: &[u8]) -> Option<Definition> {
        let mut at = (&raw mut ngx_http_headers_in).cast::<ngx_http_header_t>();
        // SAFETY: the table ends with a definition without a name.
        unsafe {
            while (*at).name.len > 0 {
                if bytes((*at).name).eq_ignore_ascii_case(name) {
                    return NonNull::new(at).map(Definition);
                }
                at = at.add(1);
            }
        }
        None
    }

    fn of_element(r: Request, h: NonNull<ngx_table_elt_t>) -> Option<Definition> {
        // SAFETY: the table belongs to the configuration.
        let found = unsafe {
            let h = h.as_ref();
            let table = &raw mut (*r.core_main().as_ptr()).headers_in_hash;
            ngx_hash_find(table, h.hash, h.lowcase_key, h.key.len)
        };
        NonNull::new(found.cast()).map(Definition)
    }

    fn known(self, r: Request) -> Known {
        let definition = self.0.as_ptr();
        // SAFETY: a definition of nginx's, whose offset points into headers_in.
        unsafe {
            let place = (&raw mut (*r.as_ptr()).headers_in).cast::<u8>().add((*definition).offset);
            let name = bytes((*definition).name);
            let many = name.eq_ignore_ascii_case(b"cookie")
                || name.eq_ignore_ascii_case(b"x-forwarded-for");
            Known { place, definition, many }
        }
    }
}

pub(super) fn know_request(r: Request, h: NonNull<ngx_table_elt_t>) {
    if let Some(definition) = Definition::of_element(r, h) {
        know_defined(r, definition, h);
    }
}

/// The same of a header that has this definition.
pub(super) fn know_defined(r: Request, definition: Definition, h: NonNull<ngx_table_elt_t>) {
    let known = definition.known(r);
    // SAFETY: `place` is a pointer to an element, or what the definition's own handler takes it for.
    unsafe {
        if known.many {
            if let Some(handler) = (*known.definition).handler {
                handler(r.as_ptr(), h.as_ptr(), (*known.definition).offset);
            }
        } else if (*known.place.cast::<*mut ngx_table_elt_t>()).is_null() {
            *known.place.cast::<*mut ngx_table_elt_t>() = h.as_ptr();
        }
    }
}

pub(super) fn forget_request(r: Request, h: NonNull<ngx_table_elt_t>) {
    let Some(definition) = Definition::of_element(r, h) else { return };
    let known = definition.known(r);
    // SAFETY: see `Known`; an element is 56 bytes with `next` last in versions that link them.
    unsafe {
        if known.many && !LINKED {
            return forget_in_array(&mut *known.place.cast::<ngx_array_t>(), h.as_ptr());
        }
        let mut at = known.place.cast::<*mut ngx_table_elt_t>();
        while LINKED && !(*at).is_null() && *at != h.as_ptr() {
            at = (*at).cast::<u8>().add(48).cast();
        }
        if *at == h.as_ptr() {
            let next = (*at).cast::<u8>().add(48).cast::<*mut ngx_table_elt_t>();
            *at = if LINKED { *next } else { null_mut() };
        }
    }
}

/// # Safety
/// `array` is an array of pointers to elements, or all zero.
unsafe fn forget_in_array(array: &mut ngx_array_t, h: *mut ngx_table_elt_t) {
    if array.elts.is_null() {
        return;
    }
    // SAFETY: the caller's promise.
    let all = unsafe { array.as_slice_mut::<*mut ngx_table_elt_t>() };
    if let Some(i) = all.iter().position(|e| *e == h) {
        all.copy_within(i + 1.., i);
        array.nelts -= 1;
    }
}

/// Where in headers_out nginx has the pointer that it consults instead of the list; for a name in small letters.
pub(super) fn slot_of(lower: &[u8]) -> Option<usize> {
    Some(match lower {
        b"server" => offset_of!(ngx_http_headers_out_t, server),
        b"date" => offset_of!(ngx_http_headers_out_t, date),
        b"location" => offset_of!(ngx_http_headers_out_t, location),
        b"content-encoding" => offset_of!(ngx_http_headers_out_t, content_encoding),
        b"last-modified" => offset_of!(ngx_http_headers_out_t, last_modified),
        b"etag" => offset_of!(ngx_http_headers_out_t, etag),
        b"accept-ranges" => offset_of!(ngx_http_headers_out_t, accept_ranges),
        b"expires" => offset_of!(ngx_http_headers_out_t, expires),
        b"www-authenticate" => offset_of!(ngx_http_headers_out_t, www_authenticate),
        _ => return None,
    })
}

fn response_slot(r: Request, name: &[u8]) -> Option<*mut *mut ngx_table_elt_t> {
    let slot = slot_of(&name.to_ascii_lowercase())?;
    // SAFETY: a member of the live request.
    Some(unsafe { (&raw mut (*r.as_ptr()).headers_out).byte_add(slot).cast() })
}

pub(super) fn know_response(r: Request, h: NonNull<ngx_table_elt_t>) {
    // SAFETY: a live element and a member of the live request.
    unsafe {
        if let Some(slot) = response_slot(r, bytes(h.as_ref().key)) {
            *slot = h.as_ptr();
        }
    }
}

pub(super) fn forget_response(r: Request, h: NonNull<ngx_table_elt_t>) {
    // SAFETY: as above.
    unsafe {
        if let Some(slot) =
            response_slot(r, bytes(h.as_ref().key)).filter(|slot| **slot == h.as_ptr())
        {
            *slot = null_mut();
        }
    }
}
