//! nginx's stream module and its sessions.
//!
//! The stream module may be a shared object of its own, or absent. So that ours load without it, none of its functions is linked:
//! [`link`] finds them when nginx reads `stream { }`, which it does only where they are.

pub mod complex;
pub mod phase;
pub mod session;
pub mod tls;
pub mod variable;

use std::cell::Cell;
use std::ffi::{CStr, c_void};

use ngx::ffi::{
    ngx_conf_t, ngx_int_t, ngx_listening_t, ngx_module_t, ngx_str_t,
    ngx_stream_compile_complex_value_t, ngx_stream_complex_value_t, ngx_stream_session_t,
    ngx_stream_upstream_srv_conf_t, ngx_stream_variable_t, ngx_stream_variable_value_t, ngx_uint_t,
};

/// What of the stream module is used.
#[derive(Clone, Copy)]
struct Functions {
    add_variable: unsafe extern "C" fn(
        *mut ngx_conf_t,
        *mut ngx_str_t,
        ngx_uint_t,
    ) -> *mut ngx_stream_variable_t,
    get_variable_index: unsafe extern "C" fn(*mut ngx_conf_t, *mut ngx_str_t) -> ngx_int_t,
    get_indexed_variable: unsafe extern "C" fn(
        *mut ngx_stream_session_t,
        ngx_uint_t,
    ) -> *mut ngx_stream_variable_value_t,
    get_variable: unsafe extern "C" fn(
        *mut ngx_stream_session_t,
        *mut ngx_str_t,
        ngx_uint_t,
    ) -> *mut ngx_stream_variable_value_t,
    compile: unsafe extern "C" fn(*mut ngx_stream_compile_complex_value_t) -> ngx_int_t,
    evaluate: unsafe extern "C" fn(
        *mut ngx_stream_session_t,
        *mut ngx_stream_complex_value_t,
        *mut ngx_str_t,
    ) -> ngx_int_t,
    core_module: *const ngx_module_t,
    upstream_module: *const ngx_module_t,
    init_connection: *const c_void,
    init_round_robin:
        unsafe extern "C" fn(*mut ngx_conf_t, *mut ngx_stream_upstream_srv_conf_t) -> ngx_int_t,
}

struct Linked(Cell<Option<Functions>>);

// SAFETY: nginx's processes run this code in one thread.
unsafe impl Sync for Linked {}

static LINKED: Linked = Linked(Cell::new(None));

/// Finds the stream module, anew for each configuration: nginx may have unloaded and loaded it in between. `None`: it is not there.
pub fn link() -> Option<()> {
    // SAFETY: these are the types that nginx's headers give to the names.
    let functions = unsafe {
        Functions {
            add_variable: find(c"ngx_stream_add_variable")?,
            get_variable_index: find(c"ngx_stream_get_variable_index")?,
            get_indexed_variable: find(c"ngx_stream_get_indexed_variable")?,
            get_variable: find(c"ngx_stream_get_variable")?,
            compile: find(c"ngx_stream_compile_complex_value")?,
            evaluate: find(c"ngx_stream_complex_value")?,
            core_module: find(c"ngx_stream_core_module")?,
            upstream_module: find(c"ngx_stream_upstream_module")?,
            init_connection: find(c"ngx_stream_init_connection")?,
            init_round_robin: find(c"ngx_stream_upstream_init_round_robin")?,
        }
    };
    LINKED.0.set(Some(functions));
    Some(())
}

/// nginx's symbols are global, also those of modules that it loads.
///
/// # Safety
/// `F` is the type of a pointer to what has this name.
unsafe fn find<F: Copy>(name: &CStr) -> Option<F> {
    const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
    // SAFETY: a name that ends with a zero.
    let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    // SAFETY: the caller's promise; both are pointers.
    (!symbol.is_null()).then(|| unsafe { std::mem::transmute_copy(&symbol) })
}

fn functions() -> Functions {
    LINKED.0.get().expect("sessions and their configuration exist after `link` only")
}

/// Where the core module keeps its configuration.
fn core_ctx_index() -> usize {
    // SAFETY: nginx's own table, which it has registered.
    unsafe { (*functions().core_module).ctx_index }
}

/// Where the upstream module keeps its part of an `upstream { }` in `stream { }`.
pub fn upstream_ctx_index() -> usize {
    // SAFETY: nginx's own table, which it has registered.
    unsafe { (*functions().upstream_module).ctx_index }
}

/// Whether the connections of a listener become sessions; by its handler.
///
/// # Safety
/// A live listener.
pub unsafe fn has_listener(ls: *const ngx_listening_t) -> bool {
    // SAFETY: the caller's promise.
    let handler = unsafe { (*ls).handler }.map(|handler| handler as *const c_void);
    LINKED.0.get().is_some_and(|stream| handler == Some(stream.init_connection))
}

/// nginx's default method for an upstream.
///
/// # Safety
/// What nginx passes to the hook of an upstream's method.
pub unsafe fn init_round_robin(
    cf: *mut ngx_conf_t,
    upstream: *mut ngx_stream_upstream_srv_conf_t,
) -> ngx_int_t {
    // SAFETY: the caller's promise.
    unsafe { (functions().init_round_robin)(cf, upstream) }
}
