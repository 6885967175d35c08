//! nginx's error log with Rust's formatting. Lines are cut at nginx's own limit of 2048 bytes.

use std::fmt::{Arguments, Write};

use ngx::ffi::{NGX_MAX_ERROR_STR, ngx_cycle, ngx_log_error_core, ngx_log_t};

/// Writes one line when `level` (`NGX_LOG_EMERG` … `NGX_LOG_DEBUG`) is enabled in `log`.
/// Line breaks become blanks, so that one event stays one line.
pub fn write(log: *mut ngx_log_t, level: usize, message: Arguments<'_>) {
    if enabled(log, level) {
        write_always(log, level, message);
    }
}

/// Whether a message of `level` would be written.
#[inline]
#[allow(clippy::not_unsafe_ptr_arg_deref)] // logs come from nginx alone and outlive those who write to them
pub fn enabled(log: *mut ngx_log_t, level: usize) -> bool {
    // SAFETY: a log that nginx hands out is valid as long as its owner, who is calling.
    !log.is_null() && unsafe { (*log).log_level } >= level
}

/// The log of the cycle in force: for what belongs to no request.
pub fn of_cycle() -> *mut ngx_log_t {
    // SAFETY: ngx_cycle is set before any module code runs.
    unsafe { (*ngx_cycle).log }
}

#[cold]
fn write_always(log: *mut ngx_log_t, level: usize, message: Arguments<'_>) {
    let mut line = Line { bytes: [0; NGX_MAX_ERROR_STR as usize], len: 0 };
    let _ = line.write_fmt(message); // an error means: cut, which is wanted
    // SAFETY: "%*s" takes a length and that many bytes; both come from `line`, which outlives the call.
    unsafe {
        ngx_log_error_core(level, log, 0, c"%*s".as_ptr(), line.len, line.bytes.as_ptr());
    }
}

struct Line {
    bytes: [u8; NGX_MAX_ERROR_STR as usize],
    len: usize,
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let free = &mut self.bytes[self.len..];
        let n = free.len().min(text.len());
        for (to, from) in free.iter_mut().zip(text.as_bytes()) {
            *to = if matches!(from, b'\n' | b'\r') { b' ' } else { *from };
        }
        self.len += n;
        if n < text.len() { Err(std::fmt::Error) } else { Ok(()) }
    }
}
