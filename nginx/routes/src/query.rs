//! Parameters of a query as forms write them (WHATWG URL, `application/x-www-form-urlencoded`).

use std::borrow::Cow;

/// The value of the first parameter of this name, without escapes. One without `=` is empty.
pub fn value<'q>(query: &'q [u8], name: &[u8]) -> Option<Cow<'q, [u8]>> {
    query.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty()).find_map(|pair| {
        let end = pair.iter().position(|byte| *byte == b'=').unwrap_or(pair.len());
        let value = pair.get(end + 1..).unwrap_or_default();
        is_decoded(&pair[..end], name).then(|| decoded(value))
    })
}

/// Whether `text` without its escapes is `wanted`.
fn is_decoded(text: &[u8], wanted: &[u8]) -> bool {
    // No escape makes a text longer.
    text.len() >= wanted.len() && bytes(text).eq(wanted.iter().copied())
}

fn decoded(text: &[u8]) -> Cow<'_, [u8]> {
    if text.iter().any(|byte| matches!(byte, b'%' | b'+')) {
        Cow::Owned(bytes(text).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Each `%` with two digits as the byte that they stand for, each plus as a blank.
fn bytes(text: &[u8]) -> impl Iterator<Item = u8> + '_ {
    let digit = |at: usize| char::from(*text.get(at)?).to_digit(16);
    let mut at = 0;
    std::iter::from_fn(move || {
        let byte = *text.get(at)?;
        let escaped = if byte == b'%' { digit(at + 1).zip(digit(at + 2)) } else { None };
        at += if escaped.is_some() { 3 } else { 1 };
        Some(match escaped {
            Some((high, low)) => (high << 4 | low) as u8,
            None if byte == b'+' => b' ',
            None => byte,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(query: &str, name: &str) -> Option<String> {
        let value = value(query.as_bytes(), name.as_bytes())?;
        Some(String::from_utf8_lossy(&value).into_owned())
    }

    #[test]
    fn the_first_of_a_name_counts_without_its_escapes() {
        for (query, value) in [
            ("a=1", Some("1")),
            ("b=2&a=1&a=3", Some("1")),
            ("&&a=1&", Some("1")),
            ("a", Some("")),
            ("a=", Some("")),
            ("a=b=c", Some("b=c")),
            ("%61=x%20y+z", Some("x y z")),
            ("a=%", Some("%")),
            ("a=%4", Some("%4")),
            ("a=%zz%4A", Some("%zzJ")),
            ("a=%25%34", Some("%4")),
            ("", None),
            ("A=1", None),
            ("aa=1&=1", None),
            ("a%00=1", None),
        ] {
            assert_eq!(of(query, "a").as_deref(), value, "{query}");
        }
        assert_eq!(of("x+y=1", "x y").as_deref(), Some("1"));
        assert_eq!(of("caf%C3%A9=%c3%a9", "café").as_deref(), Some("é"));
    }
}
