//! Which headers are whose, by their names.

use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Anybody may send it.
    Clients,
    /// Says what a proxy in front knows of the client; we say it ourselves to everybody whom a request is passed on to.
    Replaced,
    /// Likewise, and we do not.
    Proxys,
    /// No request may bring it.
    Nobodys,
}

/// Whether `lower`, a name in small letters, may be of another kind than the client's: a look at its first letters.
#[inline]
pub fn is_suspect(lower: &[u8]) -> bool {
    match lower.first() {
        Some(b'x') => is_told(lower),
        Some(b'f') => matches!(lower, b"forwarded" | b"front-end-https"),
        Some(b'h') => lower == b"http2-settings",
        Some(b'p') => lower == b"proxy",
        Some(b's') => lower.starts_with(b"ssl-client-"),
        Some(b'u') => lower == b"upgrade",
        _ => false,
    }
}

#[inline]
fn is_told(lower: &[u8]) -> bool {
    lower.starts_with(b"x-forwarded")
        || lower.starts_with(b"x-original-")
        || matches!(lower, b"x-real-ip" | b"x-scheme" | b"x-url-scheme" | b"x-rewrite-url")
}

/// What a header is; its name as CGI reads it, [folded].
pub fn kind_of(folded: &[u8]) -> Kind {
    match folded {
        b"proxy" | b"http2-settings" => Kind::Nobodys,
        _ if folded.starts_with(b"ssl-client-") => Kind::Nobodys,
        b"x-forwarded-for"
        | b"x-forwarded-host"
        | b"x-forwarded-port"
        | b"x-forwarded-proto"
        | b"x-forwarded-scheme"
        | b"x-real-ip"
        | b"x-scheme" => Kind::Replaced,
        b"forwarded" | b"front-end-https" => Kind::Proxys,
        _ if is_told(folded) => Kind::Proxys,
        _ => Kind::Clients,
    }
}

/// Whether the name has other characters than letters, digits and dashes.
#[inline]
pub fn is_odd(lower: &[u8]) -> bool {
    !lower.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

/// The name under which a backend may file it that makes variables of names.
pub fn folded(lower: &[u8]) -> Cow<'_, [u8]> {
    let fold = |byte: &u8| if byte.is_ascii_alphanumeric() { *byte } else { b'-' };
    if is_odd(lower) { lower.iter().map(fold).collect::<Vec<_>>().into() } else { lower.into() }
}

/// What says where a message ends, or who sends it.
pub fn is_framing(folded: &[u8]) -> bool {
    let names = [
        &b"content-length"[..],
        b"content-type",
        b"keep-alive",
        b"proxy-authorization",
        b"proxy-connection",
        b"transfer-encoding",
    ];
    names.contains(&folded)
}

/// Of a header, in small letters.
pub type Name = Box<[u8]>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_the_clients_is_suspect_in_every_family() {
        for name in [
            &b"forwarded"[..],
            b"x-forwarded",
            b"x-forwarded-for",
            b"x-forwarded-anything",
            b"x-original-url",
            b"x-rewrite-url",
            b"x-real-ip",
            b"x-scheme",
            b"ssl-client-verify",
            b"ssl-client-anything",
            b"proxy",
            b"http2-settings",
        ] {
            assert!(kind_of(name) != Kind::Clients && is_suspect(name), "{}", name.escape_ascii());
        }
        for name in [&b"x-forward"[..], b"x-request-id", b"proxy-authorization", b"host", b""] {
            assert!(kind_of(name) == Kind::Clients && !is_suspect(name), "{}", name.escape_ascii());
        }
    }

    #[test]
    fn names_are_folded_as_cgi_does() {
        assert_eq!(&*folded(b"x_forwarded.for"), b"x-forwarded-for");
        assert!(matches!(folded(b"x-real-ip"), Cow::Borrowed(_)));
        assert!(is_odd(b"x_a") && !is_odd(b"x-a0"));
    }
}
