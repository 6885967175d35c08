//! What conditions of routes look at in a request.

use std::borrow::Cow;

use wick_native::headers::see_all;
use wick_native::request::Request;
use wick_routes::Head;

/// The head of a request of nginx.
pub struct RequestHead<'r>(pub Request<'r>);

impl<'r> Head<'r> for RequestHead<'r> {
    fn method(&self) -> &'r [u8] {
        self.0.method()
    }

    /// Lines of cookies, in which HTTP/2 may divide them, are put together as the one line of HTTP/1 (RFC 9113, 8.2.3).
    #[inline]
    fn header(&self, lower: &[u8]) -> Option<Cow<'r, [u8]>> {
        let (mut first, mut has_more) = (None, false);
        see_all(self.0, |line| {
            if line.is_named(lower) {
                has_more = first.is_some();
                first.get_or_insert(line.value());
            }
        });
        if has_more { Some(Cow::Owned(self.joined(lower))) } else { first.map(Cow::Borrowed) }
    }

    fn query(&self) -> &'r [u8] {
        self.0.args()
    }

    fn scheme(&self) -> &'r [u8] {
        if self.0.is_tls() { b"https" } else { b"http" }
    }
}

impl RequestHead<'_> {
    /// Several lines of a header as one.
    #[cold]
    fn joined(&self, lower: &[u8]) -> Vec<u8> {
        let mut lines = Vec::new();
        see_all(self.0, |line| {
            if line.is_named(lower) {
                lines.push(line.value());
            }
        });
        let comma: &[u8] = if lower == b"cookie" { b"; " } else { b"," };
        lines.join(comma)
    }
}
