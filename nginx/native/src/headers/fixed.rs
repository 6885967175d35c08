//! Headers with names that are known when this is compiled. In responses those of which nginx keeps no pointer: several are
//! replaced with one look at the list.

use ngx::ffi::ngx_table_elt_t;

use super::list::{self, Side};
use crate::request::Request;
use crate::text::{borrowed, bytes};

/// What nginx asks of the hash of a response header: that it is not 0, which marks a removed one.
const SENT: usize = 1;

/// The first value of a request header; `lower`: its name in small letters.
#[inline]
pub fn request_header<'r>(r: Request<'r>, lower: &'static [u8]) -> Option<&'r [u8]> {
    // SAFETY: live elements of the request; their strings live as long as it does.
    unsafe {
        let is_named = |h: &mut ngx_table_elt_t| {
            h.key.len == lower.len() && bytes(h.key).eq_ignore_ascii_case(lower)
        };
        let found = list::first(list::of(r, Side::Request), is_named)?;
        Some(bytes(found.as_ref().value))
    }
}

/// Whether a header of the request has this name, which is in small letters. Not by its hash: nginx leaves characters out of it that odd names have.
#[inline]
pub(super) fn is_named(header: &ngx_table_elt_t, lower: &[u8]) -> bool {
    // SAFETY: a header of a live request.
    header.key.len == lower.len() && unsafe { lower_of(header) } == lower
}

/// # Safety
/// `header` is one of a request that lives for `'r`; nginx keeps its name twice.
#[inline]
unsafe fn lower_of<'r>(header: &ngx_table_elt_t) -> &'r [u8] {
    // SAFETY: as above.
    unsafe { std::slice::from_raw_parts(header.lowcase_key, header.key.len) }
}

/// A header of the request, which a look at all of them passes by.
pub struct Seen<'r>(&'r mut ngx_table_elt_t);

impl<'r> Seen<'r> {
    /// In small letters.
    #[inline]
    pub fn lower(&self) -> &'r [u8] {
        // SAFETY: both live as long as the request.
        unsafe { lower_of(self.0) }
    }

    /// `lower`: a name in small letters.
    #[inline]
    pub fn is_named(&self, lower: &[u8]) -> bool {
        is_named(self.0, lower)
    }

    #[inline]
    pub fn value(&self) -> &'r [u8] {
        // SAFETY: as above.
        unsafe { bytes(self.0.value) }
    }

    /// # Safety
    /// `value` lives as long as the request, [may stand](super::rules) in a header, and nginx has read nothing of the one before.
    #[inline]
    pub unsafe fn set_value(self, value: &[u8]) {
        self.0.value = borrowed(value);
    }
}

/// Looks at the request's headers, in order.
#[inline]
pub fn see_all<'r>(r: Request<'r>, mut see: impl FnMut(Seen<'r>)) {
    // SAFETY: live elements of the request, to which nobody else holds a reference; looking changes no list.
    unsafe {
        list::first(list::of(r, Side::Request), |h| {
            see(Seen(&mut *std::ptr::from_mut(h)));
            false
        });
    }
}

/// Adds one more header to the request. `None`: out of memory.
///
/// # Safety
/// `lower` is in small letters, and none that nginx knows; `value` lives as long as the request, and may stand in a header.
#[inline]
pub unsafe fn push_request(
    r: Request,
    lower: &'static [u8],
    hash: usize,
    value: &[u8],
) -> Option<()> {
    // SAFETY: the list is the request's.
    unsafe {
        let header = list::push(list::made(r, Side::Request)?)?.as_mut();
        header.hash = hash;
        header.key = borrowed(lower);
        header.value = borrowed(value);
        header.lowcase_key = lower.as_ptr().cast_mut();
        Some(())
    }
}

/// Of a name in small letters, as nginx counts it (`ngx_hash_key`).
pub const fn hash(lower: &[u8]) -> usize {
    let (mut hash, mut at) = (0usize, 0);
    while at < lower.len() {
        hash = hash.wrapping_mul(31).wrapping_add(lower[at] as usize);
        at += 1;
    }
    hash
}

/// Removes the response headers for whose name and value `keeps` is false. Those that nginx knows by pointers
/// ([`super::remove`]) have to stay.
#[inline]
pub fn retain(r: Request, mut keeps: impl FnMut(&[u8], &[u8]) -> bool) {
    // SAFETY: live elements of the request and their strings.
    unsafe {
        list::first(list::of(r, Side::Response), |h| {
            if h.hash != 0 && !keeps(bytes(h.key), bytes(h.value)) {
                h.hash = 0;
            }
            false
        });
    }
}

/// Removes the response headers whose names begin so, whatever their case. nginx takes those that it knows by pointers for said: it says none of
/// its own in their place.
pub fn clear_beginning(r: Request, beginning: &[u8]) {
    // SAFETY: live elements of the request and their strings.
    unsafe {
        list::first(list::of(r, Side::Response), |h| {
            let start = bytes(h.key).get(..beginning.len());
            if start.is_some_and(|start| start.eq_ignore_ascii_case(beginning)) {
                h.hash = 0;
                h.value.len = 0;
            }
            false
        });
    }
}

/// Adds one more response header, as it is. `None`: out of memory.
///
/// # Safety
/// `value` lives as long as the request, and both [may stand](super::rules) in a header, of which nginx keeps no pointer.
#[inline]
pub unsafe fn push_fixed(r: Request, name: &'static [u8], value: &[u8]) -> Option<()> {
    // SAFETY: the list is the request's.
    unsafe {
        let header = list::push(list::of(r, Side::Response))?.as_mut();
        header.hash = SENT;
        header.key = borrowed(name);
        header.value = borrowed(value);
        Some(())
    }
}
