//! What groups of the latest pattern have matched, where nginx keeps it for `$1` to `$9`: of its own patterns and of ours.

use std::alloc::Layout;
use std::cell::Cell;
use std::ffi::c_int;
use std::ptr::null_mut;

use crate::bits;
use crate::pattern::GROUPS;
use crate::request::Request;

/// A request's array of offsets, once it has one of ours.
pub struct Offsets(Cell<*mut c_int>);

impl Default for Offsets {
    fn default() -> Self {
        Offsets(Cell::new(null_mut()))
    }
}

/// Has `$1` to `$9` be what these groups matched in `subject`. `None`: out of memory.
pub fn set<'r>(
    r: Request<'r>,
    own: &Offsets,
    subject: &'r [u8],
    groups: &[[usize; 2]],
) -> Option<()> {
    let kept = groups.len().min(GROUPS);
    let place = own.place(r)?;
    for (nth, group) in groups[..kept].iter().enumerate() {
        // What took no part is nowhere: -1, as nginx has it of PCRE.
        let [start, end] = group.map(|at| c_int::try_from(at).unwrap_or(-1));
        // SAFETY: the array has room for two offsets of each group.
        unsafe {
            place.add(2 * nth).write(start);
            place.add(2 * nth + 1).write(end);
        }
    }
    // SAFETY: a live request; the subject lives as long.
    unsafe {
        (*r.as_ptr()).ncaptures = 2 * kept;
        (*r.as_ptr()).captures_data = subject.as_ptr().cast_mut();
    }
    Some(())
}

/// The latest pattern has not matched.
pub fn clear(r: Request) {
    // SAFETY: a live request.
    unsafe { (*r.as_ptr()).ncaptures = 0 };
}

impl Offsets {
    /// nginx takes an array that is there for as long as its own patterns need. Those of subrequests are the same until one of them needs its
    /// own. Source: nginx, `ngx_http_regex_exec`.
    fn place(&self, r: Request) -> Option<*mut c_int> {
        // SAFETY: a live request; the core module's main configuration.
        unsafe {
            let is_shared = bits::request::REALLOC_CAPTURES.is_set(r.as_ptr());
            let own = self.0.get();
            if own.is_null() || is_shared || (*r.as_ptr()).captures != own {
                let len = r.core_main().as_ref().ncaptures.max(3 * GROUPS);
                let memory = r.pool().layout(Layout::array::<c_int>(len).ok()?)?;
                self.0.set(memory.cast().as_ptr());
                (*r.as_ptr()).captures = self.0.get();
                bits::request::REALLOC_CAPTURES.set(r.as_ptr(), 0);
            }
        }
        Some(self.0.get())
    }
}
