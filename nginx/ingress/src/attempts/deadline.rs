//! When attempts are over.

use std::ptr::NonNull;

use ngx::ffi::{ngx_current_msec, ngx_http_upstream_t};
use wick_native::bits;
use wick_native::request::Request;
use wick_native::timer::Timer;

use super::kept::{Kept, of};

/// nginx is about to choose another endpoint.
const SOON_MS: usize = 1;

/// The first attempt begins.
pub fn start(kept: &Kept) {
    let times = [kept.attempts.request, kept.attempts.backend];
    let Some(first) = times.into_iter().flatten().min() else { return };
    kept.begun.set(now());
    again(kept, first as usize);
}

fn now() -> usize {
    // SAFETY: the clock of this thread.
    unsafe { ngx_current_msec }
}

/// The timer is gone when the request is.
fn again(kept: &Kept, ms: usize) {
    let timer = kept.timer.get_or_init(Timer::new);
    timer.as_ref().set(ms.max(SOON_MS) as u64, look, NonNull::from(kept));
}

/// Looks what is over; may end the request.
fn look(kept: NonNull<Kept>) {
    // SAFETY: the timer belongs to what is kept with a live request.
    let (kept, r) = unsafe { (kept.as_ref(), Request::from_raw(kept.as_ref().request)) };
    // It may have left for an error page, which has its own time.
    let is_here = of(r).is_some_and(|own| std::ptr::eq(own, kept));
    let Some(upstream) = r.upstream().filter(|_| is_here) else { return };
    let upstream = upstream.as_ptr();
    // SAFETY: the live request's upstream.
    unsafe {
        let is_over = (*upstream).cleanup.is_null();
        if is_over || bits::upstream::UPGRADE.is_set(upstream) {
            return;
        }
        let left = |ms: Option<u32>, since: usize| {
            ms.map(|ms| (ms as usize).saturating_sub(now().wrapping_sub(since)))
        };
        let all = left(kept.attempts.request, kept.begun.get());
        let one = left(kept.attempts.backend, (*upstream).start_time);
        let next = all.into_iter().chain(one).min();
        match next {
            None => {}
            Some(0) => end(kept, upstream, all == Some(0)),
            Some(left) => again(kept, left),
        }
    }
}

/// Has nginx believe that the endpoint has been silent for too long. `is_last`: it tries no other.
///
/// # Safety
/// The upstream of the live request of what is kept, whose answer is not there to its end. The request may be gone behind this.
unsafe fn end(kept: &Kept, upstream: *mut ngx_http_upstream_t, is_last: bool) {
    // Of the next attempt, if there is one.
    again(kept, kept.attempts.backend.map_or(SOON_MS, |ms| ms as usize));
    // SAFETY: the caller's promise; the connection of the attempt at hand has both events, and nginx has set their handler.
    unsafe {
        let connection = (*upstream).peer.connection;
        if connection.is_null() {
            return;
        }
        if is_last {
            (*upstream).peer.tries = 1;
        }
        let (read, write) = ((*connection).read, (*connection).write);
        let event = if bits::event::TIMER_SET.is_set(write) { write } else { read };
        bits::event::TIMEDOUT.set(event, 1);
        if let Some(handler) = (*event).handler {
            handler(event);
        }
    }
}
