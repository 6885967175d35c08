//! Parsing of directives: their words, and messages with file and line.

use std::ffi::{CStr, c_char, c_void};
use std::fmt::Arguments;
use std::marker::PhantomData;
use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    NGX_LOG_EMERG, NGX_LOG_NOTICE, ngx_conf_full_name, ngx_conf_t, ngx_cycle_t,
    ngx_http_conf_ctx_t, ngx_http_core_loc_conf_t, ngx_http_core_main_conf_t, ngx_http_core_module,
    ngx_http_core_srv_conf_t, ngx_http_request_t, ngx_int_t, ngx_parse_time, ngx_str_t,
    ngx_stream_conf_ctx_t,
};

use crate::code::OK;
use crate::pool::Pool;
use crate::text::{borrowed, bytes};

/// What a directive's handler returns.
pub type Answer = *mut c_char;

pub const CONF_OK: Answer = null_mut();
/// An error that was already logged.
pub const CONF_ERROR: Answer = usize::MAX as Answer;

/// What nginx asks for the answer to a request.
pub type ContentHandler = unsafe extern "C" fn(*mut ngx_http_request_t) -> ngx_int_t;

/// nginx prints `"NAME" directive MESSAGE`.
pub fn refuse(message: &'static CStr) -> Answer {
    message.as_ptr().cast_mut()
}

/// The parser's state while one directive is handled.
#[derive(Clone, Copy)]
pub struct Conf<'c>(NonNull<ngx_conf_t>, PhantomData<&'c ngx_conf_t>);

impl<'c> Conf<'c> {
    /// # Safety
    /// `cf` is what nginx handed to a directive's handler or configuration hook, which runs for `'c`.
    pub unsafe fn from_raw(cf: *mut ngx_conf_t) -> Conf<'c> {
        // SAFETY: the caller's promise.
        Conf(unsafe { NonNull::new_unchecked(cf) }, PhantomData)
    }

    pub fn as_ptr(self) -> *mut ngx_conf_t {
        self.0.as_ptr()
    }

    /// The directive's words; the first is its name. They live as long as the configuration.
    pub fn words(self) -> impl ExactSizeIterator<Item = &'c [u8]> + Clone {
        // SAFETY: args is an array of strings allocated from the configuration's pools.
        let words: &'c [ngx_str_t] = unsafe { (*(*self.as_ptr()).args).as_slice() };
        // SAFETY: as above.
        words.iter().map(|word| unsafe { bytes(*word) })
    }

    pub fn cycle(self) -> *mut ngx_cycle_t {
        // SAFETY: set as long as the parser runs.
        unsafe { (*self.as_ptr()).cycle }
    }

    pub fn pool(self) -> Pool<'c> {
        // SAFETY: the configuration's pool outlives the parser.
        unsafe { Pool::from_raw((*self.as_ptr()).pool) }
    }

    /// Logs an error with file and line.
    pub fn error(self, message: Arguments<'_>) -> Answer {
        self.log(NGX_LOG_EMERG as usize, message);
        CONF_ERROR
    }

    /// Logs something worth knowing with file and line; the configuration stays valid.
    pub fn notice(self, message: Arguments<'_>) {
        self.log(NGX_LOG_NOTICE as usize, message);
    }

    fn log(self, level: usize, message: Arguments<'_>) {
        let line = message.to_string();
        // SAFETY: "%*s" takes a length and that many bytes of `line`.
        unsafe {
            ngx::ffi::ngx_conf_log_error(
                level,
                self.as_ptr(),
                0,
                c"%*s".as_ptr(),
                line.len(),
                line.as_ptr(),
            );
        }
    }

    /// `path` relative to the configuration's directory.
    pub fn full_path(self, path: &[u8]) -> Option<Vec<u8>> {
        let mut name = self.pool().copy_str(path)?;
        // SAFETY: a live cycle; the function replaces `name` by a string from its pool.
        let rc = unsafe { ngx_conf_full_name(self.cycle(), &mut name, 1) };
        // SAFETY: the string that was just made.
        (rc == OK).then(|| unsafe { bytes(name) }.to_vec())
    }

    /// A module's main configuration of the `http` block that is being parsed.
    ///
    /// # Safety
    /// The parser is inside `http`, and `T` is what the module with this `ctx_index` created there.
    pub unsafe fn http_main<T>(self, ctx_index: usize) -> *mut T {
        // SAFETY: the caller's promise: ctx is an ngx_http_conf_ctx_t.
        unsafe { (*(*self.http_ctx()).main_conf.add(ctx_index)).cast() }
    }

    /// A module's server (or upstream) configuration of the block that is being parsed.
    ///
    /// # Safety
    /// As for [`Conf::http_main`].
    pub unsafe fn http_srv<T>(self, ctx_index: usize) -> *mut T {
        // SAFETY: the caller's promise.
        unsafe { (*(*self.http_ctx()).srv_conf.add(ctx_index)).cast() }
    }

    /// The core module's configurations of all server blocks that were parsed.
    ///
    /// # Safety
    /// As for [`Conf::http_main`]; no server block is added while they are looked at.
    pub unsafe fn http_servers(self) -> impl Iterator<Item = NonNull<ngx_http_core_srv_conf_t>> {
        // SAFETY: the core module's array of pointers to the configurations of server blocks.
        unsafe {
            let core =
                &*self.http_main::<ngx_http_core_main_conf_t>(ngx_http_core_module.ctx_index);
            core.servers.as_slice::<NonNull<ngx_http_core_srv_conf_t>>().iter().copied()
        }
    }

    /// A module's configuration of the location that is being parsed.
    ///
    /// # Safety
    /// As for [`Conf::http_main`].
    pub unsafe fn http_loc<T>(self, ctx_index: usize) -> *mut T {
        // SAFETY: the caller's promise.
        unsafe { (*(*self.http_ctx()).loc_conf.add(ctx_index)).cast() }
    }

    /// Has `handler` answer the requests of the location that is being parsed.
    ///
    /// # Safety
    /// The parser is in a location.
    pub unsafe fn set_handler(self, handler: ContentHandler) {
        // SAFETY: the caller's promise; the core module made its configuration.
        unsafe {
            let core = self.http_loc::<ngx_http_core_loc_conf_t>(ngx_http_core_module.ctx_index);
            (*core).handler = Some(handler);
        }
    }

    /// A module's main configuration of the `stream` block that is being parsed.
    ///
    /// # Safety
    /// The parser is inside `stream`, and `T` is what the module with this `ctx_index` created there.
    pub unsafe fn stream_main<T>(self, ctx_index: usize) -> *mut T {
        // SAFETY: the caller's promise.
        unsafe { (*(*self.stream_ctx()).main_conf.add(ctx_index)).cast() }
    }

    /// A module's server (or upstream) configuration of the block of `stream` that is being parsed.
    ///
    /// # Safety
    /// As for [`Conf::stream_main`].
    pub unsafe fn stream_srv<T>(self, ctx_index: usize) -> *mut T {
        // SAFETY: the caller's promise.
        unsafe { (*(*self.stream_ctx()).srv_conf.add(ctx_index)).cast() }
    }

    /// The configurations of the block of `stream` that is being parsed: an array with one slot per module.
    ///
    /// # Safety
    /// The parser is inside `stream`.
    pub unsafe fn stream_srv_confs(self) -> NonNull<*mut c_void> {
        // SAFETY: the caller's promise.
        unsafe { NonNull::new_unchecked((*self.stream_ctx()).srv_conf) }
    }

    unsafe fn stream_ctx(self) -> *mut ngx_stream_conf_ctx_t {
        // SAFETY: the caller's promise.
        unsafe { (*self.as_ptr()).ctx.cast() }
    }

    unsafe fn http_ctx(self) -> *mut ngx_http_conf_ctx_t {
        // SAFETY: the caller's promise.
        unsafe { (*self.as_ptr()).ctx.cast() }
    }
}

/// `5s`, `20ms` … in milliseconds, as nginx reads times.
pub fn parse_time(word: &[u8]) -> Option<u64> {
    let mut text = borrowed(word);
    // SAFETY: ngx_parse_time only reads the string.
    u64::try_from(unsafe { ngx_parse_time(&mut text, 0) }).ok()
}

/// `64m`, `512k`, `4096` in bytes, as nginx reads sizes.
pub fn parse_size(word: &[u8]) -> Option<usize> {
    let mut text = borrowed(word);
    // SAFETY: ngx_parse_size only reads the string.
    let size = unsafe { ngx::ffi::ngx_parse_size(&mut text) };
    usize::try_from(size).ok() // ERROR is negative
}
