//! The response that a filter gives in the place of an upstream's.

use std::ptr::NonNull;

use wick_abi::HeaderMap;
use wick_native::request::Request;

use crate::subject::Subject;

/// An answer to send once the filter has returned; in the subject's pool. A session is closed for it.
#[derive(Clone, Copy)]
pub struct LocalResponse {
    subject: Subject<'static>,
    parts: NonNull<Parts>,
}

struct Parts {
    status: u16,
    body: NonNull<[u8]>,
    /// Checked and encoded as a header map.
    headers: NonNull<[u8]>,
}

impl LocalResponse {
    /// `headers` are a header map. `None`: out of memory.
    pub fn copy(
        subject: Subject,
        status: u16,
        headers: &[u8],
        body: &[u8],
    ) -> Option<LocalResponse> {
        let copy = |bytes: &[u8]| subject.pool().copy(bytes).map(|copy| NonNull::from(&*copy));
        let (headers, body) = (copy(headers)?, copy(body)?);
        let parts = subject.pool().put(Parts { status, body, headers })?;
        // SAFETY: it is only compared.
        Some(LocalResponse { subject: unsafe { subject.with_lifetime() }, parts })
    }

    /// 500 if it is not an answer to this request.
    pub fn status(&self, r: Request) -> u16 {
        self.parts(r).map_or(500, |parts| parts.status)
    }

    /// Empty if it is not an answer to this request.
    pub fn body<'r>(&self, r: Request<'r>) -> &'r [u8] {
        // SAFETY: of the pool of `r`, and nobody changes it.
        self.parts(r).map_or(&[], |parts| unsafe { parts.body.as_ref() })
    }

    /// None if it is not an answer to this request.
    pub fn headers<'r>(&self, r: Request<'r>) -> impl Iterator<Item = (&'r [u8], &'r [u8])> {
        // SAFETY: as above.
        let headers = self.parts(r).map_or(&[][..], |parts| unsafe { parts.headers.as_ref() });
        HeaderMap::parse(headers).ok().into_iter().flat_map(|map| map.iter())
    }

    fn parts<'r>(&self, r: Request<'r>) -> Option<&'r Parts> {
        if self.subject != Subject::from(r) {
            return None;
        }
        // SAFETY: in the pool of `r`.
        Some(unsafe { self.parts.as_ref() })
    }
}
