//! Whether what a key's variables say is all that a service may have decided by. nginx's variables take the first of several
//! cookies, headers and arguments of one name, and know no case; a service may take another one, and an answer that was
//! kept under the one would let in who has the other.

use wick_access::Template;
use wick_native::headers::{Side, each, is_alike};
use wick_native::request::Request;
use wick_routes::Piece;

/// Whether a variable of the key could be read in two ways: its answer is asked for anew, and not kept.
pub fn is_ambiguous(template: &Template, r: Request) -> bool {
    template.pieces().any(|piece| match piece {
        Piece::Variable(name) => may_differ(&name.to_ascii_lowercase(), r),
        Piece::Text(_) | Piece::Group(_) => false,
    })
}

fn may_differ(variable: &[u8], r: Request) -> bool {
    if let Some(name) = variable.strip_prefix(b"cookie_") {
        return cookies_differ(named(r, b"cookie"), name);
    }
    if let Some(name) = variable.strip_prefix(b"arg_") {
        return arguments_differ(r.args(), name);
    }
    // nginx puts all cookies together, in their order.
    let header = variable.strip_prefix(b"http_").filter(|name| name != b"cookie");
    header.is_some_and(|name| headers_differ(r, name))
}

fn named<'r>(r: Request<'r>, name: &'r [u8]) -> impl Iterator<Item = &'r [u8]> {
    let is_it = |(key, _): &(&[u8], &[u8])| key.eq_ignore_ascii_case(name);
    each(r, Side::Request).filter(is_it).map(|(_, value)| value)
}

fn headers_differ(r: Request, name: &[u8]) -> bool {
    let mut alike = each(r, Side::Request).filter(|(key, _)| is_alike(key, name));
    let first = alike.next();
    alike.next().is_some() || first.is_some_and(|(key, _)| key.contains(&b'_'))
}

/// Unless `name` stands there once, where every reader of cookies finds it.
fn cookies_differ<'r>(lines: impl Iterator<Item = &'r [u8]>, name: &[u8]) -> bool {
    let mut found = 0;
    for line in lines {
        for pair in line.split(|byte| *byte == b';') {
            // What is in quotes, or escaped, is a name to some.
            let own = pair.split(|byte| *byte == b'=').next().unwrap_or_default();
            let quotes = pair.iter().filter(|byte| **byte == b'"').count();
            if own.contains(&b'%') || quotes % 2 == 1 {
                return true;
            }
            let places = places_of(name, pair);
            let is_plain = own.trim_ascii_start() == name;
            if places > 0 && !is_plain {
                return true;
            }
            found += places;
        }
    }
    found > 1
}

/// How often `text` has, as a whole word and in any spelling, `name` in front of an equals sign.
fn places_of(name: &[u8], text: &[u8]) -> usize {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_it = |(at, part): &(usize, &[u8])| {
        let begins = *at == 0 || !is_letter(&text[*at - 1]);
        let rest = text[*at + name.len()..].trim_ascii_start();
        begins && is_alike(part, name) && rest.starts_with(b"=")
    };
    text.windows(name.len().max(1)).enumerate().filter(is_it).count()
}

fn arguments_differ(args: &[u8], name: &[u8]) -> bool {
    let pairs = || args.split(|byte| matches!(byte, b'&' | b';'));
    let names = || pairs().map(|pair| pair.split(|byte| *byte == b'=').next().unwrap_or_default());
    let is_escaped = |name: &[u8]| name.contains(&b'%') || name.contains(&b'+');
    names().any(is_escaped) || names().filter(|own| own.eq_ignore_ascii_case(name)).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differ(lines: &[&[u8]]) -> bool {
        cookies_differ(lines.iter().copied(), b"session")
    }

    #[test]
    fn one_cookie_in_its_place_is_one() {
        for line in [
            &b"session=good"[..],
            b"a=b; session=good",
            b"a=b;session=good; c=d",
            b"mysession=x; session=good; session_0=y; session2=z",
            b"a=\"b c\"; session=good",
            b"a=session",
            b"a=b",
            b"",
        ] {
            assert!(!differ(&[line]), "{}", line.escape_ascii());
        }
    }

    #[test]
    fn cookies_that_somebody_reads_otherwise_are_several() {
        for line in [
            &b"Session=anon; session=good"[..],
            b"session=anon; session=good",
            b"SESSION=good",
            b"session =good",
            b"a=b, session=good",
            b"a=b,session=anon; session=good",
            b"a=\"; session=good; \"",
            b"%73ession=good; session=anon",
            b"a=b session=x; session=y",
            b"session=session=x",
        ] {
            assert!(differ(&[line]), "{}", line.escape_ascii());
        }
        assert!(differ(&[b"session=anon", b"session=good"]));
        assert!(cookies_differ([&b"a.b=x; a_b=y"[..]].into_iter(), b"a_b"));
    }

    #[test]
    fn arguments_of_one_name_are_several() {
        for args in [&b"token=a&token=b"[..], b"Token=a&token=b", b"%74oken=a", b"token=a;token=b"]
        {
            assert!(arguments_differ(args, b"token"), "{}", args.escape_ascii());
        }
        for args in [&b"token=a&other=%20"[..], b"other=token", b""] {
            assert!(!arguments_differ(args, b"token"), "{}", args.escape_ascii());
        }
    }
}
