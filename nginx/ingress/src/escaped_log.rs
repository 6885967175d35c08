//! nginx's error log without control characters of clients: nginx prints request lines, hosts and referrers as they came,
//! and a terminal that shows the log would obey them.
//!
//! nginx hands finished lines to a log's writer where it has one, as that of syslog. Ours stands in front, in workers, where
//! clients are. What is beyond ASCII is escaped, too, as in the access log. Lines to stderr are JSON (`json`), as those of the
//! controller, which writes there, too; for them ours is in front in the master as well.

mod json;

use std::cell::Cell;

use ngx::ffi::{
    NGX_LOG_NOTICE, NGX_LOG_WARN, ngx_cached_time, ngx_cycle_t, ngx_log_t, ngx_log_writer_pt,
    ngx_test_config,
};
use wick_native::log;

/// Room for a line each of whose bytes takes four.
const ROOM: usize = json::TEXT;

thread_local! {
    /// Of the logs that had a writer before: nginx has one kind of them, to syslog.
    static NEXT: Cell<ngx_log_writer_pt> = const { Cell::new(None) };
}

/// Has the logs of a configuration that was read escaped: the master's. A configuration that is only tested says what is wrong in nginx's own words.
///
/// # Safety
/// `cycle` is live and its configuration was read.
pub unsafe fn begin_early(cycle: *mut ngx_cycle_t) {
    // SAFETY: the caller's promise; nginx sets the flag before it reads a configuration.
    unsafe {
        if ngx_test_config == 0 {
            escape(&raw mut (*cycle).new_log);
        }
    }
}

/// Has all logs of this process escaped.
///
/// # Safety
/// `cycle` is the one of this process.
pub unsafe fn begin(cycle: *mut ngx_cycle_t) {
    // SAFETY: the caller's promise; a cycle has `nelts` listeners, each with a copy of a log, and logs are linked.
    unsafe {
        escape((*cycle).log);
        let listeners = &mut (*cycle).listening;
        for listener in listeners.as_slice_mut::<ngx::ffi::ngx_listening_t>() {
            escape(&raw mut listener.log);
        }
    }
}

/// Says that the process ends: nginx's own line about it is written without a writer, so that one is kept from stderr.
///
/// # Safety
/// `cycle` is the one of this process, which does nothing any more.
pub unsafe fn end(cycle: *mut ngx_cycle_t) {
    // SAFETY: the caller's promise; a cycle has a log.
    unsafe {
        let log = (*cycle).log;
        if is_stderr(log) {
            log::write(log, NGX_LOG_NOTICE as usize, format_args!("exit"));
            (*log).log_level = (*log).log_level.min(NGX_LOG_WARN as usize);
        }
    }
}

/// # Safety
/// A live log, or null.
unsafe fn escape(mut log: *mut ngx_log_t) {
    // SAFETY: the caller's promise.
    unsafe {
        while let Some(one) = log.as_mut() {
            match one.writer {
                Some(writer) if writer as usize == write as *const () as usize => {}
                Some(writer) => {
                    NEXT.set(Some(writer));
                    one.writer = Some(write);
                }
                None => one.writer = Some(write),
            }
            log = one.next;
        }
    }
}

/// Called by nginx with a line and its end.
unsafe extern "C" fn write(log: *mut ngx_log_t, level: usize, line: *mut u8, len: usize) {
    let mut room = [0; ROOM];
    // SAFETY: what nginx calls this with: a live log, and so many bytes.
    unsafe {
        let escaped = escaped(std::slice::from_raw_parts(line, len), &mut room);
        match NEXT.get().filter(|_| !(*log).wdata.is_null()) {
            Some(next) => next(log, level, escaped.as_mut_ptr(), escaped.len()),
            None if is_stderr(log) => {
                let mut room = [0; json::ROOM];
                write_to_file(log, json::line(escaped, level, now_ms(), &mut room));
            }
            None => write_to_file(log, escaped),
        }
    }
}

/// # Safety
/// A live log.
unsafe fn is_stderr(log: *mut ngx_log_t) -> bool {
    // SAFETY: the caller's promise.
    unsafe { (*log).file.as_ref() }.is_some_and(|file| file.fd == libc::STDERR_FILENO)
}

/// Since 1970, as nginx has it.
fn now_ms() -> u64 {
    // SAFETY: set before anything is logged.
    let now = unsafe { &*ngx_cached_time };
    now.sec as u64 * 1000 + now.msec as u64
}

/// As nginx does: a full disk is tried again a second later.
///
/// # Safety
/// A live log.
unsafe fn write_to_file(log: *mut ngx_log_t, line: &[u8]) {
    // SAFETY: the caller's promise; a log without a writer of its own has a file.
    unsafe {
        let now = (*ngx_cached_time).sec;
        let Some(file) = (*log).file.as_ref() else { return };
        if (*log).disk_full_time == now {
            return;
        }
        let written = libc::write(file.fd, line.as_ptr().cast(), line.len());
        if written < 0 && std::io::Error::last_os_error().raw_os_error() == Some(libc::ENOSPC) {
            (*log).disk_full_time = now;
        }
    }
}

fn is_shown(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// The line with `\x1B` in the place of such a byte; its end stays.
fn escaped<'t>(line: &[u8], room: &'t mut [u8; ROOM]) -> &'t mut [u8] {
    let (text, end) = match line {
        [text @ .., b'\n'] => (text, &b"\n"[..]),
        text => (text, &b""[..]),
    };
    // Most lines have nothing else than what is shown as it is.
    let plain = text.iter().take_while(|byte| is_shown(**byte)).count().min(ROOM);
    room[..plain].copy_from_slice(&text[..plain]);
    let mut len = plain;
    for byte in &text[plain..] {
        let digit = |nibble: u8| b"0123456789ABCDEF"[usize::from(nibble)];
        let four = [b'\\', b'x', digit(byte >> 4), digit(byte & 15)];
        let shown = if is_shown(*byte) { std::slice::from_ref(byte) } else { &four[..] };
        let Some(to) = room.get_mut(len..len + shown.len()) else { break };
        to.copy_from_slice(shown);
        len += shown.len();
    }
    let len = len.min(ROOM - end.len());
    room[len..len + end.len()].copy_from_slice(end);
    &mut room[..len + end.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &[u8]) -> Vec<u8> {
        escaped(line, &mut [0; ROOM]).to_vec()
    }

    #[test]
    fn every_byte_but_printable_ascii_is_escaped() {
        for byte in 0..=255_u8 {
            let line = shown(&[b'a', byte, b'b', b'\n']);
            if byte.is_ascii_graphic() || byte == b' ' {
                assert_eq!(line, [b'a', byte, b'b', b'\n']);
            } else {
                assert_eq!(line, format!("a\\x{byte:02X}b\n").as_bytes());
            }
        }
    }

    #[test]
    fn a_line_of_any_length_has_its_end() {
        let long = [b"\x1b".repeat(2 * ROOM), b"\n".to_vec()].concat();
        assert!(shown(&long).ends_with(b"1B\n") || shown(&long).ends_with(b"\n"));
        assert_eq!(shown(&long).len(), ROOM);
        assert_eq!(shown(b""), b"");
    }
}
