//! What the tables that the macros write are made of. For the macros alone.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

use ngx::ffi::{
    ngx_command_t, ngx_conf_t, ngx_core_module_t, ngx_cycle_t, ngx_http_module_t, ngx_int_t,
    ngx_str_t, ngx_stream_module_t, ngx_uint_t,
};

use crate::code::{ERROR, OK};
use crate::conf::{Answer, CONF_ERROR, CONF_OK, Conf};
use crate::guard::{guard, log_panics};
use crate::pool::Pool;

pub use ngx::ngx_string;

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

/// A module of `stream` that nginx asks for nothing.
pub const NO_STREAM_HOOKS: ngx_stream_module_t = ngx_stream_module_t {
    preconfiguration: None,
    postconfiguration: None,
    create_main_conf: None,
    init_main_conf: None,
    create_srv_conf: None,
    merge_srv_conf: None,
};

/// A core module that nginx asks for nothing.
pub const fn core_context(name: ngx_str_t) -> ngx_core_module_t {
    ngx_core_module_t { name, create_conf: None, init_conf: None }
}

/// A hook of the parser; `None`: the configuration is refused, and the log says why.
pub type Hook = fn(Conf) -> Option<()>;

/// What a directive's handler looks like to nginx.
pub type Setter =
    unsafe extern "C" fn(*mut ngx_conf_t, *mut ngx_command_t, *mut c_void) -> *mut c_char;

/// One directive; `conf` is the `NGX_HTTP_*_CONF_OFFSET` (or `NGX_STREAM_*`) that its handler gets, 0 for core ones.
pub const fn command(name: ngx_str_t, kind: ngx_uint_t, set: Setter, conf: usize) -> ngx_command_t {
    ngx_command_t { name, type_: kind, set: Some(set), conf, offset: 0, post: null_mut() }
}

/// A `create_*_conf` that makes a `T`, dropped with the configuration.
///
/// # Safety
/// nginx's parser is calling.
pub unsafe extern "C" fn create_conf<T: Default>(cf: *mut ngx_conf_t) -> *mut c_void {
    // SAFETY: the caller's promise.
    create::<T>(unsafe { Conf::from_raw(cf) }.pool())
}

/// The same for a core module.
///
/// # Safety
/// `cycle` is under construction.
pub unsafe fn create_core_conf<T: Default>(cycle: *mut ngx_cycle_t) -> *mut c_void {
    // SAFETY: a cycle under construction has a pool.
    create::<T>(unsafe { Pool::from_raw((*cycle).pool) })
}

fn create<T: Default>(pool: Pool) -> *mut c_void {
    guard(null_mut(), || {
        log_panics();
        pool.keep(T::default()).map_or(null_mut(), |conf| conf.as_ptr().cast())
    })
}

/// Runs a hook of the parser.
///
/// # Safety
/// nginx's parser is calling.
pub unsafe fn configure(cf: *mut ngx_conf_t, hook: Option<Hook>) -> ngx_int_t {
    // SAFETY: the caller's promise.
    let conf = unsafe { Conf::from_raw(cf) };
    let accepted = guard(None, || hook.map_or(Some(()), |hook| hook(conf)));
    accepted.map_or(ERROR, |()| OK)
}

/// Runs a hook that may refuse the configuration.
pub fn answer(hook: impl FnOnce() -> Option<()>) -> Answer {
    guard(None, hook).map_or(CONF_ERROR, |()| CONF_OK)
}

/// Runs a hook that can only panic.
pub fn code(hook: impl FnOnce()) -> ngx_int_t {
    guard(ERROR, || {
        hook();
        OK
    })
}
