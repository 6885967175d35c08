//! What comes of a service's answer.

use wick_native::headers::{self, Side, add, is_field_value, of_upstream, remove_alike};
use wick_native::request::Request;

use super::question::Question;

/// What frames a message is its own, whoever says otherwise.
const FRAMING: [&[u8]; 9] = [
    b"connection",
    b"content-length",
    b"expect",
    b"keep-alive",
    b"te",
    b"trailer",
    b"transfer-encoding",
    b"upgrade",
    b"proxy-connection",
];

/// Gives the client's request these headers of the answer, in the place of what the client said under their names, in whatever
/// spelling; also where the answer has none. Several of a name become one, as nginx's `$upstream_http_…` does it. `None`: out of
/// memory.
pub fn pass_on(r: Request, question: &Question, names: &[Box<[u8]>]) -> Option<()> {
    for name in names {
        if FRAMING.iter().any(|framing| framing.eq_ignore_ascii_case(name)) {
            continue;
        }
        remove_alike(r, name);
        if name.eq_ignore_ascii_case(b"authorization") {
            r.forget_user();
        }
        let value = values(question, name).collect::<Vec<_>>().join(&b", "[..]);
        if !value.is_empty() && is_field_value(&value) {
            add(r, Side::Request, name, &value).ok()?;
        }
    }
    Some(())
}

/// Gives the client what the service asks of it.
pub fn challenge(r: Request, question: &Question) -> Option<()> {
    let mut lines = values(question, b"www-authenticate").filter(|value| is_field_value(value));
    lines.try_for_each(|value| add(r, Side::Response, b"WWW-Authenticate", value).ok())
}

/// Leads the client to where it can log in. `None`: out of memory.
pub fn lead(r: Request, to: &[u8]) -> Option<()> {
    headers::remove(r, Side::Response, b"WWW-Authenticate");
    headers::replace(r, Side::Response, b"Location", to).ok()
}

/// The answer's values of `name`, in order.
pub fn values<'r>(question: &Question, name: &'r [u8]) -> impl Iterator<Item = &'r [u8]> {
    let is_it = |(key, _): &(&[u8], &[u8])| key.eq_ignore_ascii_case(name);
    of_upstream(question.request()).filter(is_it).map(|(_, value)| value)
}
