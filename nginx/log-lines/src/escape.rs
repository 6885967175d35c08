//! What clients sent must not end a value of a line, or look like another line.

/// As nginx's `log_format` has it (ngx_http_log_variable, ngx_escape_json); but of JSON, what is no UTF-8 becomes U+FFFD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escape {
    /// Everything but printable ASCII, quotes and backslashes become `\xXX`; no value is `-`.
    Default,
    Json,
    None,
}

const DIGITS: &[u8; 16] = b"0123456789ABCDEF";

impl Escape {
    pub fn read(word: &[u8]) -> Option<Escape> {
        match word {
            b"escape=default" => Some(Escape::Default),
            b"escape=json" => Some(Escape::Json),
            b"escape=none" => Some(Escape::None),
            _ => None,
        }
    }

    #[inline(always)] // Called for each value of a line.
    pub fn put(self, value: Option<&[u8]>, to: &mut Vec<u8>) {
        match (self, value) {
            (Escape::Default, None) => to.push(b'-'),
            (_, None) => {}
            (Escape::Default, Some(value)) => match is_plain(value) {
                true => to.extend_from_slice(value),
                false => value.iter().for_each(|byte| put_hexadecimal(*byte, to)),
            },
            (Escape::Json, Some(value)) => match is_plain_in_json(value) {
                true => to.extend_from_slice(value),
                false => put_json(value, to),
            },
            (Escape::None, Some(value)) => to.extend_from_slice(value),
        }
    }
}

/// Whether nothing of it is escaped, as of most values.
fn is_plain(value: &[u8]) -> bool {
    // One more than 0x7f has the highest bit.
    all_words(value, |word| (with_escapes(word) | word.wrapping_add(EVERY)) & HIGH == 0)
}

/// Others than ASCII are looked at one by one: what is no UTF-8 is no JSON.
fn is_plain_in_json(value: &[u8]) -> bool {
    all_words(value, |word| with_escapes(word) & HIGH == 0)
}

/// Has a highest bit where one of the eight bytes is no ASCII, a control character, a quote or a backslash; the other bits mean nothing.
#[inline]
fn with_escapes(word: u64) -> u64 {
    word | less_than(word, b' ')
        | less_than(word ^ every(b'"'), 1)
        | less_than(word ^ every(b'\\'), 1)
}

const EVERY: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Asks `is` of eight bytes at a time; the last ones are looked at twice, or filled up with spaces.
#[inline]
fn all_words(value: &[u8], is: impl Fn(u64) -> bool) -> bool {
    let (words, rest) = value.as_chunks::<8>();
    if !words.iter().all(|word| is(u64::from_le_bytes(*word))) {
        return false;
    }
    match value.last_chunk::<8>() {
        Some(last) => rest.is_empty() || is(u64::from_le_bytes(*last)),
        None => is(rest.iter().fold(every(b' '), |word, byte| word << 8 | u64::from(*byte))),
    }
}

#[inline]
const fn every(byte: u8) -> u64 {
    EVERY * byte as u64
}

/// Has a highest bit where one of eight bytes that are ASCII is less than `n`, which is at most 128. Source: Anderson, Bit Twiddling Hacks.
#[inline]
fn less_than(word: u64, n: u8) -> u64 {
    word.wrapping_sub(every(n))
}

#[cold]
fn put_hexadecimal(byte: u8, to: &mut Vec<u8>) {
    if matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\' {
        return to.push(byte);
    }
    to.extend([b'\\', b'x', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
}

#[cold]
fn put_json(value: &[u8], to: &mut Vec<u8>) {
    String::from_utf8_lossy(value).bytes().for_each(|byte| put_for_json(byte, to));
}

#[cold]
fn put_for_json(byte: u8, to: &mut Vec<u8>) {
    match byte {
        b'"' | b'\\' => to.extend([b'\\', byte]),
        b'\n' => to.extend(b"\\n"),
        b'\r' => to.extend(b"\\r"),
        b'\t' => to.extend(b"\\t"),
        8 => to.extend(b"\\b"),
        12 => to.extend(b"\\f"),
        b' '.. => to.push(byte),
        _ => {
            to.extend(b"\\u00");
            to.extend([DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn put(escape: Escape, value: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        escape.put(Some(value), &mut text);
        text
    }

    #[test]
    fn what_could_end_a_value_is_escaped() {
        assert_eq!(
            put(Escape::Default, b"a \"b\" \\c\n\x7f\xc3\xa4"),
            br"a \x22b\x22 \x5Cc\x0A\x7F\xC3\xA4"
        );
        assert_eq!(
            put(Escape::Json, b"\"\\\n\r\t\x08\x0c\x1f\x7f\xc3\xa4"),
            b"\\\"\\\\\\n\\r\\t\\b\\f\\u001F\x7f\xc3\xa4"
        );
        assert_eq!(put(Escape::None, b"\"\n"), b"\"\n");
    }

    #[test]
    fn what_clients_send_stays_json() {
        assert_eq!(put(Escape::Json, b"a\xffb\xc3\xa4\xc3"), "a\u{fffd}b\u{e4}\u{fffd}".as_bytes());
    }

    #[test]
    fn no_value_is_a_dash_where_lines_are_for_people() {
        for (escape, expected) in [(Escape::Default, "-"), (Escape::Json, ""), (Escape::None, "")] {
            let mut text = Vec::new();
            escape.put(None, &mut text);
            assert_eq!(text, expected.as_bytes());
        }
        assert_eq!(put(Escape::Default, b""), b"");
    }

    #[test]
    fn each_byte_is_seen_wherever_it_stands() {
        for byte in 0..=255u8 {
            let is_quoted = byte == b'"' || byte == b'\\';
            for len in 1..20 {
                for at in 0..len {
                    let mut value = vec![b'~'; len];
                    value[at] = byte;
                    let plain = matches!(byte, b' '..=b'~') && !is_quoted;
                    assert_eq!(
                        put(Escape::Default, &value) == value,
                        plain,
                        "{byte} at {at} of {len}"
                    );
                    let plain = matches!(byte, b' '..=0x7f) && !is_quoted;
                    assert_eq!(
                        put(Escape::Json, &value) == value,
                        plain,
                        "{byte} at {at} of {len}"
                    );
                }
            }
        }
    }

    proptest! {
        #[test]
        fn whatever_is_written_stays_in_its_quotes(value in proptest::collection::vec(any::<u8>(), 0..80)) {
            for escape in [Escape::Default, Escape::Json] {
                let text = put(escape, &value);
                let without_escapes = String::from_utf8_lossy(&text).replace("\\\\", "").replace("\\\"", "");
                prop_assert!(!without_escapes.contains('"'));
                prop_assert!(text.iter().all(|byte| *byte >= b' '));
                prop_assert!(std::str::from_utf8(&text).is_ok());
            }
        }
    }
}
