//! Module tables: directives as constants, and the configuration of a module found by its index.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

use ngx::ffi::{
    ngx_command_t, ngx_conf_t, ngx_cycle_t, ngx_http_module_t, ngx_module_t, ngx_str_t, ngx_uint_t,
};

use crate::conf::Conf;
use crate::guard::guard;

/// An HTTP module that nginx asks for nothing.
pub const NO_HOOKS: ngx_http_module_t = ngx_http_module_t {
    preconfiguration: None,
    postconfiguration: None,
    create_main_conf: None,
    init_main_conf: None,
    create_srv_conf: None,
    merge_srv_conf: None,
    create_loc_conf: None,
    merge_loc_conf: None,
};

/// A `create_*_conf` that makes a `T`, dropped with the configuration.
///
/// # Safety
/// nginx's parser is calling.
pub unsafe extern "C" fn create_conf<T: Default>(cf: *mut ngx_conf_t) -> *mut c_void {
    guard(null_mut(), || {
        // SAFETY: the caller's promise.
        let kept = unsafe { Conf::from_raw(cf) }.pool().keep(T::default());
        kept.map_or(null_mut(), |conf| conf.as_ptr().cast())
    })
}

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
