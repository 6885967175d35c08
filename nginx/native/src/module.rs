//! Module tables: directives as constants, and the configuration of a module found by its index.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

use ngx::ffi::{ngx_command_t, ngx_conf_t, ngx_cycle_t, ngx_module_t, ngx_str_t, ngx_uint_t};

/// What a directive's handler looks like.
pub type Setter =
    unsafe extern "C" fn(*mut ngx_conf_t, *mut ngx_command_t, *mut c_void) -> *mut c_char;

/// One directive; `conf` is the `NGX_HTTP_*_CONF_OFFSET` that its handler gets, 0 for core ones.
pub const fn command(name: ngx_str_t, kind: ngx_uint_t, set: Setter, conf: usize) -> ngx_command_t {
    ngx_command_t { name, type_: kind, set: Some(set), conf, offset: 0, post: null_mut() }
}

/// The configuration of a core module in a cycle; null before it was created.
///
/// # Safety
/// `cycle` is live, `module` was registered by nginx, and `T` is what its `create_conf` returned.
pub unsafe fn core_conf<T>(cycle: *const ngx_cycle_t, module: *const ngx_module_t) -> *mut T {
    // SAFETY: conf_ctx has one slot per module index.
    unsafe {
        let all = (*cycle).conf_ctx;
        if all.is_null() { null_mut() } else { (*all.add((*module).index)).cast() }
    }
}
