//! What comes of a service's answer.

use std::borrow::Cow;
use std::time::{SystemTime, UNIX_EPOCH};

use ngx::ffi::ngx_parse_http_time;
use wick_access::{ExternalAuth, ServiceAnswer, seconds_to_keep};
use wick_native::headers::{self, Side, add, is_field_value, of_upstream};
use wick_native::request::Request;

use super::question::Question;
use super::service::{Service, is_framing, take_out};

/// What matters of the answer, without what no header may have. Several values of a name become one, as with nginx's
/// `$upstream_http_…`.
pub fn of<'r>(question: &Question, status: u16, names: &'r [Box<[u8]>]) -> ServiceAnswer<'r> {
    let joined = |name: &'r [u8]| {
        let value = values(question, name).collect::<Vec<_>>().join(&b", "[..]);
        (!value.is_empty() && is_field_value(&value)).then_some(Cow::Owned(value))
    };
    let challenges = values(question, b"www-authenticate").filter(|value| is_field_value(value));
    ServiceAnswer {
        status,
        headers: names.iter().map(|name| joined(name)).collect(),
        challenges: challenges.map(Cow::Borrowed).collect(),
    }
}

/// For how many seconds it may be kept; `None`: not at all.
pub fn freshness(question: &Question, status: u16, asked: &ExternalAuth) -> Option<u32> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs() as i64;
    // SAFETY: nginx reads so many bytes.
    let parse = |text: &[u8]| unsafe { ngx_parse_http_time(text.as_ptr().cast_mut(), text.len()) };
    let parse = |text: &[u8]| Some(parse(text)).filter(|at| *at >= 0);
    seconds_to_keep(status, of_upstream(question.request()), &asked.cache_durations, now, parse)
}

/// Gives the client's request the headers of the answer that are named, in the place of what the client said under their names, in
/// whatever spelling; also where the answer has none. `None`: out of memory.
pub fn pass_on(r: Request, service: &Service, answer: &ServiceAnswer) -> Option<()> {
    service.strip(r);
    for (name, value) in service.asked.response_headers.iter().zip(&answer.headers) {
        if let Some(value) = value
            && !is_framing(name)
        {
            add(r, Side::Request, name, value).ok()?;
        }
    }
    Some(())
}

/// Gives the client's request all headers of the answer, but for `Host` and what is about its connection and body, in the place of
/// what the client said under their names. Source: Gateway API, HTTPAuthConfig. `None`: out of memory, or one cannot be had.
pub fn pass_on_all(r: Request, question: &Question) -> Option<()> {
    let headers = || {
        let all = of_upstream(question.request());
        // nginx has empty ones of its own there.
        all.filter(|(name, value)| {
            is_for_backends(name) && !value.is_empty() && is_field_value(value)
        })
    };
    headers().for_each(|(name, _)| take_out(r, name));
    headers().try_for_each(|(name, value)| add(r, Side::Request, name, value).ok())
}

fn is_for_backends(name: &[u8]) -> bool {
    let is_of_body = name.get(..8).is_some_and(|begin| begin.eq_ignore_ascii_case(b"content-"));
    let is_host = [&b"host"[..], b"authority"].iter().any(|own| own.eq_ignore_ascii_case(name));
    !is_framing(name) && !is_of_body && !is_host
}

/// Gives the client what the service asks of it.
pub fn challenge(r: Request, answer: &ServiceAnswer) -> Option<()> {
    let mut challenges = answer.challenges.iter();
    challenges.try_for_each(|value| add(r, Side::Response, b"WWW-Authenticate", value).ok())
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
