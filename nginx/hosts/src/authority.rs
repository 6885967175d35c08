//! Where a client writes its host: the Host header, `:authority`, the target of a request line in absolute form.

/// Whether `authority` (`uri-host [ ":" port ]`: RFC 9110, 7.2) names `host`, which nginx has read there (lower-case, without
/// port and without a dot at the end), and nobody who reads it as part of a URL finds another host.
#[inline]
pub fn is_host(authority: &[u8], host: &[u8]) -> bool {
    let Some((name, rest)) = authority.split_at_checked(host.len()) else { return false };
    // nginx copies a host only to make it lower-case.
    let is_same = std::ptr::eq(name, host) || name.eq_ignore_ascii_case(host);
    is_same && !host.iter().any(ends_host) && is_dot_and_port(rest)
}

/// The signs at which a URL's host begins or ends, for some readers at least (WHATWG URL). nginx refuses the slash.
fn ends_host(byte: &u8) -> bool {
    matches!(byte, b'@' | b'?' | b'#' | b'\\')
}

/// nginx 1.22 takes anything for a port.
fn is_dot_and_port(rest: &[u8]) -> bool {
    match rest.strip_prefix(b".").unwrap_or(rest) {
        [] => true,
        [b':', port @ ..] => port.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_may_have_a_port_a_dot_and_large_letters() {
        for authority in ["a.test", "A.tesT", "a.test.", "a.test:80", "a.test.:80", "a.test:"] {
            assert!(is_host(authority.as_bytes(), b"a.test"), "{authority}");
        }
        assert!(is_host(b"[::1]:80", b"[::1]") && is_host(b"a_b", b"a_b"));
    }

    #[test]
    fn what_could_be_read_as_another_host_is_none() {
        for authority in ["", "a.tes", "b.test", "a.test:80@b", "a.test:x", "a.test..", "a.test.x"]
        {
            assert!(!is_host(authority.as_bytes(), b"a.test"), "{authority}");
        }
        for host in ["u@a.test", "a.test?b", "a.test#b", "a.test\\b"] {
            assert!(!is_host(host.as_bytes(), host.as_bytes()), "{host}");
        }
        assert!(!is_host(b"[::1]b.test", b"[::1]"));
    }
}
