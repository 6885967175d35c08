//! Numbers of a route in force: copies of a named location's configurations with other timeouts and sizes in them, other errors that have a page,
//! and other TLS towards backends.
//!
//! nginx reads these from structures of the location. For a route with some of its own the request is given a copy of the location's array of
//! configurations, in which the slots of the core module and of the modules that fetch responses point to patched copies. There is one copy per
//! location, set of numbers and TLS, for the worker's life; requests add nothing.

mod patch;
mod structure;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::c_void;
use std::fmt;
use std::ptr::{NonNull, copy_nonoverlapping};

use ngx::ffi::{NGX_LOG_ERR, ngx_http_max_module, ngx_http_upstream_conf_t};
use wick_native::conf::Conf;
use wick_native::log;
use wick_native::tls::Failure;
use wick_routes::{BackendTls, Overrides};

use super::backend_tls::{Means, ReadyBackend, ReadyBackends, SpokenTo, Unready};
use super::error_pages;
use patch::Rates;
use structure::{Protocols, Structure};

/// A location's configurations: an array with one slot per HTTP module.
pub type LocConfs = NonNull<*mut c_void>;

/// How many copies a worker makes unless the configuration says otherwise, 2 to 5 KB each; further routes are answered 503. The controller reloads long before.
/// Copies cannot be given back earlier than the configuration: nginx still reads a location's settings when the request
/// and its memory are gone (`ngx_http_set_keepalive`).
const DEFAULT_MAX_COPIES: usize = 65_536;

/// A way to speak TLS, with its context, takes as much as so many copies.
const COPIES_PER_TLS: usize = 8;

#[derive(Default)]
pub struct Patches {
    max_copies: usize,
    protocols: Protocols,
    backends: ReadyBackends,
    copies: RefCell<HashMap<Key, Copy>>,
    complained: Cell<bool>,
}

/// The location's configurations, and what is in force in them.
type Key = (LocConfs, Overrides, Option<Tls<NonNull<ReadyBackend>>>);
type Tls<Ready> = (Ready, SpokenTo);

/// What is to be in force in the place of what a location has.
#[derive(Clone, Copy, Default)]
pub struct Wanted<'a> {
    pub numbers: Option<&'a Overrides>,
    pub backend_tls: Option<&'a BackendTls>,
    /// Whom that is for.
    pub spoken_to: SpokenTo,
}

impl Wanted<'_> {
    pub fn is_nothing(&self) -> bool {
        self.numbers.is_none() && self.backend_tls.is_none()
    }
}

/// Why it cannot be.
#[derive(Clone, Copy, Debug)]
pub enum Unpatched {
    TooMany,
    Tls(Unready),
}

impl Patches {
    /// Measures the structures of this nginx.
    ///
    /// # Safety
    /// The parser is inside `http`.
    pub unsafe fn measure(
        conf: Conf,
        max_copies: Option<usize>,
        backend_tls: Option<Means>,
    ) -> Patches {
        // SAFETY: the caller's promise.
        let protocols = unsafe { Protocols::measure(conf) };
        let max_copies = max_copies.unwrap_or(DEFAULT_MAX_COPIES);
        let backends = ReadyBackends::new(backend_tls);
        Patches { max_copies, protocols, backends, ..Patches::default() }
    }

    /// The copy of `base` with what is wanted in force, made at the first call. What this nginx's protocols do not know stays as
    /// the location has it, and the log says so, once; but not TLS, without which nobody is spoken to.
    pub fn of(&self, base: LocConfs, wanted: Wanted) -> Result<LocConfs, Unpatched> {
        let numbers = wanted.numbers.copied().unwrap_or_default();
        let max_backends = self.max_copies.div_ceil(COPIES_PER_TLS);
        let tls = wanted.backend_tls.map(|said| self.backends.of(said, max_backends));
        let tls = tls.transpose().map_err(Unpatched::Tls)?;
        let mut copies = self.copies.borrow_mut();
        let tls = tls.as_deref().map(|ready| (ready, wanted.spoken_to));
        let key = (base, numbers, tls.map(|(ready, to)| (NonNull::from(ready), to)));
        if let Some(copy) = copies.get(&key) {
            return Ok(copy.loc_confs());
        }
        let unknown = self.protocols.unknown.map(|module| module.to_string_lossy());
        if let Some(module) = unknown.filter(|_| numbers.has_upstream() || tls.is_some()) {
            self.complain(format_args!(
                "Cannot put numbers of routes in force: this nginx's {module} is unknown"
            ));
            if tls.is_some() {
                return Err(Unpatched::Tls(Unready::Unknown));
            }
        }
        if copies.len() >= self.max_copies {
            return Err(Unpatched::TooMany);
        }
        // SAFETY: `base` is a location's array of this configuration.
        let copy = unsafe { Copy::new(base, &self.protocols, &numbers, tls) };
        let copy = copy.map_err(|failure| Unpatched::Tls(Unready::OpenSsl(failure)))?;
        Ok(copies.entry(key).or_insert(copy).loc_confs())
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
    ///
    /// # Errors: OpenSSL does not take what is said of TLS.
    unsafe fn new(
        base: LocConfs,
        protocols: &Protocols,
        numbers: &Overrides,
        tls: Option<Tls<&ReadyBackend>>,
    ) -> Result<Copy, Failure> {
        // SAFETY: set once when nginx reads its configuration.
        let slots = unsafe { ngx_http_max_module };
        let core = structure::core();
        let protocols = protocols.known().filter(|_| numbers.has_upstream() || tls.is_some());
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
            // Where the upstream hangs on the request, that is not known.
            let is_known = protocols.clone().any(|it| passes(array, it.structure));
            for protocol in protocols {
                let is_passing = !is_known || passes(array, protocol.structure);
                let upstream = copy_structure(array, protocol.structure, &mut free).cast();
                patch::upstream(&mut *upstream, numbers);
                if protocol.buffers {
                    patch::buffers(&mut *upstream, numbers);
                }
                if protocol.intercepts {
                    patch::interception(&mut *upstream, numbers);
                }
                if let Some((tls, to)) = tls.filter(|_| is_passing) {
                    tls.put_in_force(&mut *upstream, protocol.is_http2, to)?;
                }
            }
            if let Some(codes) = pages {
                core.error_pages = error_pages::write(codes, free);
            }
        }
        Ok(Copy(memory))
    }

    fn loc_confs(&self) -> LocConfs {
        NonNull::from(&self.0[0]).cast()
    }
}

impl fmt::Display for Unpatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unpatched::TooMany => f.write_str(
                "its route has numbers of its own, of which there are too many different sets since the last reload",
            ),
            Unpatched::Tls(why) => write!(f, "{why}"),
        }
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

/// Whether the location passes requests on by this module, as far as its text says.
///
/// # Safety
/// The slot of `array` holds such a structure.
unsafe fn passes(array: *const *mut c_void, structure: Structure) -> bool {
    // SAFETY: the caller's promise; it begins with nginx's.
    unsafe {
        !(*(*array.add(structure.slot)).cast::<ngx_http_upstream_conf_t>()).upstream.is_null()
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
