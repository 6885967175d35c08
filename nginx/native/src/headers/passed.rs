//! Headers that stand among a request's own only while nginx writes what it passes on, so that each protocol says them as it says those of
//! clients.

use std::alloc::Layout;
use std::ptr::{NonNull, null_mut};

use ngx::ffi::{ngx_list_part_t, ngx_list_t, ngx_table_elt_t};

use super::fixed::hash;
use super::list::{self, Side};
use super::rules::is_token;
use crate::request::Request;
use crate::text::{borrowed, bytes};

/// The name of such a header. nginx passes on no header of a client whose name it finds among those that the location sends itself; it is shown
/// another name for ours, so that they are sent beside those.
#[derive(Default)]
pub struct PassedName {
    name: Box<[u8]>,
    /// As long as the name, and none.
    shown: Box<[u8]>,
    hash: usize,
}

impl PassedName {
    /// `None` for a name that is no token.
    pub fn new(name: &[u8]) -> Option<PassedName> {
        let shown = vec![0; name.len()].into();
        let hash = hash(&name.to_ascii_lowercase());
        is_token(name).then(|| PassedName { name: name.into(), shown, hash })
    }

    pub fn bytes(&self) -> &[u8] {
        &self.name
    }

    /// What [`Passed::begin`] passes most other names by with.
    pub fn bit(&self) -> u64 {
        bit(self.hash)
    }

    fn names(&self, header: &ngx_table_elt_t) -> bool {
        // SAFETY: a live element of the request.
        self.hash == header.hash && unsafe { bytes(header.key) }.eq_ignore_ascii_case(&self.name)
    }

    /// # Safety
    /// `place` has room for an element.
    unsafe fn write(&self, place: *mut ngx_table_elt_t, value: &[u8]) {
        // SAFETY: the caller's promise; a new element is zeroed, which every version allows.
        unsafe {
            place.write_bytes(0, 1);
            (*place).hash = self.hash;
            (*place).key = borrowed(&self.name);
            (*place).value = borrowed(value);
            (*place).lowcase_key = self.shown.as_ptr().cast_mut();
        }
    }
}

fn bit(hash: usize) -> u64 {
    1 << (hash % 64)
}

/// Headers that take the place of all of their names, until [`Passed::end`].
pub struct Passed {
    /// The list as it is without them.
    list: ngx_list_t,
    /// What hangs on its end, or in its place.
    part: ngx_list_part_t,
}

impl Passed {
    /// Puts them among the request's headers; what is empty only takes the place of others. `None`: out of memory.
    ///
    /// `bits`: those of all names.
    ///
    /// # Safety
    /// Names and values live as long as the request, and the values [may stand](super::rules::is_field_value) in a header. Before the request goes
    /// on to anything but what is written of its headers, [`Passed::end`] is called.
    pub unsafe fn begin(
        r: Request,
        lines: &[(&PassedName, &[u8])],
        bits: u64,
    ) -> Option<NonNull<Passed>> {
        let list = list::of(r, Side::Request);
        let is_one = |h: &mut ngx_table_elt_t| {
            bits & bit(h.hash) != 0 && lines.iter().any(|(name, _)| name.names(h))
        };
        // SAFETY: the request's list; nothing is changed while it is looked at.
        let replaces = unsafe { list::first(list, is_one) }.is_some();
        // In HTTP/0.9 there is no list.
        // SAFETY: as above.
        let is_made = unsafe { !list.as_ref().last.is_null() };
        // SAFETY: a copy of plain data.
        let saved = unsafe { list.read() };
        let kept = if replaces { list::elements(list).count() } else { 0 };
        let room = room(r, kept + lines.len())?;
        let mut end = room.as_ptr();
        if replaces {
            for h in list::elements(list) {
                // SAFETY: a live element, and there is room for all of them.
                unsafe {
                    if !lines.iter().any(|(name, _)| name.names(h.as_ref())) {
                        end.copy_from_nonoverlapping(h.as_ptr(), 1);
                        end = end.add(1);
                    }
                }
            }
        }
        for (name, value) in lines.iter().filter(|(_, value)| !value.is_empty()) {
            // SAFETY: as above.
            unsafe {
                name.write(end, value);
                end = end.add(1);
            }
        }
        // SAFETY: both lie in the same memory.
        let number = unsafe { end.offset_from(room.as_ptr()) } as usize;
        let part = ngx_list_part_t { elts: room.as_ptr().cast(), nelts: number, next: null_mut() };
        let passed = r.pool().put(Passed { list: saved, part })?;
        // SAFETY: the request's list, which has no empty part but that of an empty list; the new part lives as long.
        unsafe {
            if replaces || !is_made {
                (*list.as_ptr()).part = (*passed.as_ptr()).part;
            } else if number > 0 {
                (*(*list.as_ptr()).last).next = &raw mut (*passed.as_ptr()).part;
            }
        }
        Some(passed)
    }

    /// Leaves the request's headers as they were. Not to be called twice.
    pub fn end(&self, r: Request) {
        let list = list::of(r, Side::Request).as_ptr();
        // SAFETY: the request's list, of which this is a copy; its last part had none behind it.
        unsafe {
            list.write(self.list);
            if let Some(last) = self.list.last.as_mut() {
                last.next = null_mut();
            }
        }
    }
}

fn room(r: Request, number: usize) -> Option<NonNull<ngx_table_elt_t>> {
    let layout = Layout::array::<ngx_table_elt_t>(number).ok()?;
    r.pool().layout(layout).map(NonNull::cast)
}
