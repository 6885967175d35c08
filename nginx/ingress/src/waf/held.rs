//! The body of a response that must not be sent yet.

use std::ptr::{NonNull, null_mut};

use ngx::ffi::{ngx_buf_t, ngx_chain_t, ngx_read_file};
use wick_native::bits;
use wick_native::chain::links;
use wick_native::request::Request;

/// Copies: who made the originals uses their memory again.
#[derive(Default)]
pub struct Held {
    parts: Vec<Vec<u8>>,
}

/// A piece of a response.
pub enum Piece<'b> {
    Memory(&'b [u8]),
    Copy(Vec<u8>),
}

impl Piece<'_> {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Piece::Memory(bytes) => bytes,
            Piece::Copy(bytes) => bytes,
        }
    }
}

impl Held {
    pub fn push(&mut self, piece: &Piece<'_>) {
        self.parts.push(piece.bytes().to_vec());
    }

    /// As a chain in the request's memory, whose last link says whether the response ends. `None`: out of memory, or there is nothing to say.
    pub fn take(&mut self, r: Request, is_last: bool) -> Option<NonNull<ngx_chain_t>> {
        let mut chain = None;
        let parts = std::mem::take(&mut self.parts);
        if is_last || parts.is_empty() {
            chain = Some(link(r, &[], is_last, null_mut())?);
        }
        for part in parts.iter().rev() {
            let next = chain.map_or(null_mut(), NonNull::as_ptr);
            chain = Some(link(r, r.pool().copy(part)?, false, next)?);
        }
        chain
    }
}

fn link(
    r: Request,
    bytes: &[u8],
    is_last: bool,
    next: *mut ngx_chain_t,
) -> Option<NonNull<ngx_chain_t>> {
    // SAFETY: zeroed structures of nginx; what is sent lies in the request's memory, and nginx only reads it.
    unsafe {
        let buffer = r.pool().zeroed::<ngx_buf_t>()?.as_ptr();
        (*buffer).start = bytes.as_ptr().cast_mut();
        (*buffer).pos = (*buffer).start;
        (*buffer).last = (*buffer).start.add(bytes.len());
        (*buffer).end = (*buffer).last;
        bits::buf::MEMORY.set(buffer, u32::from(!bytes.is_empty()));
        bits::buf::SYNC.set(buffer, u32::from(bytes.is_empty() && !is_last));
        bits::buf::LAST_BUF.set(buffer, u32::from(is_last));
        bits::buf::LAST_IN_CHAIN.set(buffer, u32::from(is_last));
        r.pool().put(ngx_chain_t { buf: buffer, next })
    }
}

/// What a chain has, and whether the response ends with it. `None`: a file cannot be read.
///
/// # Safety
/// Null, or a live chain of live buffers.
pub unsafe fn pieces<'b>(chain: *mut ngx_chain_t) -> Option<(Vec<Piece<'b>>, bool)> {
    let (mut pieces, mut is_last) = (Vec::new(), false);
    // SAFETY: as promised.
    for link in unsafe { links(chain) } {
        // SAFETY: as above.
        unsafe {
            let buffer = link.as_ref().buf;
            is_last |= bits::buf::LAST_BUF.is_set(buffer);
            let in_memory = bits::buf::TEMPORARY.is_set(buffer)
                || bits::buf::MEMORY.is_set(buffer)
                || bits::buf::MMAP.is_set(buffer);
            if in_memory {
                let len = (*buffer).last.offset_from((*buffer).pos) as usize;
                pieces.push(Piece::Memory(std::slice::from_raw_parts((*buffer).pos, len)));
            } else if bits::buf::IN_FILE.is_set(buffer) {
                pieces.push(Piece::Copy(of_file(buffer)?));
            }
        }
    }
    Some((pieces, is_last))
}

/// # Safety
/// A live buffer, whose bytes are in its file.
unsafe fn of_file(buffer: *mut ngx_buf_t) -> Option<Vec<u8>> {
    // SAFETY: as promised.
    unsafe {
        let len = usize::try_from((*buffer).file_last - (*buffer).file_pos).ok()?;
        let mut bytes = vec![0; len];
        let read = ngx_read_file((*buffer).file, bytes.as_mut_ptr(), len, (*buffer).file_pos);
        (usize::try_from(read) == Ok(len)).then_some(bytes)
    }
}
