//! Headers that take the place of all of their name in a response, those included that nginx prints by itself. Worked out
//! once, put into many responses.

use std::ptr::{NonNull, null_mut};

use ngx::ffi::{ngx_hash_strlow, ngx_table_elt_t};

use super::content_type;
use super::known::slot_of;
use super::list::{self, Side};
use super::rules::is_token;
use crate::bits;
use crate::request::Request;
use crate::text::{EMPTY, borrowed, bytes};

/// The name of such a header.
#[derive(Clone)]
pub struct Replacing {
    name: Box<[u8]>,
    lower: Box<[u8]>,
    hash: usize,
    special: Special,
    /// Where headers_out has nginx's own pointer to it.
    slot: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    No,
    /// Printed from other members than the list.
    ContentType,
    LastModified,
    AcceptRanges,
    /// Printed unless there is one: `Server` and `Date`.
    Default,
    /// Made an absolute address where it is none.
    Location,
    /// headers-more takes it for any other name.
    Tag,
}

/// Headers that frame a message: nginx prints them as the message needs them.
const FRAMING: [&[u8]; 3] = [b"content-length", b"transfer-encoding", b"connection"];

pub fn is_framing(name: &[u8]) -> bool {
    FRAMING.iter().any(|framing| framing.eq_ignore_ascii_case(name))
}

impl Replacing {
    /// Of a header as it is sent, beside others of its name.
    fn element(&self, value: &[u8], hash: usize) -> ngx_table_elt_t {
        // SAFETY: plain data, which may be all zero, and more of it in later versions.
        let mut element: ngx_table_elt_t = unsafe { std::mem::zeroed() };
        element.hash = hash;
        element.key = borrowed(&self.name);
        element.value = borrowed(value);
        element.lowcase_key = self.lower.as_ptr().cast_mut();
        element
    }

    /// `None` for a name that is no token or [frames](is_framing) the message.
    pub fn new(name: &[u8]) -> Option<Replacing> {
        let may_be = is_token(name) && !is_framing(name);
        may_be.then(|| Replacing::of(name))
    }

    /// `Content-Length`, for answers with which nothing comes: nginx says no length of these.
    pub fn length() -> Replacing {
        Replacing::of(b"Content-Length")
    }

    fn of(name: &[u8]) -> Replacing {
        let mut lower = vec![0; name.len()].into_boxed_slice();
        // SAFETY: reads and writes so many bytes.
        let hash =
            unsafe { ngx_hash_strlow(lower.as_mut_ptr(), name.as_ptr().cast_mut(), name.len()) };
        let (special, slot) = (Special::of(&lower), slot_of(&lower));
        Replacing { name: name.into(), lower, hash, special, slot }
    }

    /// Makes `value` the only header of this name, exactly as it is; an empty one only removes the name. For header
    /// filters that run before compression and ranges, which still do to the response what its new headers ask for.
    /// `None`: out of memory.
    ///
    /// # Safety
    /// `self` and `value` live as long as the request, and `value` [may stand](super::rules::is_field_value) in a header.
    pub unsafe fn put(&self, r: Request, value: &[u8]) -> Option<()> {
        // SAFETY: as promised.
        unsafe { self.replace(r, value, !self.is_literal(value)) }
    }

    /// The same as headers-more does it: of a path in `Location` nginx makes an absolute address, as of its own redirects, and it learns of an `ETag`
    /// only where it knew of one before.
    ///
    /// # Safety
    /// As above.
    pub unsafe fn put_absolute(&self, r: Request, value: &[u8]) -> Option<()> {
        let is_known = self.special != Special::Tag || self.is_pointed(r);
        // SAFETY: as promised.
        unsafe { self.replace(r, value, is_known) }
    }

    /// The same in the place of the one that nginx knows of, as `add_header` does it: others of the name stay.
    ///
    /// # Safety
    /// As above.
    pub unsafe fn put_known(&self, r: Request, value: &[u8]) -> Option<()> {
        if let Some(known) = self.pointer(r).and_then(|pointer| NonNull::new(*pointer)) {
            // SAFETY: a live element of the request.
            unsafe { (*known.as_ptr()).hash = 0 };
        }
        self.point(r, null_mut());
        if !value.is_empty() {
            self.point(r, self.push(r, value, self.hash)?);
        }
        Some(())
    }

    /// # Safety
    /// As of [`Replacing::put`].
    unsafe fn replace(&self, r: Request, value: &[u8], is_known: bool) -> Option<()> {
        self.remove(r);
        match self.special {
            // SAFETY: as promised.
            Special::ContentType => unsafe { content_type::set(r, borrowed(value)) },
            // nginx is shown one that counts as removed.
            Special::Default if value.is_empty() => {
                self.point(r, self.push(r, value, 0)?);
            }
            _ if value.is_empty() => {}
            _ => {
                let header = self.push(r, value, self.hash)?;
                if is_known {
                    self.point(r, header);
                }
            }
        }
        Some(())
    }

    /// Adds one more header of this name beside those that there are, of which nginx learns nothing: of what it prints by itself there are two
    /// then. `None`: out of memory.
    ///
    /// # Safety
    /// As for [`Replacing::put`].
    pub unsafe fn add(&self, r: Request, value: &[u8]) -> Option<()> {
        self.push(r, value, self.hash).map(drop)
    }

    fn remove(&self, r: Request) {
        self.point(r, null_mut());
        // SAFETY: live elements of the request, of which none is added or taken out.
        unsafe {
            list::first(list::of(r, Side::Response), |h| {
                if self.name.len() == h.key.len && self.names(h) {
                    h.hash = 0;
                }
                false
            });
        }
        // SAFETY: a live request.
        unsafe {
            let r = r.as_ptr();
            match self.special {
                Special::ContentType => (*r).headers_out.content_type = EMPTY,
                Special::LastModified => (*r).headers_out.last_modified_time = -1,
                Special::AcceptRanges => bits::request::ALLOW_RANGES.set(r, 0),
                Special::No | Special::Default | Special::Location | Special::Tag => {}
            }
        }
    }

    /// # Safety
    /// A live element of a request.
    unsafe fn names(&self, h: &ngx_table_elt_t) -> bool {
        // SAFETY: the caller's promise.
        unsafe { bytes(h.key) }.eq_ignore_ascii_case(&self.lower)
    }

    /// nginx would make an absolute address of it if it knew.
    fn is_literal(&self, value: &[u8]) -> bool {
        self.special == Special::Location && value.starts_with(b"/")
    }

    /// Sets nginx's own pointer to it, if there is one.
    fn point(&self, r: Request, header: *mut ngx_table_elt_t) {
        if let Some(pointer) = self.pointer(r) {
            *pointer = header;
        }
    }

    fn is_pointed(&self, r: Request) -> bool {
        self.pointer(r).is_some_and(|pointer| !pointer.is_null())
    }

    fn pointer<'r>(&self, r: Request<'r>) -> Option<&'r mut *mut ngx_table_elt_t> {
        let slot = self.slot?;
        // SAFETY: a member of the live request, to which nobody else holds a reference.
        Some(unsafe { &mut *(&raw mut (*r.as_ptr()).headers_out).byte_add(slot).cast() })
    }

    #[inline]
    fn push(&self, r: Request, value: &[u8], hash: usize) -> Option<*mut ngx_table_elt_t> {
        // SAFETY: the list is the request's, and the new element lies in it.
        unsafe {
            let header = list::push(list::of(r, Side::Response))?;
            header.write(self.element(value, hash));
            Some(header.as_ptr())
        }
    }
}

/// Headers that are [added](Replacing::add) to many responses, each with the same value.
pub struct Same {
    elements: Box<[ngx_table_elt_t]>,
    /// Where the elements' strings are.
    _texts: Box<[(Replacing, Box<[u8]>)]>,
}

impl Same {
    /// Values [may stand](super::rules::is_field_value) in a header.
    pub fn new(texts: Vec<(Replacing, Box<[u8]>)>) -> Same {
        let element = |(name, value): &(Replacing, Box<[u8]>)| name.element(value, name.hash);
        Same { elements: texts.iter().map(element).collect(), _texts: texts.into() }
    }

    /// `None`: out of memory.
    ///
    /// # Safety
    /// `self` lives as long as the request.
    #[inline]
    pub unsafe fn add(&self, r: Request) -> Option<()> {
        // SAFETY: the list is the request's; strings lie on the heap, and stay where they are.
        unsafe { list::extend(list::of(r, Side::Response), &self.elements) }
    }
}

impl Special {
    fn of(lower: &[u8]) -> Special {
        match lower {
            b"content-type" => Special::ContentType,
            b"last-modified" => Special::LastModified,
            b"accept-ranges" => Special::AcceptRanges,
            b"server" | b"date" => Special::Default,
            b"location" => Special::Location,
            b"etag" => Special::Tag,
            _ => Special::No,
        }
    }
}
