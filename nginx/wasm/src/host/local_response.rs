//! The response that a filter gives in the place of an upstream's.

use std::ptr::NonNull;

use ngx::ffi::ngx_http_request_t;
use wick_abi::HeaderMap;
use wick_native::request::Request;

/// An answer to send once the filter has returned. Its bytes are in the request's pool.
#[derive(Clone, Copy)]
pub struct LocalResponse {
    pub status: u16,
    request: NonNull<ngx_http_request_t>,
    body: NonNull<[u8]>,
    /// Checked and encoded as a header map.
    headers: NonNull<[u8]>,
}

impl LocalResponse {
    /// `headers` are a header map. `None`: out of memory.
    pub fn copy(r: Request, status: u16, headers: &[u8], body: &[u8]) -> Option<LocalResponse> {
        let copy = |bytes: &[u8]| r.pool().copy(bytes).map(|copy| NonNull::from(&*copy));
        let (headers, body) = (copy(headers)?, copy(body)?);
        Some(LocalResponse { status, request: NonNull::new(r.as_ptr())?, body, headers })
    }

    /// Empty if it is not an answer to this request.
    pub fn body<'r>(&self, r: Request<'r>) -> &'r [u8] {
        self.bytes(r, self.body)
    }

    /// None if it is not an answer to this request.
    pub fn headers<'r>(&self, r: Request<'r>) -> impl Iterator<Item = (&'r [u8], &'r [u8])> {
        HeaderMap::parse(self.bytes(r, self.headers)).ok().into_iter().flat_map(|map| map.iter())
    }

    fn bytes<'r>(&self, r: Request<'r>, bytes: NonNull<[u8]>) -> &'r [u8] {
        let is_own = self.request.as_ptr() == r.as_ptr();
        // SAFETY: of the pool of `r`, and nobody changes them.
        if is_own { unsafe { bytes.as_ref() } } else { &[] }
    }
}
