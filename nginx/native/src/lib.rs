//! The few safe wrappers over nginx that both modules need, and the place where most `unsafe` lives.
//!
//! What comes in are nginx's raw pointers, what goes out are small `Copy` handles and slices. The
//! crate knows neither Wasm nor routes. nginx runs one thread per worker: nothing here is `Sync`.

pub mod body;
pub mod complex;
pub mod conf;
pub mod connection;
pub mod cpu;
pub mod guard;
pub mod headers;
pub mod log;
pub mod module;
pub mod pattern;
mod pcre;
pub mod pool;
pub mod regex;
pub mod request;
pub mod response;
mod slot_zone;
pub mod text;
pub mod timer;
pub mod tls;
pub mod variable;
pub mod zone;

pub use ngx::ffi;

/// nginx's return codes, in the type that its handlers return.
pub mod code {
    use ngx::ffi::{self, ngx_int_t};

    pub const OK: ngx_int_t = ffi::NGX_OK as ngx_int_t;
    pub const ERROR: ngx_int_t = ffi::NGX_ERROR as ngx_int_t;
    pub const AGAIN: ngx_int_t = ffi::NGX_AGAIN as ngx_int_t;
    pub const DONE: ngx_int_t = ffi::NGX_DONE as ngx_int_t;
    pub const DECLINED: ngx_int_t = ffi::NGX_DECLINED as ngx_int_t;
}
