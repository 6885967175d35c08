//! Numbers of a route in force: copies of a policy's configurations with other timeouts and sizes in them.
//!
//! nginx reads these numbers from structures of the location. For a route with numbers of its own the request is given a
//! copy of the location's array of configurations, in which the slots of the core module and of the proxy module point
//! to patched copies. There is one copy per policy and set of numbers, for the worker's life; requests add nothing. The
//! proxy module's structure is private, but begins with the public `ngx_http_upstream_conf_t`; its length is measured.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::{CStr, c_void};
use std::ptr::{NonNull, copy_nonoverlapping};

use ngx::ffi::{
    NGX_LOG_ERR, ngx_create_pool, ngx_destroy_pool, ngx_http_core_loc_conf_t, ngx_http_core_module,
    ngx_http_max_module, ngx_http_module_t, ngx_http_upstream_conf_t, ngx_module_t,
};
use wick_native::conf::Conf;
use wick_native::log;
use wick_routes::Overrides;

/// A location's configurations: an array with one slot per HTTP module.
pub type LocConfs = NonNull<*mut c_void>;

/// How many copies a worker makes, about 2.5 KB each, before routes get their policy's own numbers. Copies cannot be given
/// back earlier than the configuration: nginx still reads a location's settings when the request and its memory are gone
/// (`ngx_http_set_keepalive`).
const MOST: usize = 4096;

#[derive(Default)]
pub struct Patches {
    /// `None`: this nginx has no proxy module, or one that cannot be measured.
    proxy: Option<Structure>,
    copies: RefCell<HashMap<(LocConfs, Overrides), Copy>>,
    complained: Cell<bool>,
}

/// A module's location configuration, as far as it is known.
#[derive(Clone, Copy)]
struct Structure {
    slot: usize,
    bytes: usize,
}

impl Patches {
    /// Measures the structures of this nginx.
    pub fn measure(conf: Conf) -> Patches {
        // SAFETY: the parser is running.
        let proxy =
            unsafe { module(conf, c"ngx_http_proxy_module").and_then(|m| measure(conf, m)) };
        Patches { proxy, ..Patches::default() }
    }

    /// The copy of `base` with `overrides` in force, made at the first call. What cannot be put in force stays as the
    /// policy has it, and the log says so, once.
    pub fn of(&self, base: LocConfs, overrides: Overrides) -> LocConfs {
        let mut copies = self.copies.borrow_mut();
        if let Some(copy) = copies.get(&(base, overrides)) {
            return copy.loc_confs();
        }
        if self.proxy.is_none() && overrides.has_timeouts() {
            self.complain(format_args!(
                "Cannot put timeouts of routes in force: this nginx's proxy module is unknown"
            ));
        }
        if copies.len() >= MOST {
            self.complain(format_args!(
                "Cannot put numbers of routes in force: more than {MOST} different sets since the last reload"
            ));
            return base;
        }
        // SAFETY: `base` is a location's array of this configuration.
        let copy = unsafe { Copy::new(base, self.proxy, overrides) };
        copies.entry((base, overrides)).or_insert(copy).loc_confs()
    }

    fn complain(&self, line: std::fmt::Arguments<'_>) {
        if !self.complained.replace(true) {
            log::write(log::of_cycle(), NGX_LOG_ERR as usize, line);
        }
    }
}

/// One block of memory: the array, the core module's structure, the proxy module's.
struct Copy(Box<[u64]>);

impl Copy {
    /// # Safety
    /// `base` is the array of a location's configurations; `proxy` was measured under the same nginx.
    unsafe fn new(base: LocConfs, proxy: Option<Structure>, overrides: Overrides) -> Copy {
        // SAFETY: set once when nginx reads its configuration.
        let slots = unsafe { ngx_http_max_module };
        let core = core_structure();
        let lengths = [slots * size_of::<*mut c_void>(), core.bytes, proxy.map_or(0, |p| p.bytes)];
        let mut memory =
            vec![0u64; lengths.iter().map(|len| len.div_ceil(8)).sum()].into_boxed_slice();
        let array = memory.as_mut_ptr().cast::<*mut c_void>();
        // SAFETY: the block has room for the three parts one behind the other, each aligned to a word as nginx's are.
        unsafe {
            copy_nonoverlapping(base.as_ptr(), array, slots);
            let core_copy = array.add(slots).cast::<u64>();
            copy_structure(array, core, core_copy);
            patch_core(core_copy.cast(), array, overrides);
            if let Some(proxy) = proxy {
                let proxy_copy = core_copy.add(core.bytes.div_ceil(8));
                copy_structure(array, proxy, proxy_copy);
                patch_upstream(proxy_copy.cast(), overrides);
            }
        }
        Copy(memory)
    }

    fn loc_confs(&self) -> LocConfs {
        NonNull::from(&self.0[0]).cast()
    }
}

fn core_structure() -> Structure {
    // SAFETY: nginx wrote the index before it called us.
    let slot = unsafe { ngx_http_core_module.ctx_index };
    Structure { slot, bytes: size_of::<ngx_http_core_loc_conf_t>() }
}

/// Copies what the slot of `array` points to, and points it to the copy.
///
/// # Safety
/// The slot holds such a structure, and `to` has room for it.
unsafe fn copy_structure(array: *mut *mut c_void, structure: Structure, to: *mut u64) {
    // SAFETY: the caller's promise.
    unsafe {
        let slot = array.add(structure.slot);
        copy_nonoverlapping((*slot).cast::<u8>(), to.cast::<u8>(), structure.bytes);
        *slot = to.cast();
    }
}

/// # Safety
/// `core` is ours to change.
unsafe fn patch_core(
    core: *mut ngx_http_core_loc_conf_t,
    array: *mut *mut c_void,
    overrides: Overrides,
) {
    // SAFETY: the caller's promise.
    let core = unsafe { &mut *core };
    core.loc_conf = array;
    if let Some(bytes) = overrides.max_body_bytes {
        core.client_max_body_size = bytes as i64;
    }
}

/// # Safety
/// `upstream` is ours to change.
unsafe fn patch_upstream(upstream: *mut ngx_http_upstream_conf_t, overrides: Overrides) {
    // SAFETY: the caller's promise.
    let upstream = unsafe { &mut *upstream };
    let timeouts = [
        (&mut upstream.connect_timeout, overrides.connect_timeout_ms),
        (&mut upstream.send_timeout, overrides.send_timeout_ms),
        (&mut upstream.read_timeout, overrides.read_timeout_ms),
    ];
    for (place, ms) in timeouts {
        *place = ms.map_or(*place, |ms| ms as usize);
    }
}

/// # Safety
/// The parser is running.
unsafe fn module(conf: Conf, name: &CStr) -> Option<NonNull<ngx_module_t>> {
    // SAFETY: the cycle's modules are an array that ends with null; a module has a name.
    unsafe {
        let modules = (*conf.cycle()).modules;
        let mut all = (0..).map_while(|i| NonNull::new(*modules.add(i)));
        all.find(|module| CStr::from_ptr(module.as_ref().name) == name)
    }
}

/// Large enough for any module's structure; a larger one is refused, not guessed.
const SCRATCH_BYTES: usize = 16 << 10;

/// Lets the module make a fresh configuration in an empty pool and looks how far the pool was used.
///
/// # Safety
/// The parser is inside `http`, and `module` is an HTTP module.
unsafe fn measure(conf: Conf, module: NonNull<ngx_module_t>) -> Option<Structure> {
    // SAFETY: as promised; the parser gets its own pool back before anything else uses it.
    unsafe {
        let cf = conf.as_ptr();
        let scratch = NonNull::new(ngx_create_pool(SCRATCH_BYTES, (*cf).log))?.as_ptr();
        let create = (*(*module.as_ptr()).ctx.cast::<ngx_http_module_t>()).create_loc_conf;
        let own_pool = std::mem::replace(&mut (*cf).pool, scratch);
        let made = create.map(|create| create(cf));
        (*cf).pool = own_pool;
        let alone = (*scratch).large.is_null() && (*scratch).d.next.is_null();
        let structure = made.and_then(NonNull::new).filter(|_| alone).and_then(|made| {
            let bytes = (*scratch).d.last.addr().checked_sub(made.addr().get())?;
            let slot = (*module.as_ptr()).ctx_index;
            begins_with_upstream(made, bytes).then_some(Structure { slot, bytes })
        });
        ngx_destroy_pool(scratch);
        structure
    }
}

/// A fresh configuration has its timeouts unset.
///
/// # Safety
/// `made` points to `bytes` readable bytes.
unsafe fn begins_with_upstream(made: NonNull<c_void>, bytes: usize) -> bool {
    if bytes < size_of::<ngx_http_upstream_conf_t>() {
        return false;
    }
    // SAFETY: long enough, and any bytes are valid numbers.
    let upstream = unsafe { made.cast::<ngx_http_upstream_conf_t>().as_ref() };
    [upstream.connect_timeout, upstream.send_timeout, upstream.read_timeout] == [usize::MAX; 3]
}
