//! The request's body, in memory or in a temporary file.

use ngx::ffi::{
    NGX_HTTP_SPECIAL_RESPONSE, ngx_buf_t, ngx_http_client_body_handler_pt,
    ngx_http_discard_request_body, ngx_http_read_client_request_body, ngx_int_t, ngx_read_file,
};

use crate::bits;
use crate::chain::links;
use crate::code::DONE;
use crate::request::Request;

/// Reads the whole body and then calls `then(r)`, at once or from the event loop.
///
/// # Returns
/// What a phase handler returns: `DONE`, or the status with which the request ends (413 …).
///
/// # Safety
/// Only from a phase handler, which returns the result at once.
pub unsafe fn read(r: Request, then: ngx_http_client_body_handler_pt) -> ngx_int_t {
    // SAFETY: a live request in a phase handler.
    unsafe {
        let rc = ngx_http_read_client_request_body(r.as_ptr(), then);
        if rc >= NGX_HTTP_SPECIAL_RESPONSE as ngx_int_t {
            return rc;
        }
        r.finalize(DONE); // the reference that reading took
    }
    DONE
}

/// Reads and forgets the body, so that the connection can be used again.
pub fn discard(r: Request) -> ngx_int_t {
    // SAFETY: a live request.
    unsafe { ngx_http_discard_request_body(r.as_ptr()) }
}

/// Length in bytes of the body that was read; 0 when there is none.
pub fn len(r: Request) -> usize {
    buffers(r).map(|b| span(b).1).sum()
}

/// Copies the body from byte `start` on into `to`.
///
/// # Returns
/// How many bytes were copied; `None` when the temporary file cannot be read.
pub fn copy(r: Request, start: usize, to: &mut [u8]) -> Option<usize> {
    let (mut skip, mut done) = (start, 0);
    for buffer in buffers(r) {
        let (_, size) = span(buffer);
        if skip >= size {
            skip -= size;
            continue;
        }
        let take = (size - skip).min(to.len() - done);
        copy_buffer(buffer, skip, &mut to[done..done + take])?;
        (skip, done) = (0, done + take);
    }
    Some(done)
}

fn buffers(r: Request) -> impl Iterator<Item = *mut ngx_buf_t> {
    // SAFETY: the body's chain lives as long as the request.
    unsafe {
        let body = (*r.as_ptr()).request_body;
        let chain = if body.is_null() { std::ptr::null_mut() } else { (*body).bufs };
        links(chain).map(|link| link.as_ref().buf)
    }
}

/// Whether the bytes are in a file only, and how many they are.
fn span(buffer: *mut ngx_buf_t) -> (bool, usize) {
    // SAFETY: a live buffer; nginx's own rule (ngx_buf_in_memory, ngx_buf_size).
    unsafe {
        let b = &*buffer;
        let memory = bits::buf::TEMPORARY.is_set(b)
            || bits::buf::MEMORY.is_set(b)
            || bits::buf::MMAP.is_set(b);
        let size = if memory {
            b.last.offset_from(b.pos) as usize
        } else {
            (b.file_last - b.file_pos) as usize
        };
        (!memory, size)
    }
}

fn copy_buffer(buffer: *mut ngx_buf_t, from: usize, to: &mut [u8]) -> Option<()> {
    let (in_file, size) = span(buffer);
    debug_assert!(from + to.len() <= size);
    // SAFETY: `from + to.len()` is within the buffer's extent.
    unsafe {
        let b = &*buffer;
        if !in_file {
            std::ptr::copy_nonoverlapping(b.pos.add(from), to.as_mut_ptr(), to.len());
            return Some(());
        }
        let offset = b.file_pos + from as i64;
        let n = ngx_read_file(b.file, to.as_mut_ptr(), to.len(), offset);
        (n == to.len() as isize).then_some(())
    }
}
