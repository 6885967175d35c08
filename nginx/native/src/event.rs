//! What nginx has as inline functions and macros for events: their timers, and the queue of those that are due. nginx-sys writes them with bindgen's
//! bit fields, see [`bits`](crate::bits).

use std::ptr::null_mut;

use ngx::ffi::{
    NGX_TIMER_LAZY_DELAY, ngx_current_msec, ngx_event_actions, ngx_event_t, ngx_event_timer_rbtree,
    ngx_int_t, ngx_posted_events, ngx_queue_insert_before, ngx_queue_remove, ngx_rbtree_delete,
    ngx_rbtree_insert,
};

use crate::bits;
use crate::code::OK;

/// nginx's `NGX_READ_EVENT`.
const READ: ngx_int_t = (libc::EPOLLIN | libc::EPOLLRDHUP) as ngx_int_t;

/// Has the read event of a socket come as long as something lies there, as those of listening sockets do.
///
/// # Safety
/// The read event of a connection with an open descriptor, which is not watched.
#[must_use]
pub unsafe fn watch(event: *mut ngx_event_t) -> bool {
    // SAFETY: the caller's promise; there is a method of events in every process that has connections.
    unsafe { ngx_event_actions.add.expect("a method of events")(event, READ, 0) == OK }
}

/// Undoes [`watch`], and what nginx does at its start with listening sockets.
///
/// # Safety
/// As for [`watch`], but it is watched.
#[must_use]
pub unsafe fn unwatch(event: *mut ngx_event_t) -> bool {
    // SAFETY: as above.
    unsafe { ngx_event_actions.del.expect("a method of events")(event, READ, 0) == OK }
}

/// Has `event` time out in `ms` milliseconds, whatever was set before (`ngx_add_timer`).
///
/// # Safety
/// A live event, which stays where it is as long as the timer runs.
#[inline]
pub unsafe fn set_timer(event: *mut ngx_event_t, ms: usize) {
    // SAFETY: the caller's promise; the tree is this thread's.
    unsafe {
        let key = ngx_current_msec.wrapping_add(ms);
        if bits::event::TIMER_SET.is_set(event) {
            // As nginx has it: that close, the old one will do.
            if key.abs_diff((*event).timer.key) < NGX_TIMER_LAZY_DELAY as usize {
                return;
            }
            stop_timer(event);
        }
        (*event).timer.key = key;
        ngx_rbtree_insert(&raw mut ngx_event_timer_rbtree, &raw mut (*event).timer);
        bits::event::TIMER_SET.set(event, 1);
    }
}

/// Stops the timer of `event` if one runs (`ngx_del_timer`).
///
/// # Safety
/// A live event.
#[inline]
pub unsafe fn stop_timer(event: *mut ngx_event_t) {
    // SAFETY: the caller's promise; its flag says that it is in the tree.
    unsafe {
        if !bits::event::TIMER_SET.is_set(event) {
            return;
        }
        let node = &raw mut (*event).timer;
        ngx_rbtree_delete(&raw mut ngx_event_timer_rbtree, node);
        ((*node).left, (*node).right, (*node).parent) = (null_mut(), null_mut(), null_mut());
        bits::event::TIMER_SET.set(event, 0);
    }
}

/// Has `event` handled as soon as the one at hand is done, unless it waits for that already (`ngx_post_event`).
///
/// # Safety
/// A live event, which stays where it is until it was handled.
pub unsafe fn post(event: *mut ngx_event_t) {
    // SAFETY: the caller's promise; the queue is this thread's.
    unsafe {
        if !bits::event::POSTED.is_set(event) {
            bits::event::POSTED.set(event, 1);
            ngx_queue_insert_before(&raw mut ngx_posted_events, &raw mut (*event).queue);
        }
    }
}

/// Undoes [`post`], if the event was not handled yet (`ngx_delete_posted_event`).
///
/// # Safety
/// A live event.
pub unsafe fn take_back(event: *mut ngx_event_t) {
    // SAFETY: the caller's promise; its flag says that it is in the queue.
    unsafe {
        if bits::event::POSTED.is_set(event) {
            bits::event::POSTED.set(event, 0);
            ngx_queue_remove(&raw mut (*event).queue);
        }
    }
}
