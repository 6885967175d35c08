//! What a service is told of the client's request.

use wick_native::headers::{Side, add, copy, is_alike};
use wick_native::request::Request;
use wick_native::variable::Variable;

use super::service::{Service, is_framing};
use super::texts::Text;
use crate::forwarded;
use crate::loops::is_count;

/// Of the client's headers those that are not sent, in no spelling: ours, and what is about its connection and body.
const NOT_SENT: [&[u8]; 24] = [
    b"Host",
    b"Connection",
    b"Content-Length",
    b"Expect",
    b"HTTP2-Settings",
    b"Keep-Alive",
    b"Proxy-Connection",
    b"TE",
    b"Trailer",
    b"Transfer-Encoding",
    b"Upgrade",
    b"X-Auth-Request-Redirect",
    b"X-Forwarded-For",
    b"X-Forwarded-Host",
    b"X-Forwarded-Port",
    b"X-Forwarded-Proto",
    b"X-Forwarded-Scheme",
    b"X-Original-Method",
    b"X-Original-URI",
    b"X-Original-URL",
    b"X-Real-IP",
    b"X-Request-ID",
    b"X-Scheme",
    b"X-Sent-From",
];

/// Gives the question its headers: the client's, and in the place of some of them ours. Source: nginx.tmpl of ingress-nginx, the
/// location of `auth_request`. `None`: out of memory, or a value is too long.
pub fn send(service: &Service, r: Request, to: Request) -> Option<()> {
    let (asked, texts) = (&*service.asked, &service.texts);
    // What the service says itself it is asked about under its name alone.
    let is_other_spelling =
        |name: &[u8], of: &[u8]| is_alike(name, of) && !name.eq_ignore_ascii_case(of);
    let is_ours = |name: &[u8]| {
        if asked.response_headers.iter().any(|of| is_other_spelling(name, of)) {
            return true;
        }
        let mut ours = NOT_SENT.iter().copied().chain(asked.headers.iter().map(|h| &*h.name));
        !is_count(name) && ours.any(|ours| is_alike(name, ours))
    };
    let is_own = |name: &[u8]| asked.headers.iter().any(|h| is_alike(&h.name, name));
    let put = |name: &[u8], value: &[u8]| match value {
        b"" => Some(()),
        _ if is_own(name) => Some(()),
        value => add(to, Side::Request, name, value).ok(),
    };
    let host = texts.host.fill(&asked.host, r)?;
    add(to, Side::Request, b"Host", host).ok()?;
    to.set_host(host);
    copy(r, to, |name| !is_ours(name))?;
    let value = |name: &[u8]| Variable::resolve(r, name).get(r).filter(|value| !value.is_empty());
    let first = |names: [&[u8]; 2]| names.into_iter().find_map(value).unwrap_or_default();
    put(b"X-Request-ID", first([b"req_id", b"request_id"]))?;
    put(b"X-Original-URL", &original_url(r, value(b"best_http_host")))?;
    put(b"X-Original-Method", r.method())?;
    put(b"X-Sent-From", b"nginx-ingress-controller")?;
    put(b"X-Real-IP", first([b"remote_addr", b""]))?;
    put(b"X-Forwarded-For", first([b"full_x_forwarded_for", b"remote_addr"]))?;
    if forwarded::believes_anybody(r) {
        put(b"X-Forwarded-Host", first([b"best_http_host", b"http_host"]))?;
        put(b"X-Forwarded-Port", first([b"pass_port", b"server_port"]))?;
        put(b"X-Forwarded-Scheme", first([b"pass_access_scheme", b"scheme"]))?;
    }
    put(b"X-Auth-Request-Redirect", redirect(service, r)?)?;
    if asked.method.is_some() {
        put(b"X-Original-URI", r.unparsed_uri())?;
        put(b"X-Scheme", first([b"pass_access_scheme", b"scheme"]))?;
    }
    let own = texts.headers.get_or_init(|| asked.headers.iter().map(|_| Text::default()).collect());
    for (header, text) in asked.headers.iter().zip(own) {
        let value = text.fill(&header.value, r)?;
        if !value.is_empty() && !is_count(&header.name) {
            add(to, Side::Request, &header.name, value).ok()?;
        }
    }
    Some(())
}

/// Gives the question of a filter its headers: of the client's those alone that are named. Source: Gateway API, HTTPAuthConfig.
/// `None`: out of memory, or a value is too long.
pub fn send_allowed(service: &Service, r: Request, to: Request) -> Option<()> {
    let (asked, texts) = (&*service.asked, &service.texts);
    let host = texts.host.fill(&asked.host, r)?;
    add(to, Side::Request, b"Host", host).ok()?;
    to.set_host(host);
    let is_allowed = |name: &[u8]| {
        name.eq_ignore_ascii_case(b"Authorization")
            || asked.request_headers.iter().any(|of| name.eq_ignore_ascii_case(of))
    };
    copy(r, to, |name| {
        is_allowed(name) && !is_framing(name) && !name.eq_ignore_ascii_case(b"Host")
    })?;
    to.set_content_length(0);
    Some(())
}

fn redirect<'r>(service: &Service, r: Request<'r>) -> Option<&'r [u8]> {
    match &service.asked.request_redirect {
        Some(redirect) => service.texts.request_redirect.fill(redirect, r),
        None => Some(r.unparsed_uri()),
    }
}

/// With the scheme of the client's connection, whatever proxies in front say, and the host that the route was found by.
fn original_url(r: Request, host: Option<&[u8]>) -> Vec<u8> {
    let scheme: &[u8] = if r.is_tls() { b"https://" } else { b"http://" };
    [scheme, host.or(r.host_header()).unwrap_or(r.host()), r.unparsed_uri()].concat()
}
