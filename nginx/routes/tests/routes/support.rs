//! Records of hosts for the tests, written as docs/wire.md 2 has it.

use std::convert::Infallible;

use wick_routes::{HostRoutes, Match, PathMatch};

/// A route as a test means it; everything that does not matter has a fixed value.
#[derive(Clone, Debug)]
pub struct Sketch {
    pub path: String,
    pub path_match: PathMatch,
}

pub fn sketch(path: &str, path_match: PathMatch) -> Sketch {
    Sketch { path: path.to_owned(), path_match }
}

/// `tag`: the id, and [`CRITICAL`] if it is.
pub fn field(tag: u8, bytes: &[u8]) -> Vec<u8> {
    let word = u32::from(tag) | (bytes.len() as u32) << 8;
    [&word.to_le_bytes(), bytes].concat()
}

/// What a variable and a header consist of: a name with its length in front, and a text.
pub fn named(name: &[u8], text: &[u8]) -> Vec<u8> {
    [&[name.len() as u8], name, text].concat()
}

/// What a redirect consists of.
pub fn redirect(code: u16, to: &[u8]) -> Vec<u8> {
    [&code.to_le_bytes(), to].concat()
}

/// Who does not know such a field must not serve without it.
pub const CRITICAL: u8 = 0x80;

/// One route, a field of its host.
pub fn route(fields: &[Vec<u8>]) -> Vec<u8> {
    field(6, &fields.concat())
}

pub fn record(routes: &[Vec<u8>]) -> Vec<u8> {
    record_of(&[], routes)
}

/// A record with fields of the host's own.
pub fn record_of(own: &[Vec<u8>], routes: &[Vec<u8>]) -> Vec<u8> {
    field(3, &[own.concat(), routes.concat()].concat())
}

/// The fields that every route has.
pub fn required(path: &str, path_match: PathMatch) -> Vec<Vec<u8>> {
    vec![
        field(1, path.as_bytes()),
        field(2, &[path_match as u8]),
        field(3, b"policy"),
        field(4, b"backend"),
    ]
}

pub fn sketched(sketches: &[Sketch]) -> Vec<u8> {
    let routes = sketches.iter().map(|s| route(&required(&s.path, s.path_match)));
    record(&routes.collect::<Vec<_>>())
}

/// The route of a host whose patterns consist of letters, `.`, `*` and `$`.
pub fn find(host: &HostRoutes, path: &[u8]) -> Option<Match> {
    let found = host.find(path, |_, pattern| Ok::<_, Infallible>(matches(pattern, path)));
    found.unwrap_or_else(|never| match never {})
}

/// Whether a pattern of letters, `.`, `*` and `$` matches at the start of `text`, whatever the case.
pub fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let fits = |wanted: u8, byte: &u8| wanted == b'.' || wanted.eq_ignore_ascii_case(byte);
    match pattern {
        [] => true,
        [b'$'] => text.is_empty(),
        [wanted, b'*', rest @ ..] => {
            let longest = text.iter().take_while(|byte| fits(*wanted, byte)).count();
            (0..=longest).any(|n| matches(rest, &text[n..]))
        }
        [wanted, rest @ ..] => match text {
            [byte, text @ ..] => fits(*wanted, byte) && matches(rest, text),
            [] => false,
        },
    }
}
