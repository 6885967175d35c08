//! nginx's return codes, in the type that its handlers return.

use ngx::ffi::{self, ngx_int_t};

pub const OK: ngx_int_t = ffi::NGX_OK as ngx_int_t;
pub const ERROR: ngx_int_t = ffi::NGX_ERROR as ngx_int_t;
pub const AGAIN: ngx_int_t = ffi::NGX_AGAIN as ngx_int_t;
pub const BUSY: ngx_int_t = ffi::NGX_BUSY as ngx_int_t;
pub const DONE: ngx_int_t = ffi::NGX_DONE as ngx_int_t;
pub const DECLINED: ngx_int_t = ffi::NGX_DECLINED as ngx_int_t;
