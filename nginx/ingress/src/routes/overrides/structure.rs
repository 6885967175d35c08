//! The location configurations that hold a route's numbers: where they are, and how long.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

use libc::malloc_usable_size;
use ngx::ffi::{
    ngx_create_pool, ngx_destroy_pool, ngx_http_core_loc_conf_t, ngx_http_core_module,
    ngx_http_module_t, ngx_http_upstream_conf_t, ngx_module_t, ngx_pool_t,
};
use wick_native::conf::Conf;

/// A module's location configuration, as far as it is known.
#[derive(Clone, Copy)]
pub struct Structure {
    /// The module's place in a location's array of configurations.
    pub slot: usize,
    pub bytes: usize,
}

/// A module that fetches responses: its private structure begins with the public `ngx_http_upstream_conf_t`.
#[derive(Clone, Copy)]
pub struct Protocol {
    pub structure: Structure,
    /// Has buffers and temporary files. gRPC always passes on what it got at once, in one buffer.
    pub buffers: bool,
    /// Errors of the backend may have a page: as in ingress-nginx those of HTTP alone.
    pub intercepts: bool,
}

/// Name, `buffers` and `intercepts`.
const PROTOCOLS: [(&CStr, bool, bool); 3] = [
    (c"ngx_http_proxy_module", true, true),
    (c"ngx_http_grpc_module", false, false),
    (c"ngx_http_fastcgi_module", true, false),
];

/// The protocols of this nginx, measured.
#[derive(Clone, Copy, Default)]
pub struct Protocols {
    known: [Option<Protocol>; PROTOCOLS.len()],
    /// A module of this nginx that could not be measured.
    pub unknown: Option<&'static CStr>,
}

impl Protocols {
    /// # Safety
    /// The parser is inside `http`.
    pub unsafe fn measure(conf: Conf) -> Protocols {
        let mut protocols = Protocols::default();
        for (place, (name, buffers, intercepts)) in protocols.known.iter_mut().zip(PROTOCOLS) {
            // SAFETY: the caller's promise; the modules of these names are HTTP modules.
            let Some(module) = (unsafe { module(conf, name) }) else { continue };
            // SAFETY: as above.
            *place = unsafe { measure(conf, module) }.map(|structure| Protocol {
                structure,
                buffers,
                intercepts,
            });
            if place.is_none() {
                protocols.unknown = Some(name);
            }
        }
        protocols
    }

    pub fn known(&self) -> impl Iterator<Item = Protocol> + Clone + use<> {
        self.known.into_iter().flatten()
    }
}

/// The core module's.
pub fn core() -> Structure {
    // SAFETY: nginx wrote the index before it called us.
    let slot = unsafe { ngx_http_core_module.ctx_index };
    Structure { slot, bytes: size_of::<ngx_http_core_loc_conf_t>() }
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

/// Lets the module make a fresh configuration in an empty pool and looks how much of it that takes.
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
        let structure = made.and_then(NonNull::new).and_then(|made| {
            let bytes = bytes_alone(&*scratch, made)?;
            let slot = (*module.as_ptr()).ctx_index;
            begins_with_upstream(made, bytes).then_some(Structure { slot, bytes })
        });
        ngx_destroy_pool(scratch);
        structure
    }
}

/// How long `made` is, if nothing else was taken from the pool. An nginx for debugging (`NGX_DEBUG_PALLOC`) takes every piece from malloc, which knows its length.
///
/// # Safety
/// The pool has made it.
unsafe fn bytes_alone(pool: &ngx_pool_t, made: NonNull<c_void>) -> Option<usize> {
    // SAFETY: pieces from malloc are in a list of the pool.
    match unsafe { pool.large.as_ref() } {
        None if pool.d.next.is_null() => pool.d.last.addr().checked_sub(made.addr().get()),
        Some(large) if large.next.is_null() && large.alloc == made.as_ptr() => {
            // SAFETY: malloc has returned it.
            Some(unsafe { malloc_usable_size(large.alloc) }).filter(|bytes| *bytes <= pool.max)
        }
        _ => None,
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
