//! Headers of the request whose names are worked out once, and set for many.

use super::fixed::{hash, is_named};
use super::known::{Definition, know_defined};
use super::list::{self, Side};
use super::removal::remove_element;
use super::rules::is_token;
use crate::request::Request;
use crate::text::borrowed;

/// The name of such a header.
pub struct OwnName {
    name: Box<[u8]>,
    lower: Box<[u8]>,
    hash: usize,
    /// `None`: nginx does not know it.
    definition: Option<Definition>,
}

impl OwnName {
    /// `None` for a name that is no token.
    pub fn new(name: &[u8]) -> Option<OwnName> {
        let lower: Box<[u8]> = name.to_ascii_lowercase().into();
        let (hash, definition) = (hash(&lower), Definition::of(name));
        is_token(name).then(|| OwnName { name: name.into(), lower, hash, definition })
    }

    pub fn is_there(&self, r: Request) -> bool {
        // SAFETY: the request's list, of which nothing is changed.
        unsafe { list::first(list::of(r, Side::Request), |h| is_named(h, &self.lower)) }.is_some()
    }

    /// Sets it to exactly one value. `None`: out of memory.
    ///
    /// # Safety
    /// `self` and `value` live as long as the request, and `value` [may stand](super::rules::is_field_value) in a header.
    pub unsafe fn set(&self, r: Request, value: &[u8]) -> Option<()> {
        // SAFETY: the request's list, of which one value is changed.
        unsafe {
            match list::first(list::of(r, Side::Request), |h| is_named(h, &self.lower)) {
                None => return self.add(r, value),
                Some(mut first) => first.as_mut().value = borrowed(value),
            }
        }
        self.remove_behind(r, 1);
        Some(())
    }

    /// Removes all of this name; none is no error.
    pub fn remove(&self, r: Request) {
        if self.is_there(r) {
            self.remove_behind(r, 0);
        }
    }

    /// Removes those of this name but for the first few.
    fn remove_behind(&self, r: Request, few: usize) {
        let list = list::of(r, Side::Request);
        // SAFETY: live elements.
        let same = list::elements(list).filter(|h| is_named(unsafe { h.as_ref() }, &self.lower));
        same.skip(few)
            .collect::<Vec<_>>()
            .into_iter()
            .for_each(|h| remove_element(r, Side::Request, h));
    }

    /// Adds one more line of it. `None`: out of memory.
    ///
    /// # Safety
    /// As of [`OwnName::set`].
    pub unsafe fn add(&self, r: Request, value: &[u8]) -> Option<()> {
        // SAFETY: the list is the request's.
        let h = unsafe {
            let h = list::push(list::made(r, Side::Request)?)?;
            (*h.as_ptr()).hash = self.hash;
            (*h.as_ptr()).key = borrowed(&self.name);
            (*h.as_ptr()).value = borrowed(value);
            (*h.as_ptr()).lowcase_key = self.lower.as_ptr().cast_mut();
            h
        };
        if let Some(definition) = self.definition {
            know_defined(r, definition, h);
        }
        Some(())
    }
}
