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
    fn header(&self, name: &[u8]) -> Option<Cow<'r, [u8]>> {
        let mut whole: Option<Cow<'r, [u8]>> = None;
        see_all(self.0, |line| {
            if !line.lower().eq_ignore_ascii_case(name) {
                return;
            }
            let Some(lines) = &mut whole else {
                whole = Some(Cow::Borrowed(line.value()));
                return;
            };
            let comma: &[u8] = if name.eq_ignore_ascii_case(b"cookie") { b"; " } else { b"," };
            lines.to_mut().extend_from_slice(comma);
            lines.to_mut().extend_from_slice(line.value());
        });
        whole
    }

    fn query(&self) -> &'r [u8] {
        self.0.args()
    }

    fn scheme(&self) -> &'r [u8] {
        if self.0.is_tls() { b"https" } else { b"http" }
    }
}
