//! Shorter timeouts for single attempts. nginx reads them from the location's configuration, so there is
//! one copy of it per combination, for the worker's life: a copy per request would spoil nginx's reuse of
//! connections, which compares that pointer.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ptr::NonNull;

use ngx::ffi::{NGX_LOG_WARN, ngx_http_upstream_conf_t};
use wick_native::log;

use crate::attempts::timeouts::Timeouts;

/// More combinations than this are not shortened, and the log says so once.
const MAX_COPIES: usize = 1024;

/// The copies of a worker, by address of the original and timeouts.
#[derive(Default)]
pub struct Interned {
    copies: RefCell<HashMap<Key, Patched>>,
    is_full: Cell<bool>,
}

type Key = (usize, [usize; 3]);
type Patched = NonNull<ngx_http_upstream_conf_t>;

impl Interned {
    /// `base` with its timeouts cut to `wanted`; `None` when nothing is shorter or there are too many copies.
    pub fn shortened(&self, base: &ngx_http_upstream_conf_t, wanted: Timeouts) -> Option<Patched> {
        let now = [base.connect_timeout, base.send_timeout, base.read_timeout];
        let cut = [
            shorter(now[0], wanted.connect_ms),
            shorter(now[1], wanted.send_ms),
            shorter(now[2], wanted.read_ms),
        ];
        if cut == now {
            return None;
        }
        let key = (std::ptr::from_ref(base).addr(), cut);
        let mut copies = self.copies.borrow_mut();
        if let Some(copy) = copies.get(&key) {
            return Some(*copy);
        }
        if copies.len() >= MAX_COPIES {
            self.refuse();
            return None;
        }
        // SAFETY: plain C data, which nginx itself copies like this when it inherits configurations.
        let mut copy = Box::new(unsafe { std::ptr::read(base) });
        [copy.connect_timeout, copy.send_timeout, copy.read_timeout] = cut;
        let copy = NonNull::from(Box::leak(copy));
        copies.insert(key, copy);
        Some(copy)
    }

    #[cold]
    fn refuse(&self) {
        if !self.is_full.replace(true) {
            let line = format_args!(
                "Filters ask for more than {MAX_COPIES} different timeouts: attempts with further ones keep those of their location"
            );
            log::write(log::of_cycle(), NGX_LOG_WARN as usize, line);
        }
    }
}

impl Drop for Interned {
    fn drop(&mut self) {
        for copy in self.copies.get_mut().values() {
            // SAFETY: made by Box::leak above; the worker's requests are over.
            drop(unsafe { Box::from_raw(copy.as_ptr()) });
        }
    }
}

fn shorter(now_ms: usize, wanted_ms: u32) -> usize {
    match wanted_ms {
        0 => now_ms,
        wanted => now_ms.min(wanted as usize),
    }
}
