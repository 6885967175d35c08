//! Records of hosts for the tests, written as docs/wire.md 2 has it.

use std::borrow::Cow;
use std::convert::Infallible;

use wick_routes::{Asks, Condition, Head, HostRoutes, Match, PathMatch, Route, Wanted};

/// A route as a test means it; everything that does not matter has a fixed value.
#[derive(Clone, Debug)]
pub struct Sketch {
    pub path: String,
    pub path_match: PathMatch,
    /// A bit for each header, of the first of [`HEADERS`], that a request has to have.
    pub needs: u8,
    /// The location in which it stands.
    pub within: Option<String>,
}

impl Sketch {
    /// What others say that stand within it.
    pub fn name(&self) -> Option<String> {
        let path = &self.path;
        match self.path_match {
            PathMatch::Exact => None,
            PathMatch::Prefix if !path.ends_with('/') => Some(format!("{path}/")),
            PathMatch::Prefix | PathMatch::StringPrefix | PathMatch::StringPrefixFinal => {
                Some(path.clone())
            }
            PathMatch::Regex => Some(format!("~* ^{path}")),
            PathMatch::Pattern => Some(format!("~ {path}")),
            PathMatch::PatternAnyCase => Some(format!("~* {path}")),
        }
    }
}

pub fn sketch(path: &str, path_match: PathMatch) -> Sketch {
    needing(0, path, path_match)
}

pub fn needing(needs: u8, path: &str, path_match: PathMatch) -> Sketch {
    Sketch { path: path.to_owned(), path_match, needs, within: None }
}

pub const HEADERS: [&str; 2] = ["x-one", "x-two"];

/// A request with some of these headers, whose patterns consist of letters, `.`, `*` and `$`.
pub struct Client<'p> {
    pub path: &'p [u8],
    pub has: u8,
}

impl Head<'static> for Client<'_> {
    fn method(&self) -> &'static [u8] {
        b"GET"
    }

    fn header(&self, name: &[u8]) -> Option<Cow<'static, [u8]>> {
        let bit = HEADERS.iter().position(|known| known.as_bytes() == name)?;
        (self.has >> bit & 1 != 0).then_some(Cow::Borrowed(b"1"))
    }

    fn query(&self) -> &'static [u8] {
        b""
    }

    fn scheme(&self) -> &'static [u8] {
        b"http"
    }
}

impl Asks for Client<'_> {
    type Error = Infallible;

    fn is_match(&mut self, _: usize, _: usize, route: &Route) -> Result<bool, Infallible> {
        Ok(matches(route.path_match, route.path(), self.path))
    }

    fn meets(&mut self, _: usize, _: usize, all: &[Condition]) -> Result<bool, Infallible> {
        let holds = |condition: &Condition| {
            let value = condition.value(self);
            value.is_some_and(|value| Wanted::Exact(value.into()) == condition.wanted)
        };
        Ok(all.iter().all(holds))
    }
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
        field(3, b"location"),
        field(4, b"backend"),
    ]
}

/// A condition: `of` 1 for the method, 2 for a header, 3 for a parameter.
pub fn condition(of: u8, name: &[u8], value: &[u8]) -> Vec<u8> {
    let name = if name.is_empty() { vec![] } else { field(2 | CRITICAL, name) };
    let fields = [field(1 | CRITICAL, &[of]), name, field(4 | CRITICAL, value)];
    field(24 | CRITICAL, &fields.concat())
}

pub fn sketched(sketches: &[Sketch]) -> Vec<u8> {
    let of = |sketch: &Sketch| {
        let mut fields = required(&sketch.path, sketch.path_match);
        let needed = HEADERS.iter().enumerate().filter(|(bit, _)| sketch.needs >> bit & 1 != 0);
        fields.extend(needed.map(|(_, name)| condition(2, name.as_bytes(), b"1")));
        fields.extend(sketch.within.iter().map(|name| field(28 | CRITICAL, name.as_bytes())));
        route(&fields)
    };
    record(&sketches.iter().map(of).collect::<Vec<_>>())
}

/// The route of a request without any of the headers.
pub fn find(host: &HostRoutes, path: &[u8]) -> Option<Match> {
    find_with(host, path, 0)
}

pub fn find_with(host: &HostRoutes, path: &[u8], has: u8) -> Option<Match> {
    host.find(path, &mut Client { path, has }).unwrap_or_else(|never| match never {})
}

/// Whether a pattern of letters, `.`, `*` and `$`, and of those that match anywhere `^`, matches `text`.
pub fn matches(path_match: PathMatch, pattern: &[u8], text: &[u8]) -> bool {
    let any_case = path_match != PathMatch::Pattern;
    match (path_match, pattern) {
        (PathMatch::Regex, _) => matches_start(pattern, text, any_case),
        (_, [b'^', pattern @ ..]) => matches_start(pattern, text, any_case),
        _ => (0..=text.len()).any(|at| matches_start(pattern, &text[at..], any_case)),
    }
}

fn matches_start(pattern: &[u8], text: &[u8], any_case: bool) -> bool {
    let is_same = |a: &u8, b: &u8| a == b || (any_case && a.eq_ignore_ascii_case(b));
    let fits = |wanted: u8, byte: &u8| wanted == b'.' || is_same(&wanted, byte);
    match pattern {
        [] => true,
        [b'$'] => text.is_empty(),
        [wanted, b'*', rest @ ..] => {
            let longest = text.iter().take_while(|byte| fits(*wanted, byte)).count();
            (0..=longest).any(|n| matches_start(rest, &text[n..], any_case))
        }
        [wanted, rest @ ..] => match text {
            [byte, text @ ..] => fits(*wanted, byte) && matches_start(rest, text, any_case),
            [] => false,
        },
    }
}
