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
pub struct PassedName {
    name: Box<[u8]>,
    /// As long as the name, and none.
    shown: Box<[u8]>,
    hash: usize,
}

impl PassedName {
    /// `None` for a name that is no token.
    pub fn new(name: &[u8]) -> Option<PassedName> {
        is_token(name).then(|| PassedName::of(name))
    }

    fn of(name: &[u8]) -> PassedName {
        let shown = vec![0; name.len()].into();
        PassedName { name: name.into(), shown, hash: hash(&name.to_ascii_lowercase()) }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.name
    }

    /// What [`Passed::prepare`] passes most other names by with.
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

/// Headers that are the same for every request, as HTTP/1 has them. They stand there as one, whose name is all but the last one's value: nginx, which
/// writes names and values as they are, writes them all.
pub struct Joined {
    name: PassedName,
    value: Box<[u8]>,
}

impl Joined {
    /// `None` for none; what is empty is left out. Values [may stand](super::rules::is_field_value) in a header.
    pub fn new(lines: &[(&PassedName, &[u8])]) -> Option<Joined> {
        let lines: Vec<_> = lines.iter().filter(|(_, value)| !value.is_empty()).collect();
        let ((name, value), before) = lines.split_last()?;
        let before =
            before.iter().flat_map(|(name, value)| [&name.name, &b": "[..], value, b"\r\n"]);
        let name = before.chain([&*name.name]).collect::<Vec<_>>().concat();
        Some(Joined { name: PassedName::of(&name), value: (*value).into() })
    }
}

/// Headers that take the place of all of their names, until [`Passed::end`].
pub struct Passed {
    /// The list as it is without them.
    list: ngx_list_t,
    /// What hangs on its end, or in its place: elements behind this in memory.
    part: ngx_list_part_t,
    takes_place: bool,
}

/// Such headers, before they stand there.
pub struct Prepared<'r> {
    r: Request<'r>,
    passed: NonNull<Passed>,
    /// How many more there is room for.
    room: usize,
}

impl Passed {
    /// Makes room for so many. `None`: out of memory.
    ///
    /// `names`: of those headers of the request whose place they take; `bits`: those of all names.
    pub fn prepare<'r, 'n>(
        r: Request<'r>,
        names: impl Iterator<Item = &'n PassedName> + Clone,
        bits: u64,
        room: usize,
    ) -> Option<Prepared<'r>> {
        let list = list::of(r, Side::Request);
        let is_one = |h: &mut ngx_table_elt_t| {
            bits & bit(h.hash) != 0 && names.clone().any(|name| name.names(h))
        };
        // SAFETY: the request's list; nothing is changed while it is looked at. In HTTP/0.9 there is none.
        let (takes_place, is_made) =
            unsafe { (list::first(list, is_one).is_some(), !list.as_ref().last.is_null()) };
        let kept = if takes_place { list::elements(list).count() } else { 0 };
        let passed = room_for(r, kept + room)?;
        // SAFETY: memory for it, and the elements behind it; a copy of plain data.
        unsafe {
            let elts = passed.add(1).as_ptr().cast();
            let part = ngx_list_part_t { elts, nelts: 0, next: null_mut() };
            let takes_place = takes_place || !is_made;
            passed.write(Passed { list: list.read(), part, takes_place });
        }
        let mut prepared = Prepared { r, passed, room: kept + room };
        if takes_place {
            prepared.keep_others(names);
        }
        Some(prepared)
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

impl Prepared<'_> {
    #[cold]
    fn keep_others<'n>(&mut self, names: impl Iterator<Item = &'n PassedName> + Clone) {
        for h in list::elements(list::of(self.r, Side::Request)) {
            // SAFETY: a live element, and there is room for all of them.
            unsafe {
                if !names.clone().any(|name| name.names(h.as_ref())) {
                    self.place().copy_from_nonoverlapping(h.as_ptr(), 1);
                }
            }
        }
    }

    /// One more, unless it is empty.
    ///
    /// # Safety
    /// Name and value live as long as the request, and the value [may stand](super::rules::is_field_value) in a header.
    #[inline]
    pub unsafe fn push(&mut self, name: &PassedName, value: &[u8]) {
        if !value.is_empty() {
            // SAFETY: a place for an element, and the caller's promise.
            unsafe { name.write(self.place(), value) };
        }
    }

    /// Several in the place of one, where nginx writes HTTP/1.
    ///
    /// # Safety
    /// They live as long as the request.
    #[inline]
    pub unsafe fn push_joined(&mut self, joined: &Joined) {
        // SAFETY: the caller's promise.
        unsafe { self.push(&joined.name, &joined.value) };
    }

    /// Puts them among the request's headers.
    ///
    /// # Safety
    /// Before the request goes on to anything but what is written of its headers, [`Passed::end`] is called.
    #[inline]
    pub unsafe fn begin(self) -> NonNull<Passed> {
        let list = list::of(self.r, Side::Request).as_ptr();
        // SAFETY: the request's list, which has no empty part but that of an empty list; the new part lives as long.
        unsafe {
            let passed = &mut *self.passed.as_ptr();
            if passed.takes_place {
                (*list).part = passed.part;
            } else if passed.part.nelts > 0 {
                (*(*list).last).next = &raw mut passed.part;
            }
        }
        self.passed
    }

    /// Room for one more element.
    #[inline]
    fn place(&mut self) -> *mut ngx_table_elt_t {
        // SAFETY: memory for it and for `room` more elements behind those that it has.
        unsafe {
            let part = &mut (*self.passed.as_ptr()).part;
            assert!(part.nelts < self.room);
            part.nelts += 1;
            part.elts.cast::<ngx_table_elt_t>().add(part.nelts - 1)
        }
    }
}

/// Memory for it with so many elements behind it. `None`: out of memory.
#[inline]
fn room_for(r: Request, elements: usize) -> Option<NonNull<Passed>> {
    let (layout, offset) =
        Layout::new::<Passed>().extend(Layout::array::<ngx_table_elt_t>(elements).ok()?).ok()?;
    debug_assert_eq!(offset, size_of::<Passed>());
    r.pool().layout(layout).map(NonNull::cast)
}
