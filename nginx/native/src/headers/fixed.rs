//! Headers with names that are known when this is compiled. In responses those of which nginx keeps no pointer: several are
//! replaced with one look at the list.

use ngx::ffi::{ngx_list_push, ngx_table_elt_t};

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

/// Adds one more response header, as it is. `None`: out of memory.
///
/// # Safety
/// `value` lives as long as the request, and both [may stand](super::rules) in a header, of which nginx keeps no pointer.
#[inline]
pub unsafe fn push_fixed(r: Request, name: &'static [u8], value: &[u8]) -> Option<()> {
    // SAFETY: the list is the request's; the new element is zeroed, which every version allows.
    unsafe {
        let h = ngx_list_push(list::of(r, Side::Response).as_ptr()).cast::<ngx_table_elt_t>();
        let header = h.as_mut()?;
        h.write_bytes(0, 1);
        header.hash = SENT;
        header.key = borrowed(name);
        header.value = borrowed(value);
        Some(())
    }
}
