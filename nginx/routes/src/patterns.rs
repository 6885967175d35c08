//! The routes of a host whose paths are patterns, in the order in which they are tried.
//!
//! Whether a pattern matches is for others to say. Most need not be asked: what a pattern begins with literally is
//! compared here.

use crate::route::{PathMatch, Route};

#[derive(Clone, Debug)]
pub struct Patterns {
    entries: Box<[Entry]>,
    /// What the patterns begin with, one behind the other, so that a search stays within few cache lines.
    literals: Box<[u8]>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    route: u32,
    literal_end: u32,
}

impl Patterns {
    pub fn new(routes: &[Route]) -> Self {
        let mut literals = Vec::new();
        let mut entries = Vec::new();
        for (index, route) in (0..).zip(routes) {
            if route.path_match.is_pattern() {
                literals.extend_from_slice(start_of(route));
                entries.push(Entry { route: index, literal_end: literals.len() as u32 });
            }
        }
        Self { entries: entries.into(), literals: literals.into() }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Which pattern is that of a route.
    pub fn nth(&self, route: usize) -> Option<usize> {
        self.entries.iter().position(|entry| entry.route as usize == route)
    }

    /// The first route whose pattern matches; `matches` is asked with the number of the pattern and the route.
    #[inline]
    pub fn find<E>(
        &self,
        path: &[u8],
        mut matches: impl FnMut(usize, usize) -> Result<bool, E>,
    ) -> Result<Option<usize>, E> {
        let mut start = 0;
        for (nth, entry) in self.entries.iter().enumerate() {
            let literal = &self.literals[start..entry.literal_end as usize];
            start = entry.literal_end as usize;
            if begins_with(path, literal) && matches(nth, entry.route as usize)? {
                return Ok(Some(entry.route as usize));
            }
        }
        Ok(None)
    }
}

/// The bytes that every path begins with, in whatever case, that the route's pattern matches; perhaps fewer than there are.
fn start_of(route: &Route) -> &[u8] {
    match (route.path_match, route.path()) {
        (PathMatch::Regex, pattern) => literal_start(pattern),
        (_, [b'^', pattern @ ..]) => literal_start(pattern),
        _ => b"",
    }
}

/// Whatever the case of ASCII letters: PCRE knows no other letters unless it is told to read UTF-8.
#[inline]
fn begins_with(path: &[u8], literal: &[u8]) -> bool {
    path.get(..literal.len()).is_some_and(|start| start.eq_ignore_ascii_case(literal))
}

/// The bytes that everything begins with that matches `pattern` at the start; perhaps fewer than there are.
fn literal_start(pattern: &[u8]) -> &[u8] {
    if may_have_bare_alternatives(pattern) {
        return b"";
    }
    let is_special = |byte: &u8| br"\^$.[|()?*+{".contains(byte);
    let end = pattern.iter().position(is_special).unwrap_or(pattern.len());
    // What may be repeated may also be absent.
    let may_be_absent = may_begin_with_quantifier(&pattern[end..]);
    &pattern[..end.saturating_sub(may_be_absent.into())]
}

/// A quantifier, or something that PCRE looks over when it looks for one: quotes, comments, settings.
fn may_begin_with_quantifier(pattern: &[u8]) -> bool {
    matches!(pattern, [b'?' | b'*' | b'+' | b'{', ..])
        || matches!(pattern, [b'\\', b'Q' | b'E', ..] | [b'(', b'?' | b'*', ..])
}

/// Whether there is, or could be, a `|` in no group. What makes parentheses hard to count is not followed.
fn may_have_bare_alternatives(pattern: &[u8]) -> bool {
    if !pattern.contains(&b'|') {
        return false;
    }
    let (mut rest, mut depth) = (pattern, 0);
    while let Some((byte, behind)) = rest.split_first() {
        rest = match byte {
            b'|' if depth == 0 => return true,
            b'#' => return true,
            b'(' if behind.starts_with(b"*") || behind.starts_with(b"?C") => return true,
            b'\\' if behind.starts_with(b"Q") || behind.starts_with(b"c") => return true,
            b'\\' => behind.get(1..).unwrap_or_default(),
            b'[' => match behind_class(behind) {
                Some(behind) => behind,
                None => return true,
            },
            b'(' => {
                depth += 1;
                behind
            }
            b')' => {
                depth -= 1;
                behind
            }
            _ => behind,
        };
    }
    false
}

/// What follows a class, of which `[` was read; `None` for one that is not simple.
fn behind_class(pattern: &[u8]) -> Option<&[u8]> {
    let mut rest = pattern.strip_prefix(b"^").unwrap_or(pattern);
    // Directly at the start the bracket is one of the class's characters.
    rest = rest.strip_prefix(b"]").unwrap_or(rest);
    loop {
        rest = match rest {
            [b']', behind @ ..] => return Some(behind),
            [b'\\', b'Q' | b'E' | b'c', ..] | [b'[', ..] => return None,
            [b'\\', _, behind @ ..] | [_, behind @ ..] => behind,
            [] => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(pattern: &str) -> &str {
        std::str::from_utf8(literal_start(pattern.as_bytes())).unwrap()
    }

    #[test]
    fn a_pattern_begins_with_its_bytes_before_anything_special() {
        for (pattern, start) in [
            ("/cart(/|$)(.*)", "/cart"),
            ("/api/v[0-9]+/x", "/api/v"),
            ("/plain", "/plain"),
            ("/a.b", "/a"),
            (r"/a\.b", "/a"),
            ("/ab*", "/a"),
            ("/ab?c", "/a"),
            ("/ab{0,2}", "/a"),
            ("/ab+", "/a"),
            (r"/ab\E?", "/a"),
            (r"/ab\Q\E?", "/a"),
            ("/ab(?#absent)?", "/a"),
            ("/ab(?:c)", "/a"),
            ("/(app)(/|$)(.*)", "/"),
            ("/[a|b](c|d)", "/"),
            ("/x[^])|(]y(c|d)", "/x"),
            (r"/x\((c|d)", "/x"),
        ] {
            assert_eq!(starts(pattern), start, "{pattern}");
        }
    }

    #[test]
    fn alternatives_in_no_group_begin_with_nothing_in_common() {
        for pattern in ["/a|/b", "/(a)|/b", r"/a\((b)|/c", "/[(]a|/b", "/[])]|/b", "/(a|b)|/c"] {
            assert_eq!(starts(pattern), "", "{pattern}");
        }
    }

    #[test]
    fn where_parentheses_are_hard_to_count_nothing_is_assumed() {
        for pattern in [
            r"/a\Q(\E|/b",
            r"/a\c(|/b",
            "/a(?x)#(\n|/b",
            "/a(?#\\()|/b",
            "/a[[:alpha:](]|/b",
            "/a(?C\"(\")|/b",
            "/a(*MARK:(|/b",
            "/a[|",
        ] {
            assert_eq!(starts(pattern), "", "{pattern}");
        }
    }
}
