//! Numbers of a route in force: copies of a named location's configurations with other timeouts and sizes in them, and other errors that have a page.
//!
//! nginx reads these numbers from structures of the location. For a route with numbers of its own the request is given a
//! copy of the location's array of configurations, in which the slots of the core module and of the modules that fetch
//! responses point to patched copies. There is one copy per location and set of numbers, for the worker's life; requests
//! add nothing.

mod patch;
mod structure;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr::{NonNull, copy_nonoverlapping};

use ngx::ffi::{NGX_LOG_ERR, ngx_http_max_module};
use wick_native::conf::Conf;
use wick_native::log;
use wick_routes::Overrides;

use super::error_pages;
use patch::Rates;
use structure::{Protocols, Structure};

/// A location's configurations: an array with one slot per HTTP module.
pub type LocConfs = NonNull<*mut c_void>;

/// How many copies a worker makes unless the configuration says otherwise, 2 to 5 KB each; further routes are answered 503. The controller reloads long before.
/// Copies cannot be given back earlier than the configuration: nginx still reads a location's settings when the request
/// and its memory are gone (`ngx_http_set_keepalive`).
const DEFAULT_MAX_COPIES: usize = 65_536;

#[derive(Default)]
pub struct Patches {
    max_copies: usize,
    protocols: Protocols,
    copies: RefCell<HashMap<(LocConfs, Overrides), Copy>>,
    complained: Cell<bool>,
}

impl Patches {
    /// Measures the structures of this nginx.
    ///
    /// # Safety
    /// The parser is inside `http`.
    pub unsafe fn measure(conf: Conf, max_copies: Option<usize>) -> Patches {
        // SAFETY: the caller's promise.
        let protocols = unsafe { Protocols::measure(conf) };
        let max_copies = max_copies.unwrap_or(DEFAULT_MAX_COPIES);
        Patches { max_copies, protocols, ..Patches::default() }
    }

    /// The copy of `base` with `overrides` in force, made at the first call. What this nginx's protocols do not know stays as
    /// the location has it, and the log says so, once. `None`: there are too many copies.
    pub fn of(&self, base: LocConfs, overrides: &Overrides) -> Option<LocConfs> {
        let mut copies = self.copies.borrow_mut();
        let key = (base, *overrides);
        if let Some(copy) = copies.get(&key) {
            return Some(copy.loc_confs());
        }
        if let Some(module) = self.protocols.unknown.filter(|_| overrides.has_upstream()) {
            let module = module.to_string_lossy();
            self.complain(format_args!(
                "Cannot put numbers of routes in force: this nginx's {module} is unknown"
            ));
        }
        if copies.len() >= self.max_copies {
            return None;
        }
        // SAFETY: `base` is a location's array of this configuration.
        let copy = unsafe { Copy::new(base, &self.protocols, overrides) };
        Some(copies.entry(key).or_insert(copy).loc_confs())
    }

    fn complain(&self, line: std::fmt::Arguments<'_>) {
        if !self.complained.replace(true) {
            log::write(log::of_cycle(), NGX_LOG_ERR as usize, line);
        }
    }
}

/// One block of memory: the array, what the rates are, the core module's structure, those of the protocols if the numbers touch them, and the
/// error pages if there are any.
struct Copy(Box<[u64]>);

impl Copy {
    /// # Safety
    /// `base` is the array of a location's configurations; the protocols were measured under the same nginx.
    unsafe fn new(base: LocConfs, protocols: &Protocols, numbers: &Overrides) -> Copy {
        // SAFETY: set once when nginx reads its configuration.
        let slots = unsafe { ngx_http_max_module };
        let core = structure::core();
        let protocols = protocols.known().filter(|_| numbers.has_upstream());
        let structures = protocols.clone().map(|protocol| protocol.structure.words());
        let pages = numbers.error_codes();
        let page_words = pages.clone().map_or(0, error_pages::words);
        let words = slots + RATE_WORDS + core.words() + structures.sum::<usize>() + page_words;
        let mut memory = vec![0u64; words].into_boxed_slice();
        let array = memory.as_mut_ptr().cast::<*mut c_void>();
        // SAFETY: the block has room for the parts one behind the other, each aligned to a word as nginx's are. What the
        // slots point to afterwards is ours to change.
        unsafe {
            copy_nonoverlapping(base.as_ptr(), array, slots);
            let rates = array.add(slots).cast::<Rates>();
            let mut free = rates.add(1).cast::<u64>();
            let core = &mut *copy_structure(array, core, &mut free).cast();
            patch::core(core, array, numbers);
            patch::rates(core, &mut *rates, numbers);
            for protocol in protocols {
                let upstream = copy_structure(array, protocol.structure, &mut free).cast();
                patch::upstream(&mut *upstream, numbers);
                if protocol.buffers {
                    patch::buffers(&mut *upstream, numbers);
                }
                if protocol.intercepts {
                    patch::interception(&mut *upstream, numbers);
                }
            }
            if let Some(codes) = pages {
                core.error_pages = error_pages::write(codes, free);
            }
        }
        Copy(memory)
    }

    fn loc_confs(&self) -> LocConfs {
        NonNull::from(&self.0[0]).cast()
    }
}

// The array of pointers takes whole words, like all structures behind it.
const _: () = assert!(size_of::<*mut c_void>() == size_of::<u64>());

const RATE_WORDS: usize = size_of::<Rates>().div_ceil(size_of::<u64>());

impl Structure {
    fn words(self) -> usize {
        self.bytes.div_ceil(size_of::<u64>())
    }
}

/// Copies what the slot of `array` points to, points it to the copy, and returns that; `free` moves behind it.
///
/// # Safety
/// The slot holds such a structure, and `free` has room for it.
unsafe fn copy_structure(
    array: *mut *mut c_void,
    structure: Structure,
    free: &mut *mut u64,
) -> *mut c_void {
    let to = free.cast::<c_void>();
    // SAFETY: the caller's promise.
    unsafe {
        let slot = array.add(structure.slot);
        copy_nonoverlapping((*slot).cast::<u8>(), to.cast::<u8>(), structure.bytes);
        *slot = to;
        *free = free.add(structure.words());
    }
    to
}
