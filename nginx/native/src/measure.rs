//! How long a structure is that a module of nginx keeps to itself: the module makes a fresh one in an empty pool. And where in it a directive's words
//! are.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

use libc::malloc_usable_size;
use ngx::ffi::{ngx_conf_t, ngx_create_pool, ngx_destroy_pool, ngx_module_t, ngx_pool_t};

use crate::conf::Conf;
use crate::text::bytes;

/// A module of the nginx whose configuration is read.
///
/// # Safety
/// The parser is running.
pub unsafe fn module_named(conf: Conf, name: &CStr) -> Option<NonNull<ngx_module_t>> {
    // SAFETY: the caller's promise; a module has a name.
    unsafe { modules(conf).find(|module| CStr::from_ptr(module.as_ref().name) == name) }
}

/// All modules.
///
/// # Safety
/// The parser is running, as long as the iterator is used.
pub unsafe fn modules(conf: Conf) -> impl Iterator<Item = NonNull<ngx_module_t>> {
    // SAFETY: the caller's promise: the cycle's modules are an array that ends with null.
    unsafe {
        let modules = (*conf.cycle()).modules;
        (0..).map_while(move |i| NonNull::new(*modules.add(i)))
    }
}

/// Where in its configuration a module keeps what this directive says. `None`: it has no such directive.
///
/// # Safety
/// A module of the nginx that runs.
pub unsafe fn place_of(module: NonNull<ngx_module_t>, directive: &[u8]) -> Option<usize> {
    // SAFETY: the caller's promise: directives are an array that ends with one without a name, or null.
    unsafe {
        let commands = NonNull::new(module.as_ref().commands)?;
        let mut all = (0..).map(|at| commands.add(at).as_ref());
        let mut named = all.by_ref().take_while(|it| it.name.len > 0);
        named.find(|it| bytes(it.name) == directive).map(|it| it.offset)
    }
}

/// Large enough for any module's structure; a larger one is refused, not guessed.
const SCRATCH_BYTES: usize = 16 << 10;

/// Makes a configuration by `create`, one of a module's hooks, and shows it to `look` with its length, if it is known. It is gone afterwards.
///
/// # Safety
/// The parser is inside the block that the hook is for.
pub unsafe fn made_alone<R>(
    conf: Conf,
    create: unsafe extern "C" fn(*mut ngx_conf_t) -> *mut c_void,
    look: impl FnOnce(NonNull<c_void>, usize) -> Option<R>,
) -> Option<R> {
    // SAFETY: as promised; the parser gets its own pool back before anything else uses it.
    unsafe {
        let cf = conf.as_ptr();
        let scratch = NonNull::new(ngx_create_pool(SCRATCH_BYTES, (*cf).log))?.as_ptr();
        let own_pool = std::mem::replace(&mut (*cf).pool, scratch);
        let made = NonNull::new(create(cf));
        (*cf).pool = own_pool;
        let found = made.and_then(|made| look(made, bytes_alone(&*scratch, made)?));
        ngx_destroy_pool(scratch);
        found
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
