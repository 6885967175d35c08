//! The cookies of a service's answer, which the client gets with the answer to its request.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::NonNull;

use wick_native::headers::{is_field_value, push_fixed};
use wick_native::request::Request;

use super::answer::values;
use super::question::Question;

/// What is left with the client's request until its answer is there.
struct Left {
    question: NonNull<Question>,
    /// With answers of every status.
    always: bool,
}

thread_local! {
    /// How many requests of this worker have some left with them: most answers need not look.
    static LEFT: Cell<usize> = const { Cell::new(0) };
}

/// Whether any request of this worker has some.
#[inline]
pub fn are_any() -> bool {
    LEFT.get() > 0
}

/// Has the answer to `r` carry them. `None`: out of memory.
pub fn leave(r: Request, question: &Question, always: bool) -> Option<()> {
    if values(question, b"set-cookie").next().is_none() {
        return Some(());
    }
    let left = r.pool().put(Left { question: NonNull::from(question), always })?;
    r.pool().on_destroy(forget, left.as_ptr().cast())?;
    LEFT.set(LEFT.get() + 1);
    Some(())
}

/// At the end of the request, and of the memory. The handler is what the cookies are found by, also when nginx has cleared
/// everything else on its way to an error page.
unsafe extern "C" fn forget(_: *mut c_void) {
    LEFT.set(LEFT.get() - 1);
}

/// Adds them to the head that is about to be sent, each on a line of its own. `None`: out of memory.
#[cold]
pub fn put(r: Request) -> Option<()> {
    let Some(left) = r.pool().kept_for(forget) else { return Some(()) };
    // SAFETY: what `leave` put there, in the request's memory.
    let Left { question, always } = unsafe { left.cast::<Left>().as_ref() };
    if !always && !is_success(r.status()) {
        return Some(());
    }
    // SAFETY: it lies in the request's memory, and so does the answer.
    let question = unsafe { question.as_ref() };
    let mut cookies = values(question, b"set-cookie").filter(|cookie| is_field_value(cookie));
    // SAFETY: as above; nginx keeps no pointer to this header.
    cookies.try_for_each(|cookie| unsafe { push_fixed(r, b"Set-Cookie", cookie) })
}

/// Source: nginx, `add_header` without `always`.
fn is_success(status: u16) -> bool {
    matches!(status, 200 | 201 | 204 | 206 | 301 | 302 | 303 | 304 | 307 | 308)
}
