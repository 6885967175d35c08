//! Headers of the request whose names are worked out once, and set for many.

use ngx::ffi::ngx_table_elt_t;

use super::fixed::hash;
use super::known;
use super::list::{self, Side};
use super::removal::remove_element;
use super::rules::is_token;
use crate::request::Request;
use crate::text::{borrowed, bytes};

/// The name of such a header.
pub struct OwnName {
    name: Box<[u8]>,
    lower: Box<[u8]>,
    hash: usize,
}

impl OwnName {
    /// `None` for a name that is no token.
    pub fn new(name: &[u8]) -> Option<OwnName> {
        let lower = name.to_ascii_lowercase();
        let hash = hash(&lower);
        is_token(name).then(|| OwnName { name: name.into(), lower: lower.into(), hash })
    }

    pub fn bytes(&self) -> &[u8] {
        &self.name
    }

    pub fn is_there(&self, r: Request) -> bool {
        // SAFETY: the request's list, of which nothing is changed.
        unsafe { list::first(list::of(r, Side::Request), |h| self.names(h)) }.is_some()
    }

    /// Sets it to exactly one value. `None`: out of memory.
    ///
    /// # Safety
    /// `self` and `value` live as long as the request, and `value` [may stand](super::rules::is_field_value) in a header.
    pub unsafe fn set(&self, r: Request, value: &[u8]) -> Option<()> {
        // SAFETY: the request's list, of which one value is changed.
        unsafe {
            match list::first(list::of(r, Side::Request), |h| self.names(h)) {
                None => return self.push(r, value),
                Some(mut first) => first.as_mut().value = borrowed(value),
            }
        }
        let list = list::of(r, Side::Request);
        // SAFETY: live elements.
        let same = list::elements(list).filter(|h| self.names(unsafe { h.as_ref() }));
        same.skip(1)
            .collect::<Vec<_>>()
            .into_iter()
            .for_each(|h| remove_element(r, Side::Request, h));
        Some(())
    }

    fn names(&self, header: &ngx_table_elt_t) -> bool {
        // SAFETY: a live element of the request.
        self.hash == header.hash && unsafe { bytes(header.key) }.eq_ignore_ascii_case(&self.name)
    }

    /// # Safety
    /// As of [`OwnName::set`].
    unsafe fn push(&self, r: Request, value: &[u8]) -> Option<()> {
        // SAFETY: the list is the request's.
        unsafe {
            let h = list::push(list::made(r, Side::Request)?)?;
            (*h.as_ptr()).hash = self.hash;
            (*h.as_ptr()).key = borrowed(&self.name);
            (*h.as_ptr()).value = borrowed(value);
            (*h.as_ptr()).lowcase_key = self.lower.as_ptr().cast_mut();
            known::know_request(r, h);
        }
        Some(())
    }
}
