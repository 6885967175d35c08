//! Ways to read a request's path. nginx finds a route by the decoded path without dots, and passes the path on as the client
//! wrote it. A backend that leaves the dots in, takes a backslash for a slash, or drops what follows a semicolon before it looks
//! for dots would serve another path than the one whose checks were asked. So where they say different things, all of them
//! have to lead to the same route.
//!
//! What every backend has to expect of nginx, and clients send every day, is not looked at: escaped letters and slashes,
//! several slashes in the place of one, and parameters behind a semicolon.

use wick_native::request::Request;

/// What else than its [path](Request::uri) the request could be for; nearly always nothing.
#[inline]
pub fn others(r: Request) -> Vec<Vec<u8>> {
    let target = r.unparsed_uri();
    let is_plain = target.starts_with(r.uri())
        && matches!(target.get(r.uri().len()), None | Some(b'?'))
        && !r.uri().iter().any(|byte| matches!(byte, b'\\' | b';'));
    if is_plain { Vec::new() } else { others_of(target, r.uri()) }
}

#[cold]
fn others_of(target: &[u8], path: &[u8]) -> Vec<Vec<u8>> {
    let end = |is_end: fn(u8) -> bool| target.iter().position(|byte| is_end(*byte));
    let cut = |end: Option<usize>| &target[..end.unwrap_or(target.len())];
    let mut readings = readings_of(cut(end(|byte| matches!(byte, b'?' | b'#'))));
    // No target has a fragment (RFC 9112, 3.2), which nginx leaves out, and others take for a part of the path.
    if target.contains(&b'#') {
        let whole = cut(end(|byte| byte == b'?'));
        readings.push(merged(&decoded(whole)));
        readings.extend(readings_of(whole));
    }
    readings.retain(|reading| reading != path);
    readings.sort();
    readings.dedup();
    readings
}

/// Dots may be taken out before slashes are merged or after that, and before the path is decoded or after that: an escaped
/// slash then divides no parts.
fn readings_of(path: &[u8]) -> Vec<Vec<u8>> {
    let (whole, slashed) = (decoded(path), slashed(&decoded(path)));
    if slashed == whole && !has_dots(&whole) {
        return Vec::new();
    }
    let with_slashes = self::slashed(path);
    let mut ways = vec![&*whole, &slashed, path, &with_slashes];
    // To those who follow WHATWG, `/\host/path` begins with a host, as `//host/path` does in a reference.
    if path.starts_with(b"/\\") || path.starts_with(b"\\") {
        ways.push(behind_host(&with_slashes));
    }
    let mut readings = vec![
        merged(&whole),
        merged(&slashed),
        without_dots(&merged(&whole)),
        without_dots(&merged(&slashed)),
    ];
    for way in ways {
        let undotted = decoded(&without_dots(way));
        readings.extend([merged(&undotted), merged(&self::slashed(&undotted))]);
    }
    readings
}

fn slashed(path: &[u8]) -> Vec<u8> {
    path.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect()
}

fn behind_host(path: &[u8]) -> &[u8] {
    let host = path.iter().take_while(|byte| **byte == b'/').count();
    path[host..].iter().position(|byte| *byte == b'/').map_or(b"/", |end| &path[host + end..])
}

/// Whether a part of the path, between slashes of any kind, stands for itself or for the one above.
pub fn has_dots(path: &[u8]) -> bool {
    path.split(|byte| matches!(byte, b'/' | b'\\')).any(|part| dots_in(part) > 0)
}

/// The same of a path with escapes, once they are decoded.
pub fn has_escaped_dots(path: &[u8]) -> bool {
    has_dots(&decoded(path))
}

/// Either; a path that has nothing of that kind is passed by.
pub fn leaves_dots(path: &[u8]) -> bool {
    path.iter().any(|byte| matches!(byte, b'.' | b'%'))
        && (has_dots(path) || has_escaped_dots(path))
}

/// 1: the part stands for itself, 2: for the one above.
fn dots_in(part: &[u8]) -> usize {
    match part.split(|byte| *byte == b';').next() {
        Some(b".") => 1,
        Some(b"..") => 2,
        _ => 0,
    }
}

/// Each `%` with two digits as the byte that they stand for, once.
fn decoded(text: &[u8]) -> Vec<u8> {
    let digit = |at: usize| char::from(*text.get(at)?).to_digit(16);
    let (mut path, mut at) = (Vec::with_capacity(text.len()), 0);
    while at < text.len() {
        let byte = match (text[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                at += 2;
                (high << 4 | low) as u8
            }
            (byte, ..) => byte,
        };
        path.push(byte);
        at += 1;
    }
    path
}

fn merged(path: &[u8]) -> Vec<u8> {
    let mut merged = path.to_vec();
    merged.dedup_by(|a, b| *a == b'/' && *b == b'/');
    merged
}

/// Source: RFC 3986, 5.2.4; what would lead above the root ends there.
fn without_dots(path: &[u8]) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = Vec::new();
    let mut ends_in_dots = false;
    for part in path.split(|byte| *byte == b'/').skip(1) {
        let dots = dots_in(&decoded(part));
        ends_in_dots = dots > 0;
        match dots {
            0 => parts.push(part),
            1 => {}
            _ => drop(parts.pop()),
        }
    }
    if ends_in_dots {
        parts.push(b"");
    }
    [b"/", &*parts.join(&b'/')].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings(target: &str, path: &str) -> Vec<String> {
        let all = others_of(target.as_bytes(), path.as_bytes());
        all.into_iter().map(|reading| String::from_utf8(reading).unwrap()).collect()
    }

    #[test]
    fn what_clients_send_every_day_is_read_in_one_way() {
        for (target, path) in [
            ("/a%20b", "/a b"),
            ("/a%2Fb", "/a/b"),
            ("//a///b", "/a/b"),
            ("/a;b=c/d", "/a;b=c/d"),
            ("/%7Euser", "/~user"),
            ("/a..b/c.", "/a..b/c."),
            ("/a?b=../..", "/a"),
            ("/%2541", "/%41"),
        ] {
            assert_eq!(readings(target, path), [""; 0], "{target}");
        }
    }

    #[test]
    fn dots_are_read_in_several() {
        assert_eq!(readings("/a/../b", "/b"), ["/a/../b"]);
        assert_eq!(readings("/a/%2e%2e/b", "/b"), ["/a/../b"]);
        assert_eq!(readings("/a/..%2fb", "/b"), ["/a/../b"]);
        assert_eq!(readings("/a//../b", "/b"), ["/a/../b", "/a/b"]);
        assert_eq!(readings("/a/..;/b", "/a/..;/b"), ["/b"]);
        assert_eq!(readings("/a/..;x=y/b", "/a/..;x=y/b"), ["/b"]);
        assert_eq!(readings("/a\\..\\b", "/a\\..\\b"), ["/a/../b", "/b"]);
        assert_eq!(readings("/a%5Cb", "/a\\b"), ["/a/b"]);
        assert_eq!(readings("/a/.", "/a/"), ["/a/."]);
        assert_eq!(readings("/a/b/..", "/a/"), ["/a/b/.."]);
        assert_eq!(readings("/..", "/"), ["/.."]);
        assert_eq!(readings("/a#/../b", "/a"), ["/a#/../b", "/b"]);
        assert_eq!(readings("/a%2fb/..", "/a/"), ["/", "/a/b/.."]);
        assert_eq!(readings("/\\host/a", "/\\host/a"), ["/a", "/host/a"]);
        assert_eq!(readings("/a#b?c", "/a"), ["/a#b"]);
    }

    #[test]
    fn dots_stand_between_slashes_of_any_kind() {
        for path in ["/..", "/a/..", "/a/../b", "/./b", "/a\\..", "/..;x", "/a/.;/b", ".."] {
            assert!(has_dots(path.as_bytes()), "{path}");
        }
        for path in ["/", "/a", "/a..", "/..a", "/...", "/a.b", "/a;..", ""] {
            assert!(!has_dots(path.as_bytes()), "{path}");
        }
    }
}
