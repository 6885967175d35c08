//! Header lists: those of the request as nginx forwards them, those of the response as it sends them.
//!
//! nginx also keeps pointers to the headers it knows. They are kept right here, so that a header
//! that was removed is neither forwarded nor seen by `$http_*` and never dangles.

use std::ptr::{NonNull, null_mut, write_bytes};

use ngx::ffi::{
    ngx_array_t, ngx_hash_find, ngx_hash_strlow, ngx_http_header_t, ngx_list_part_t, ngx_list_push,
    ngx_list_t, ngx_palloc, ngx_table_elt_t,
};

use crate::request::Request;
use crate::text::{EMPTY, bytes};

/// Which of a request's two lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Request,
    Response,
}

/// A name or value that must not be written into a header.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused;

/// Headers of the same name form a linked list from nginx 1.23 on; before, some stood in arrays.
const LINKED: bool = size_of::<ngx_table_elt_t>() > 48;

/// All headers in order; a name may come several times. Content-Type and Content-Length of a
/// response, which nginx keeps elsewhere, are not among them: see [`content_type`].
pub fn each(r: Request, side: Side) -> impl Iterator<Item = (&'static [u8], &'static [u8])> {
    elements(list(r, side)).filter(move |h| visible(*h, side)).map(|h| {
        // SAFETY: the element and its strings live as long as the request.
        unsafe { (bytes(h.as_ref().key), bytes(h.as_ref().value)) }
    })
}

/// The first value of `name`, whatever its case.
pub fn get(r: Request, side: Side, name: &[u8]) -> Option<&'static [u8]> {
    if side == Side::Response && name.eq_ignore_ascii_case(b"content-type") {
        return content_type(r);
    }
    each(r, side).find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// The response's Content-Type; `None` when there is none.
pub fn content_type(r: Request) -> Option<&'static [u8]> {
    // SAFETY: a live request.
    let value = unsafe { bytes((*r.as_ptr()).headers_out.content_type) };
    (!value.is_empty()).then_some(value)
}

/// Adds one more header.
/// # Errors
/// [`Refused`] for a name that is no token or a value with control characters (and when memory ends).
pub fn add(r: Request, side: Side, name: &[u8], value: &[u8]) -> Result<(), Refused> {
    if !is_token(name) || !is_field_value(value) {
        return Err(Refused);
    }
    match side {
        Side::Response if name.eq_ignore_ascii_case(b"content-type") => set_content_type(r, value),
        Side::Response if name.eq_ignore_ascii_case(b"content-length") => Err(Refused),
        Side::Response => push(r, side, name, value).map(|h| know_response(r, h)),
        Side::Request => push(r, side, name, value).map(|h| know_request(r, h)),
    }
}

/// Sets `name` to exactly one value.
/// # Errors
/// As for [`add`].
pub fn replace(r: Request, side: Side, name: &[u8], value: &[u8]) -> Result<(), Refused> {
    if !is_token(name) || !is_field_value(value) {
        return Err(Refused);
    }
    let mut same = named(r, side, name);
    let Some(mut first) = same.next() else { return add(r, side, name, value) };
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

fn list(r: Request, side: Side) -> NonNull<ngx_list_t> {
    // SAFETY: both lists are members of the live request.
    NonNull::from(unsafe {
        match side {
            Side::Request => &mut (*r.as_ptr()).headers_in.headers,
            Side::Response => &mut (*r.as_ptr()).headers_out.headers,
        }
    })
}

fn parts(list: NonNull<ngx_list_t>) -> impl Iterator<Item = NonNull<ngx_list_part_t>> {
    // SAFETY: the first part is embedded in the list; the others hang on it.
    let first = unsafe { NonNull::new(&raw mut (*list.as_ptr()).part) };
    // SAFETY: as above.
    std::iter::successors(first, |part| NonNull::new(unsafe { part.as_ref().next }))
}

fn elements(list: NonNull<ngx_list_t>) -> impl Iterator<Item = NonNull<ngx_table_elt_t>> {
    parts(list).flat_map(|part| {
        // SAFETY: a part holds `nelts` elements of the list's type.
        let (elts, n) =
            unsafe { (part.as_ref().elts.cast::<ngx_table_elt_t>(), part.as_ref().nelts) };
        // SAFETY: as above.
        (0..n).filter_map(move |i| NonNull::new(unsafe { elts.add(i) }))
    })
}

// nginx marks a response header as removed by hash 0; in requests the mark means nothing.
fn visible(h: NonNull<ngx_table_elt_t>, side: Side) -> bool {
    // SAFETY: a live element.
    side == Side::Request || unsafe { h.as_ref().hash != 0 }
}

fn named(r: Request, side: Side, name: &[u8]) -> impl Iterator<Item = NonNull<ngx_table_elt_t>> {
    elements(list(r, side)).filter(move |h| {
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
    // SAFETY: the list is the request's; the new element is zeroed, which every version allows.
    unsafe {
        let h = ngx_list_push(list(r, side).as_ptr()).cast::<ngx_table_elt_t>();
        let h = NonNull::new(h).ok_or(Refused)?;
        write_bytes(h.as_ptr(), 0, 1);
        (*h.as_ptr()).hash = ngx_hash_strlow(lower.as_ptr(), key.data, key.len);
        (*h.as_ptr()).key = key;
        (*h.as_ptr()).value = value;
        (*h.as_ptr()).lowcase_key = lower.as_ptr();
        Ok(h)
    }
}

fn remove_element(r: Request, side: Side, mut h: NonNull<ngx_table_elt_t>) {
    match side {
        Side::Response => {
            forget_response(r, h);
            // SAFETY: a live element.
            unsafe { h.as_mut().hash = 0 };
        }
        Side::Request => {
            forget_request(r, h);
            cut(list(r, side), h);
        }
    }
}

/// Takes `h` out of the list without moving other elements, to which nginx holds pointers: its part ends
/// before it, and a new part begins behind it. No part stays empty, because nginx's loops over a list
/// look at the first element of a further part without asking whether there is one.
fn cut(list: NonNull<ngx_list_t>, h: NonNull<ngx_table_elt_t>) {
    let Some((part, i)) = find(list, h) else { return };
    // SAFETY: the part belongs to the list; a new one comes from its pool.
    unsafe {
        let (list, part) = (&mut *list.as_ptr(), &mut *part.as_ptr());
        let behind = part.nelts - i - 1;
        let rest = h.as_ptr().add(1).cast();
        if i == 0 {
            part.elts = rest;
            part.nelts = behind;
        } else if behind == 0 {
            part.nelts = i;
        } else {
            let new = ngx_palloc(list.pool, size_of::<ngx_list_part_t>()).cast::<ngx_list_part_t>();
            if new.is_null() {
                return; // out of memory: the header stays, the request is about to fail anyway
            }
            new.write(ngx_list_part_t { elts: rest, nelts: behind, next: part.next });
            part.nelts = i;
            part.next = new;
        }
        drop_empty_parts(list);
    }
}

/// Restores what nginx relies on: no empty part but that of an empty list, `last` is the last one, and
/// `nalloc` tells when it is full (now: whatever is in it, so that the next push begins a new part).
///
/// # Safety
/// `list` is a live list whose parts are linked properly.
unsafe fn drop_empty_parts(list: &mut ngx_list_t) {
    const ROOM: usize = 8;
    // SAFETY: the caller's promise.
    unsafe {
        while list.part.nelts == 0 && !list.part.next.is_null() {
            list.part = *list.part.next;
        }
        let mut last = &raw mut list.part;
        while !(*last).next.is_null() {
            let next = (*last).next;
            if (*next).nelts == 0 {
                (*last).next = (*next).next;
            } else {
                last = next;
            }
        }
        list.last = last;
        list.nalloc = (*last).nelts;
        if list.nalloc == 0 {
            let (pool, size) = (list.pool, list.size);
            ngx::ffi::ngx_list_init(list, pool, ROOM, size);
        }
    }
}

fn find(
    list: NonNull<ngx_list_t>,
    h: NonNull<ngx_table_elt_t>,
) -> Option<(NonNull<ngx_list_part_t>, usize)> {
    parts(list).find_map(|part| {
        // SAFETY: a live part.
        let (elts, n) =
            unsafe { (part.as_ref().elts.cast::<ngx_table_elt_t>(), part.as_ref().nelts) };
        // SAFETY: within the part.
        (0..n).find(|i| unsafe { elts.add(*i) } == h.as_ptr()).map(|i| (part, i))
    })
}

/// Where nginx keeps its pointer to a request header that it knows.
struct Known {
    place: *mut u8,
    definition: *mut ngx_http_header_t,
    /// Several may come: `Cookie`, `X-Forwarded-For`.
    many: bool,
}

fn known(r: Request, h: NonNull<ngx_table_elt_t>) -> Option<Known> {
    // SAFETY: the table belongs to the configuration; offsets point into headers_in.
    unsafe {
        let h = h.as_ref();
        let table = &raw mut (*r.core_main().as_ptr()).headers_in_hash;
        let found = ngx_hash_find(table, h.hash, h.lowcase_key, h.key.len);
        let definition = NonNull::new(found.cast::<ngx_http_header_t>())?.as_ptr();
        let place = (&raw mut (*r.as_ptr()).headers_in).cast::<u8>().add((*definition).offset);
        let key = bytes(h.key);
        let many =
            key.eq_ignore_ascii_case(b"cookie") || key.eq_ignore_ascii_case(b"x-forwarded-for");
        Some(Known { place, definition, many })
    }
}

fn know_request(r: Request, h: NonNull<ngx_table_elt_t>) {
    let Some(known) = known(r, h) else { return };
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

fn forget_request(r: Request, h: NonNull<ngx_table_elt_t>) {
    let Some(known) = known(r, h) else { return };
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

/// The members of headers_out that nginx consults instead of the list.
fn response_slot(r: Request, name: &[u8]) -> Option<*mut *mut ngx_table_elt_t> {
    // SAFETY: members of the live request.
    unsafe {
        let out = &raw mut (*r.as_ptr()).headers_out;
        Some(match name.to_ascii_lowercase().as_slice() {
            b"server" => &raw mut (*out).server,
            b"date" => &raw mut (*out).date,
            b"location" => &raw mut (*out).location,
            b"content-encoding" => &raw mut (*out).content_encoding,
            b"last-modified" => &raw mut (*out).last_modified,
            b"etag" => &raw mut (*out).etag,
            b"accept-ranges" => &raw mut (*out).accept_ranges,
            b"expires" => &raw mut (*out).expires,
            b"www-authenticate" => &raw mut (*out).www_authenticate,
            _ => return None,
        })
    }
}

fn know_response(r: Request, h: NonNull<ngx_table_elt_t>) {
    // SAFETY: a live element and a member of the live request.
    unsafe {
        if let Some(slot) = response_slot(r, bytes(h.as_ref().key)) {
            *slot = h.as_ptr();
        }
    }
}

fn forget_response(r: Request, h: NonNull<ngx_table_elt_t>) {
    // SAFETY: as above.
    unsafe {
        if let Some(slot) =
            response_slot(r, bytes(h.as_ref().key)).filter(|slot| **slot == h.as_ptr())
        {
            *slot = null_mut();
        }
    }
}

fn set_content_type(r: Request, value: &[u8]) -> Result<(), Refused> {
    let copy = r.pool().copy_str(value).ok_or(Refused)?;
    // SAFETY: a live request.
    unsafe {
        let out = &mut (*r.as_ptr()).headers_out;
        out.content_type = copy;
        out.content_type_len = copy.len;
        out.content_type_lowcase = null_mut();
        out.charset = EMPTY;
    }
    Ok(())
}

/// RFC 9110 `token`, the form of a header's name.
pub fn is_token(name: &[u8]) -> bool {
    let special = b"!#$%&'*+-.^_`|~";
    !name.is_empty() && name.iter().all(|b| b.is_ascii_alphanumeric() || special.contains(b))
}

/// No control characters but tab: what cannot end a header line early.
pub fn is_field_value(value: &[u8]) -> bool {
    value.iter().all(|b| *b == b'\t' || (*b >= b' ' && *b != 0x7f))
}

const _: () = assert!(!LINKED || size_of::<ngx_table_elt_t>() == 56);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_tokens_and_values_cannot_end_a_line() {
        assert!(
            is_token(b"X-Served-By") && !is_token(b"") && !is_token(b"a b") && !is_token(b"a:")
        );
        assert!(
            is_field_value(b"caf\xc3\xa9\t1")
                && !is_field_value(b"1\r\nX: 2")
                && !is_field_value(b"\0")
        );
    }
}
