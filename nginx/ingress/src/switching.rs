//! Other protocols on a client's connection: those that go past every check, because they carry requests of their own, are
//! never asked for; and a backend that switches to one that was not asked for has the connection ended.
//!
//! No module of nginx's: [`crate::forwarded`] calls it and installs its filter.

use ngx::ffi::{
    NGX_HTTP_BAD_GATEWAY, NGX_HTTP_SWITCHING_PROTOCOLS, NGX_HTTP_VERSION_11, NGX_LOG_ERR,
    ngx_http_request_t, ngx_int_t,
};
use wick_native::filter::HeaderFilter;
use wick_native::guard::guard;
use wick_native::headers::{Side, each, is_token, of_upstream, remove, replace};
use wick_native::log;
use wick_native::request::Request;

static FILTER: HeaderFilter = HeaderFilter::new();

const BAD_GATEWAY: ngx_int_t = NGX_HTTP_BAD_GATEWAY as ngx_int_t;
const SWITCHING: u16 = NGX_HTTP_SWITCHING_PROTOCOLS as u16;

/// In front of all filters that were installed before.
pub fn install() {
    FILTER.install(header);
}

/// Leaves in `Upgrade` the protocols that may be asked for. `None`: out of memory.
pub fn clean(r: Request) -> Option<()> {
    let asked = values(r);
    if asked.is_empty() {
        return Some(());
    }
    let kept: Vec<&[u8]> = asked.iter().flat_map(|value| protocols(value)).collect();
    let kept = kept.join(&b", "[..]);
    match *asked {
        [value] if value == kept => Some(()),
        _ if kept.is_empty() => {
            remove(r, Side::Request, b"Upgrade");
            Some(())
        }
        _ => replace(r, Side::Request, b"Upgrade", &kept).ok(),
    }
}

fn values<'r>(r: Request<'r>) -> Vec<&'r [u8]> {
    let is_it = |(name, _): &(&[u8], &[u8])| name.eq_ignore_ascii_case(b"upgrade");
    each(r, Side::Request).filter(is_it).map(|(_, value)| value).collect()
}

/// Those of a list that may be asked for.
fn protocols(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    list.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).filter(|one| may_be_asked_for(one))
}

/// Neither a version of HTTP, nor TLS, in which one could be spoken (RFC 2817); `name` or `name/version`, and nothing that a
/// liberal reader could find one of them in.
fn may_be_asked_for(protocol: &[u8]) -> bool {
    let mut parts = protocol.splitn(2, |byte| *byte == b'/');
    let is_spelled = parts.all(is_token);
    let lower = protocol.to_ascii_lowercase();
    let is_http = [&b"http"[..], b"h2", b"h3", b"tls"].iter().any(|name| lower.starts_with(name));
    is_spelled && !is_http && !lower.windows(3).any(|part| part == b"h2c")
}

// Nearly no answer is one. Those to subrequests are whose that make them: none goes to a client.
unsafe extern "C" fn header(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: filters get live requests.
    let request = unsafe { Request::from_raw(r) };
    if request.status() == SWITCHING
        && request.is_main()
        && !guard(false, || was_asked_for(request))
    {
        return refuse(request);
    }
    // SAFETY: what nginx called this with.
    unsafe { FILTER.next(r) }
}

/// Whether the client waits for what the backend says from here on: it has asked for a protocol, in the version of HTTP that
/// can, and the backend names no other one.
#[cold]
fn was_asked_for(r: Request) -> bool {
    let asked = values(r);
    let is_asked = |protocol: &[u8]| {
        let mut all = asked.iter().flat_map(|value| protocols(value));
        all.any(|one| one.eq_ignore_ascii_case(protocol))
    };
    let told = of_upstream(r).filter(|(name, _)| name.eq_ignore_ascii_case(b"upgrade"));
    let mut told = told.flat_map(|(_, value)| value.split(|byte| *byte == b','));
    let is_http_11 = r.http_version() == NGX_HTTP_VERSION_11 as usize;
    is_http_11 && !asked.is_empty() && told.all(|one| is_asked(one.trim_ascii()))
}

#[cold]
fn refuse(r: Request) -> ngx_int_t {
    let line = "upstream switched to a protocol that the client has not asked for";
    log::write(r.log(), NGX_LOG_ERR as usize, format_args!("{line}"));
    r.close_after();
    // nginx's own protocol switch comes after this filter.
    BAD_GATEWAY
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(list: &[u8]) -> Vec<u8> {
        protocols(list).collect::<Vec<_>>().join(&b", "[..])
    }

    #[test]
    fn no_version_of_http_is_asked_for_in_any_spelling() {
        for list in [
            &b"h2c"[..],
            b"H2C",
            b" h2c\t",
            b"h2c,,h2c",
            b"h2",
            b"h2c-14",
            b"h2c/1",
            b"HTTP/2.0",
            b"http",
            b"TLS/1.3",
            b"h3",
            b"\"h2c\"",
            b"h2c;q=1",
            b"xh2c",
            b"websocket h2c",
            b"web\x00socket",
            b"",
        ] {
            assert_eq!(kept(list), b"", "{}", list.escape_ascii());
        }
    }

    #[test]
    fn other_protocols_stay() {
        assert_eq!(kept(b"websocket"), b"websocket");
        assert_eq!(kept(b"WebSocket , h2c,SPDY/3.1"), b"WebSocket, SPDY/3.1");
        assert_eq!(kept(b"tcp"), b"tcp");
    }
}
