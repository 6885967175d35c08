//! The labels of an endpoint.

use crate::labels::{LabelSet, MAX_NAME_BYTES, cut, hash, put, unescaped};

/// Of attempts with an endpoint of a backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndpointLabels<'a> {
    pub backend: &'a [u8],
    /// Address and port.
    pub endpoint: &'a [u8],
}

const BACKEND: &str = "backend";
const ENDPOINT: &str = ",endpoint";

impl EndpointLabels<'static> {
    /// Of attempts that there is no room for.
    pub const FOLDED: EndpointLabels<'static> =
        EndpointLabels { backend: b"_folded", endpoint: b"_folded" };
}

impl LabelSet for EndpointLabels<'_> {
    fn text(&self) -> Vec<u8> {
        let mut text = Vec::with_capacity(128);
        put(&mut text, BACKEND, cut(self.backend, MAX_NAME_BYTES));
        put(&mut text, ENDPOINT, cut(self.endpoint, MAX_NAME_BYTES));
        text
    }

    /// That of the backend.
    fn owner(&self, seed: u64) -> u128 {
        owner_of_backend(self.backend, seed)
    }
}

pub fn owner_of_backend(backend: &[u8], seed: u64) -> u128 {
    hash(backend, seed)
}

/// The backend and the endpoint that a text was made of.
pub fn read(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let text = text.strip_prefix(b"backend=\"")?.strip_suffix(b"\"")?;
    let between = b"\",endpoint=\"";
    // An endpoint has no quotes.
    let at = text.windows(between.len()).rposition(|window| window == between)?;
    Some((unescaped(&text[..at]), &text[at + between.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_tells_what_it_was_made_of() {
        for backend in ["shop-cart-80", "", "a\"b\\c\nd", "x\",endpoint=\"y"] {
            let labels = EndpointLabels { backend: backend.as_bytes(), endpoint: b"[::1]:80" };
            let text = labels.text();
            assert_eq!(read(&text), Some((backend.as_bytes().to_vec(), &b"[::1]:80"[..])));
        }
        assert_eq!(read(b"path=\"/\""), None);
    }
}
