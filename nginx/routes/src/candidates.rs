//! The records under which a requested host may be found, best first: exact, one wildcard label, every other host.

/// The longest host that is looked up by its own name (RFC 1035, 2.3.4); a longer one has the record of `_` only.
pub const MAX_HOST_BYTES: usize = 253;

/// The name of the record for every host that has none of its own.
pub const ANY_HOST: &[u8] = b"_";

/// The host itself, if a record may bear its name. `*.rest` as a requested host is no name but a pattern.
pub fn exact(host: &[u8]) -> Option<&[u8]> {
    (!host.is_empty() && host.len() <= MAX_HOST_BYTES && !host.contains(&b'*')).then_some(host)
}

/// The part behind the first label, with its dot: `.shop.test` of `cart.shop.test`, found under `*.shop.test`.
/// The label must consist of word characters and dashes, as in ingress-nginx's server names (template.md 3).
pub fn wildcard(host: &[u8]) -> Option<&[u8]> {
    let dot = host.iter().position(|byte| *byte == b'.')?;
    let (label, rest) = host.split_at(dot);
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let fits = host.len() <= MAX_HOST_BYTES && rest.len() > 1;
    (fits && !label.is_empty() && label.iter().all(word)).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wildcard_stands_for_one_label() {
        assert_eq!(wildcard(b"cart.shop.test"), Some(&b".shop.test"[..]));
        assert_eq!(wildcard(b"a_b-9.test"), Some(&b".test"[..]));
        assert_eq!(wildcard(b"a.b.shop.test"), Some(&b".b.shop.test"[..]));
    }

    #[test]
    fn what_is_no_label_has_no_wildcard() {
        for host in
            ["", "localhost", ".test", "ca\u{e9}.test", "a b.test", "*.shop.test", "[::1]", "cart."]
        {
            assert_eq!(wildcard(host.as_bytes()), None, "{host}");
        }
    }

    #[test]
    fn a_requested_pattern_is_no_name() {
        assert_eq!(exact(b"*.shop.test"), None);
        assert_eq!(exact(b"shop.test"), Some(&b"shop.test"[..]));
    }

    #[test]
    fn a_host_that_is_too_long_has_no_record_of_its_own() {
        let host = ["a".repeat(250).as_bytes(), b".test"].concat();
        assert_eq!((exact(&host), wildcard(&host)), (None, None));
    }
}
