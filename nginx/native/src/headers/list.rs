//! nginx's lists of headers: parts of elements, to which nginx holds pointers, so that no element may move.

use std::ptr::NonNull;

use ngx::ffi::{
    ngx_list_init, ngx_list_part_t, ngx_list_push, ngx_list_t, ngx_palloc, ngx_table_elt_t,
};

use crate::code::OK;
use crate::request::Request;

/// Elements of the first part of a list that is made here.
const ROOM: usize = 8;

/// Which of a request's two lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Request,
    Response,
}

/// The list itself.
pub(super) fn of(r: Request, side: Side) -> NonNull<ngx_list_t> {
    // SAFETY: both lists are members of the live request.
    NonNull::from(unsafe {
        match side {
            Side::Request => &mut (*r.as_ptr()).headers_in.headers,
            Side::Response => &mut (*r.as_ptr()).headers_out.headers,
        }
    })
}

/// The list with room for one more. In HTTP/0.9 there are no headers, and nginx makes no list of them. `None`: out of memory.
pub(super) fn made(r: Request, side: Side) -> Option<NonNull<ngx_list_t>> {
    let list = of(r, side);
    // SAFETY: a member of the live request, all zero or made.
    let is_made = unsafe {
        !list.as_ref().last.is_null()
            || ngx_list_init(list.as_ptr(), r.pool().as_ptr(), ROOM, size_of::<ngx_table_elt_t>())
                == OK
    };
    is_made.then_some(list)
}

/// Adds an element, zeroed, which every version allows. `None`: out of memory.
///
/// # Safety
/// The list is live, and made.
#[inline]
pub(super) unsafe fn push(list: NonNull<ngx_list_t>) -> Option<NonNull<ngx_table_elt_t>> {
    // SAFETY: the caller's promise: the last part has room for `nalloc` elements of the list's type.
    unsafe {
        let last = &mut *(*list.as_ptr()).last;
        let new = if last.nelts < (*list.as_ptr()).nalloc {
            last.nelts += 1;
            last.elts.cast::<ngx_table_elt_t>().add(last.nelts - 1)
        } else {
            ngx_list_push(list.as_ptr()).cast()
        };
        let new = NonNull::new(new)?;
        new.write_bytes(0, 1);
        Some(new)
    }
}

/// Adds copies of elements. `None`: out of memory.
///
/// # Safety
/// As of [`push`].
#[inline]
pub(super) unsafe fn extend(list: NonNull<ngx_list_t>, new: &[ngx_table_elt_t]) -> Option<()> {
    // SAFETY: the caller's promise, as in `push`.
    unsafe {
        let last = &mut *(*list.as_ptr()).last;
        if last.nelts + new.len() <= (*list.as_ptr()).nalloc {
            let end = last.elts.cast::<ngx_table_elt_t>().add(last.nelts);
            end.copy_from_nonoverlapping(new.as_ptr(), new.len());
            last.nelts += new.len();
            return Some(());
        }
        for one in new {
            push(list)?.copy_from_nonoverlapping(NonNull::from(one), 1);
        }
    }
    Some(())
}

fn parts(list: NonNull<ngx_list_t>) -> impl Iterator<Item = NonNull<ngx_list_part_t>> {
    // SAFETY: the first part is embedded in the list; the others hang on it.
    let first = unsafe { NonNull::new(&raw mut (*list.as_ptr()).part) };
    // SAFETY: as above.
    std::iter::successors(first, |part| NonNull::new(unsafe { part.as_ref().next }))
}

/// All elements, removed ones too.
pub(super) fn elements(
    list: NonNull<ngx_list_t>,
) -> impl Iterator<Item = NonNull<ngx_table_elt_t>> {
    parts(list).flat_map(|part| {
        // SAFETY: a part holds `nelts` elements of the list's type.
        let (elts, n) =
            unsafe { (part.as_ref().elts.cast::<ngx_table_elt_t>(), part.as_ref().nelts) };
        // SAFETY: as above.
        (0..n).filter_map(move |i| NonNull::new(unsafe { elts.add(i) }))
    })
}

/// The first element for which `is_it`. As over [`elements`], and twice as fast.
///
/// # Safety
/// The list is live, and nothing that `is_it` does changes it.
#[inline]
pub(super) unsafe fn first(
    list: NonNull<ngx_list_t>,
    mut is_it: impl FnMut(&mut ngx_table_elt_t) -> bool,
) -> Option<NonNull<ngx_table_elt_t>> {
    // SAFETY: the first part is embedded in the list, the others hang on it, and each holds `nelts` elements of its type.
    unsafe {
        let mut part = &raw mut (*list.as_ptr()).part;
        while !part.is_null() {
            let (elts, end) = ((*part).elts.cast::<ngx_table_elt_t>(), (*part).nelts);
            for at in 0..end {
                if is_it(&mut *elts.add(at)) {
                    return NonNull::new(elts.add(at));
                }
            }
            part = (*part).next;
        }
        None
    }
}

/// Takes `h` out of the list without moving other elements, to which nginx holds pointers: its part ends
/// before it, and a new part begins behind it. No part stays empty, because nginx's loops over a list
/// look at the first element of a further part without asking whether there is one.
pub(super) fn cut(list: NonNull<ngx_list_t>, h: NonNull<ngx_table_elt_t>) {
    let Some((part, i)) = find(list, h) else { return };
    // SAFETY: the part belongs to the list, and may lie in it; a new one comes from its pool.
    unsafe {
        let (list, part) = (list.as_ptr(), part.as_ptr());
        let behind = (*part).nelts - i - 1;
        let rest = h.as_ptr().add(1).cast();
        if i == 0 {
            (*part).elts = rest;
            (*part).nelts = behind;
        } else if behind == 0 {
            (*part).nelts = i;
        } else {
            let new =
                ngx_palloc((*list).pool, size_of::<ngx_list_part_t>()).cast::<ngx_list_part_t>();
            if new.is_null() {
                return; // out of memory: the header stays, the request is about to fail anyway
            }
            new.write(ngx_list_part_t { elts: rest, nelts: behind, next: (*part).next });
            (*part).nelts = i;
            (*part).next = new;
        }
        drop_empty_parts(list);
    }
}

/// Restores what nginx relies on: no empty part but that of an empty list, `last` is the last one, and
/// `nalloc` tells when it is full (now: whatever is in it, so that the next push begins a new part).
///
/// # Safety
/// `list` is a live list whose parts are linked properly.
unsafe fn drop_empty_parts(list: *mut ngx_list_t) {
    // SAFETY: the caller's promise. `last` points into the list.
    unsafe {
        while (*list).part.nelts == 0 && !(*list).part.next.is_null() {
            (*list).part = *(*list).part.next;
        }
        let mut last = &raw mut (*list).part;
        while !(*last).next.is_null() {
            let next = (*last).next;
            if (*next).nelts == 0 {
                (*last).next = (*next).next;
            } else {
                last = next;
            }
        }
        (*list).last = last;
        (*list).nalloc = (*last).nelts;
        if (*list).nalloc == 0 {
            let (pool, size) = ((*list).pool, (*list).size);
            ngx_list_init(list, pool, ROOM, size);
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
