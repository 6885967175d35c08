//! A timer of nginx's event loop that calls back with a word of ours.

use std::cell::{Cell, UnsafeCell};
use std::ffi::c_void;
use std::marker::PhantomPinned;
use std::pin::Pin;

use ngx::ffi::{ngx_connection_t, ngx_cycle, ngx_event_t};

use crate::bits;
use crate::event;
use crate::guard::guard;
use crate::log;

type Call<T> = (fn(T), T);

/// Calls `call(argument)` from the event loop, after a time or right after the event at hand.
/// Dropping it cancels. It does not keep a worker alive that is asked to exit, unless it was made for that.
pub struct Timer<T: Copy> {
    event: UnsafeCell<ngx_event_t>,
    connection: UnsafeCell<ngx_connection_t>,
    call: Cell<Option<Call<T>>>,
    _pinned: PhantomPinned,
}

impl<T: Copy> Timer<T> {
    pub fn new() -> Pin<Box<Timer<T>>> {
        // SAFETY: both are plain C data for which zero is valid.
        let (event, connection) = unsafe { (std::mem::zeroed(), std::mem::zeroed()) };
        let timer = Box::pin(Timer {
            event: UnsafeCell::new(event),
            connection: UnsafeCell::new(connection),
            call: Cell::new(None),
            _pinned: PhantomPinned,
        });
        let event = timer.event.get();
        // SAFETY: the box is pinned, so the addresses stay; nobody else has them yet. nginx prints
        // the descriptor of `data`, a connection, in debug logs.
        unsafe {
            (*timer.connection.get()).fd = -1;
            (*event).data = timer.connection.get().cast::<c_void>();
            (*event).handler = Some(fire::<T>);
            (*event).log = log::of_cycle();
            bits::event::CANCELABLE.set(event, 1);
        }
        timer
    }

    /// As long as it runs, a worker that is asked to exit stays.
    pub fn that_holds() -> Pin<Box<Timer<T>>> {
        let timer = Timer::new();
        // SAFETY: as in `new`.
        unsafe { bits::event::CANCELABLE.set(timer.event.get(), 0) };
        timer
    }

    /// Calls in `ms` milliseconds; a time set before is forgotten. 0: as soon as the event that is
    /// being handled is done.
    pub fn set(self: Pin<&Self>, ms: u64, call: fn(T), argument: T) {
        self.cancel();
        self.call.set(Some((call, argument)));
        let event = self.event.get();
        // SAFETY: pinned, and cancelled on drop.
        unsafe {
            if ms == 0 {
                event::post(event);
            } else {
                event::set_timer(event, ms as usize);
            }
        }
    }

    pub fn cancel(&self) {
        let event = self.event.get();
        // SAFETY: the event is in at most one timer tree and one queue, as its flags say.
        unsafe {
            event::stop_timer(event);
            event::take_back(event);
        }
        self.call.set(None);
    }
}

impl<T: Copy> Drop for Timer<T> {
    fn drop(&mut self) {
        // At a worker's exit nginx may have dropped its cycle already: the tree then holds us no more.
        // SAFETY: only reads the pointer.
        if unsafe { !ngx_cycle.is_null() } {
            self.cancel();
        }
    }
}

unsafe extern "C" fn fire<T: Copy>(event: *mut ngx_event_t) {
    guard((), || {
        // SAFETY: `data` is the connection field of a live, pinned Timer (cancelled on drop).
        let timer = unsafe {
            let offset = std::mem::offset_of!(Timer<T>, connection);
            &*(*event).data.byte_sub(offset).cast::<Timer<T>>()
        };
        if let Some((call, argument)) = timer.call.take() {
            call(argument);
        }
    })
}
