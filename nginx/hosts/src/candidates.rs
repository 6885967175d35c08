//! The records under which a requested host may be found.

/// The longest host that has a record of its own (RFC 1035, 2.3.4); longer ones are served like unknown ones.
const MAX_HOST_BYTES: usize = 253;

/// The name of the record for every host that has none of its own.
pub const ANY_HOST: &[u8] = b"_";

/// The name of one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<'a> {
    /// Whose host it is; `None`: the table's own server.
    server: Option<&'a str>,
    /// `*` or empty.
    star: &'static [u8],
    rest: &'a [u8],
}

impl<'a> Candidate<'a> {
    /// The record of this name, whatever host is requested.
    pub fn named(name: &'a [u8]) -> Self {
        Candidate { server: None, star: b"", rest: name }
    }

    pub fn of(self, server: Option<&'a str>) -> Self {
        Candidate { server, ..self }
    }

    pub fn server(&self) -> Option<&'a str> {
        self.server
    }

    /// Appends the name, without that of the server.
    pub fn write(&self, key: &mut Vec<u8>) {
        key.extend_from_slice(self.star);
        key.extend_from_slice(self.rest);
    }
}

/// The best first: the host itself, its first label replaced by `*`, every other host.
pub fn candidates(host: &[u8]) -> [Option<Candidate<'_>>; 3] {
    [
        is_name(host).then_some(Candidate::named(host)),
        wildcard(host).map(|rest| Candidate { star: b"*", ..Candidate::named(rest) }),
        Some(Candidate::named(ANY_HOST)),
    ]
}

/// Whether a record may bear this name and be meant by it. A requested `*.shop.test` is a pattern, not a name.
pub fn is_name(host: &[u8]) -> bool {
    host.len() <= MAX_HOST_BYTES && !matches!(host.first(), None | Some(b'*'))
}

/// The part behind the first label, with its dot: `.shop.test` of `cart.shop.test`, found under `*.shop.test`. The
/// label must consist of word characters and dashes, as in the server names of ingress-nginx.
fn wildcard(host: &[u8]) -> Option<&[u8]> {
    let dot = host.iter().position(|byte| *byte == b'.')?;
    let (label, rest) = host.split_at(dot);
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let fits = host.len() <= MAX_HOST_BYTES && rest.len() > 1;
    (fits && !label.is_empty() && label.iter().all(word)).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(host: &str) -> Vec<String> {
        let name = |candidate: Candidate| {
            let mut name = Vec::new();
            candidate.write(&mut name);
            String::from_utf8(name).expect("made of text")
        };
        candidates(host.as_bytes()).into_iter().flatten().map(name).collect()
    }

    #[test]
    fn a_wildcard_stands_for_one_label() {
        assert_eq!(names("cart.shop.test"), ["cart.shop.test", "*.shop.test", "_"]);
        assert_eq!(names("a_b-9.test"), ["a_b-9.test", "*.test", "_"]);
        assert_eq!(names("a.b.shop.test"), ["a.b.shop.test", "*.b.shop.test", "_"]);
    }

    #[test]
    fn what_is_no_label_has_no_wildcard() {
        for host in ["localhost", ".test", "caf\u{e9}.test", "a b.test", "[::1]", "cart."] {
            assert_eq!(names(host), [host, "_"]);
        }
    }

    #[test]
    fn a_requested_pattern_is_no_name() {
        assert_eq!(names("*.shop.test"), ["_"]);
    }

    #[test]
    fn a_host_that_is_absent_or_too_long_is_any_host() {
        assert_eq!(names(""), ["_"]);
        assert_eq!(names(&["a".repeat(250), "test".into()].join(".")), ["_"]);
    }
}
