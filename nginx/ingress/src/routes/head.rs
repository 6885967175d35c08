//! What conditions of routes look at in a request.

use std::borrow::Cow;

use wick_native::headers::{Side, each};
use wick_native::request::Request;
use wick_routes::Head;

/// The head of a request of nginx.
pub struct RequestHead<'r>(pub Request<'r>);

impl<'r> Head<'r> for RequestHead<'r> {
    fn method(&self) -> &'r [u8] {
        self.0.method()
    }

    /// Lines of cookies, in which HTTP/2 may divide them, are put together as the one line of HTTP/1 (RFC 9113, 8.2.3).
    fn header(&self, name: &[u8]) -> Option<Cow<'r, [u8]>> {
        let is_it = |(key, _): &(&[u8], &[u8])| key.eq_ignore_ascii_case(name);
        let mut lines = each(self.0, Side::Request).filter(is_it).map(|(_, value)| value);
        let mut whole = Cow::Borrowed(lines.next()?);
        for line in lines {
            let comma: &[u8] = if name.eq_ignore_ascii_case(b"cookie") { b"; " } else { b"," };
            whole.to_mut().extend_from_slice(comma);
            whole.to_mut().extend_from_slice(line);
        }
        Some(whole)
    }

    fn query(&self) -> &'r [u8] {
        self.0.args()
    }
}
