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
    /// `*`, `**` or empty.
    stars: &'static [u8],
    rest: &'a [u8],
}

impl<'a> Candidate<'a> {
    /// The record of this name, whatever host is requested.
    pub fn named(name: &'a [u8]) -> Self {
        Candidate { server: None, stars: b"", rest: name }
    }

    pub fn of(self, server: Option<&'a str>) -> Self {
        Candidate { server, ..self }
    }

    pub fn server(&self) -> Option<&'a str> {
        self.server
    }

    fn wildcard(stars: &'static [u8], rest: &'a [u8]) -> Self {
        Candidate { stars, ..Self::named(rest) }
    }

    /// Appends the name, without that of the server.
    pub fn write(&self, key: &mut Vec<u8>) {
        key.extend_from_slice(self.stars);
        key.extend_from_slice(self.rest);
    }
}

/// What is looked for.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    pub host: &'a [u8],
    /// Among whose hosts; `None`: those of the table's own server.
    pub server: Option<&'a str>,
    /// There are such hosts.
    pub is_served: bool,
}

impl<'a> Wanted<'a> {
    /// The records that it may be under, the best first.
    pub fn candidates(self) -> impl Iterator<Item = Candidate<'a>> {
        let all = if self.is_served { usize::MAX } else { 0 };
        candidates(self.host).take(all).map(move |candidate| candidate.of(self.server))
    }
}

/// The best first: the host itself, its first label replaced by `*`, its first labels by `**`, the fewest first, every other
/// host.
fn candidates(host: &[u8]) -> impl Iterator<Item = Candidate<'_>> {
    let exact = is_name(host).then_some(Candidate::named(host));
    let one = behind_labels(host).take(1).map(|rest| Candidate::wildcard(b"*", rest));
    let several = behind_labels(host).map(|rest| Candidate::wildcard(b"**", rest));
    exact.into_iter().chain(one).chain(several).chain([Candidate::named(ANY_HOST)])
}

/// Whether a record may bear this name and be meant by it. A requested `*.shop.test` is a pattern, not a name.
pub fn is_name(host: &[u8]) -> bool {
    host.len() <= MAX_HOST_BYTES && !matches!(host.first(), None | Some(b'*'))
}

/// The parts behind the first labels, each with its dot, the longest first: `.shop.test` and `.test` of `cart.shop.test`. The
/// labels before them must consist of word characters and dashes, as in the server names of ingress-nginx.
fn behind_labels(host: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut left = if host.len() <= MAX_HOST_BYTES { host } else { b"" };
    std::iter::from_fn(move || {
        let (label, rest) = left.split_at(left.iter().position(|byte| *byte == b'.')?);
        left = &rest[1..];
        let fits = !label.is_empty() && label.iter().all(is_word) && !left.is_empty();
        fits.then_some(rest)
    })
}

fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
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
        candidates(host.as_bytes()).map(name).collect()
    }

    #[test]
    fn a_wildcard_stands_for_one_label_or_for_several() {
        assert_eq!(names("cart.test"), ["cart.test", "*.test", "**.test", "_"]);
        assert_eq!(names("a_b-9.test"), ["a_b-9.test", "*.test", "**.test", "_"]);
        assert_eq!(
            names("a.b.shop.test"),
            ["a.b.shop.test", "*.b.shop.test", "**.b.shop.test", "**.shop.test", "**.test", "_"]
        );
    }

    #[test]
    fn labels_end_where_something_else_begins() {
        assert_eq!(names("a.b c.test"), ["a.b c.test", "*.b c.test", "**.b c.test", "_"]);
        assert_eq!(names("a..test"), ["a..test", "*..test", "**..test", "_"]);
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
