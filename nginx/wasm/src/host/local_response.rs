//! The response that a filter gives in the place of an upstream's.

use wick_abi::HeaderMap;

/// An answer to send once the filter has returned; its bytes are in the request's pool.
#[derive(Clone, Copy)]
pub struct LocalResponse {
    pub status: u16,
    pub body: &'static [u8],
    /// Checked and encoded as a header map.
    pub headers: &'static [u8],
}

impl LocalResponse {
    pub fn headers(&self) -> impl Iterator<Item = (&'static [u8], &'static [u8])> + use<> {
        HeaderMap::parse(self.headers).ok().into_iter().flat_map(|map| map.iter())
    }
}
