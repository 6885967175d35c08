//! What nginx reads from the location itself, `error_page`, `default_type` and limits on zones: from a copy of the location's settings that has those of
//! the level.
//!
//! There is one copy for each location and what levels say, for the worker's life: nginx still reads a location's settings when the request and its
//! memory are gone (`ngx_http_set_keepalive`).

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr::{NonNull, copy_nonoverlapping};

use ngx::ffi::{
    ngx_array_t, ngx_http_core_loc_conf_t, ngx_http_core_module, ngx_http_err_page_t,
    ngx_http_max_module,
};
use wick_native::request::Request;
use wick_native::text::borrowed;
use wick_script::Level;
use wick_script::level::ErrorPage;

use super::page::Page;
use super::zone_limits::{Limiters, Unlimited, ZoneLimits};
use crate::limited_log::LimitedLog;

/// A location's settings: an array with one slot for each of nginx's HTTP modules.
type LocConfs = NonNull<*mut c_void>;

/// How many copies a worker makes, about 2 KB each; requests that need one more are answered 500.
const MAX_COPIES: usize = 16_384;

/// What a level says of it.
pub struct Location {
    pages: Box<[ErrorPage]>,
    default_type: Option<Box<[u8]>>,
    limits: Option<ZoneLimits>,
    /// Tells it apart from what others say.
    identity: Box<[u8]>,
    /// A location's settings, and the copy of them.
    latest: Cell<Option<(LocConfs, LocConfs)>>,
}

/// Those that a worker has made.
#[derive(Default)]
pub struct Copies {
    made: RefCell<HashMap<Key, Box<Copied>>>,
    pub limiters: Limiters,
    errors: LimitedLog,
}

/// Whose copy it is, and what the level says.
type Key = (LocConfs, Box<[u8]>);

impl Location {
    /// `None`: nothing is said of it.
    pub fn of(level: &Level) -> Option<Location> {
        let (pages, default_type) = (level.error_pages.clone(), level.default_type.clone());
        let limits = ZoneLimits::of(level);
        if pages.is_empty() && default_type.is_none() && limits.is_none() {
            return None;
        }
        let identity = format!("{pages:?}{default_type:?}{limits:?}").into_bytes().into();
        Some(Location { pages, default_type, limits, identity, latest: Cell::new(None) })
    }

    /// Puts the copy of the request's location in force. `None`: there is none, and the log says why.
    pub fn enter(&self, r: Request, copies: &Copies) -> Option<()> {
        // SAFETY: loc_conf of a live request is never null.
        let base = unsafe { NonNull::new_unchecked((*r.as_ptr()).loc_conf) };
        let copy = match self.latest.get() {
            Some((of, copy)) if of == base => copy,
            _ => self.copy(base, r, copies)?,
        };
        self.latest.set(Some((base, copy)));
        // SAFETY: copies live as long as the configuration.
        unsafe { (*r.as_ptr()).loc_conf = copy.as_ptr() };
        Some(())
    }

    #[cold]
    fn copy(&self, base: LocConfs, r: Request, copies: &Copies) -> Option<LocConfs> {
        let mut made = copies.made.borrow_mut();
        let key = (base, self.identity.clone());
        if let Some(copy) = made.get_mut(&key) {
            return NonNull::new(copy.slots.as_mut_ptr());
        }
        if made.len() >= MAX_COPIES {
            let line = "its error_page, default_type and limits are one set too many since the last reload";
            copies.errors.cannot_serve(r, format_args!("{line}"));
            return None;
        }
        // SAFETY: the settings of a location of this configuration.
        match unsafe { Copied::new(base, self, &copies.limiters) } {
            Ok(copy) => NonNull::new(made.entry(key).or_insert(copy).slots.as_mut_ptr()),
            Err(why) => {
                copies.errors.cannot_serve(r, format_args!("{why}"));
                None
            }
        }
    }
}

/// Parts point to each other: it does not move.
struct Copied {
    slots: Box<[*mut c_void]>,
    core: ngx_http_core_loc_conf_t,
    array: ngx_array_t,
    entries: Box<[ngx_http_err_page_t]>,
    _pages: Box<[Page]>,
    default_type: Box<[u8]>,
}

impl Copied {
    /// # Errors: limits cannot be in force.
    ///
    /// # Safety
    /// The settings of a location of this configuration.
    unsafe fn new<'l>(
        base: LocConfs,
        of: &'l Location,
        limiters: &Limiters,
    ) -> Result<Box<Copied>, Unlimited<'l>> {
        let pages: Box<[_]> = of.pages.iter().map(Page::of).collect();
        // SAFETY: the caller's promise: as many slots as nginx has modules, one of them the core's.
        unsafe {
            let mut slots = vec![std::ptr::null_mut(); ngx_http_max_module].into_boxed_slice();
            copy_nonoverlapping(base.as_ptr(), slots.as_mut_ptr(), slots.len());
            if let Some(limits) = &of.limits {
                limiters.apply(limits, &mut slots)?;
            }
            let slot = ngx_http_core_module.ctx_index;
            let core = slots[slot].cast::<ngx_http_core_loc_conf_t>().read();
            let own = pages.iter().zip(&of.pages);
            let own = own.flat_map(|(page, of)| of.codes.iter().map(|code| page.entry(*code)));
            // Of several for one status nginx takes the first.
            let others = core.error_pages.as_ref().map_or(&[][..], |pages| pages.as_slice());
            let entries: Box<[ngx_http_err_page_t]> = own.chain(others.iter().copied()).collect();
            let default_type = of.default_type.clone().unwrap_or_default();
            let mut copy = Box::new(Copied {
                slots,
                core,
                array: std::mem::zeroed(),
                entries,
                _pages: pages,
                default_type,
            });
            copy.connect(slot, of);
            Ok(copy)
        }
    }

    fn connect(&mut self, slot: usize, of: &Location) {
        self.core.loc_conf = self.slots.as_mut_ptr();
        if !of.pages.is_empty() {
            self.array.elts = self.entries.as_mut_ptr().cast();
            self.array.nelts = self.entries.len();
            self.array.nalloc = self.entries.len();
            self.array.size = size_of::<ngx_http_err_page_t>();
            self.core.error_pages = &mut self.array;
        }
        if of.default_type.is_some() {
            self.core.default_type = borrowed(&self.default_type);
        }
        self.slots[slot] = (&raw mut self.core).cast();
    }
}
