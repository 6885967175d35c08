//! Escapes of texts that go into a request's line, or into a `Location`.

const DIGITS: &[u8; 16] = b"0123456789ABCDEF";

fn put(byte: u8, is_escaped: bool, to: &mut Vec<u8>) {
    if is_escaped {
        let [high, low] = [byte >> 4, byte & 15].map(|digit| DIGITS[usize::from(digit)]);
        to.extend_from_slice(&[b'%', high, low]);
    } else {
        to.push(byte);
    }
}

/// Appends `text` as a part of arguments. Source: nginx, `ngx_escape_uri` with `NGX_ESCAPE_ARGS`.
pub fn args(text: &[u8], to: &mut Vec<u8>) {
    for byte in text {
        let is_escaped = !byte.is_ascii_graphic()
            || matches!(byte, b'"' | b'#' | b'%' | b'&' | b'+' | b';' | b'<' | b'>' | b'?')
            || matches!(byte, b'\\' | b'^' | b'`' | b'{' | b'|' | b'}');
        put(*byte, is_escaped, to);
    }
}

/// Escapes from `start` on what would end a line, and in the line of a request what would end the target. nginx passes these bytes on.
pub fn line(text: &mut Vec<u8>, start: usize, is_target: bool) {
    let ends = |byte: &u8| byte.is_ascii_control() || is_target && *byte == b' ';
    if text[start..].iter().any(ends) {
        let tail = text.split_off(start);
        tail.iter().for_each(|byte| put(*byte, ends(byte), text));
    }
}

/// Arguments with escapes for what would end the line of a request; `None`: there is nothing of that.
pub fn escaped_args(args: &[u8]) -> Option<Vec<u8>> {
    let ends = |byte: &u8| byte.is_ascii_control() || *byte == b' ';
    args.iter().any(ends).then(|| {
        let mut text = args.to_vec();
        line(&mut text, 0, true);
        text
    })
}

/// Decodes, of an address before its first `?`, letters and signs that need no escapes. Source: nginx, `ngx_unescape_uri` with
/// `NGX_UNESCAPE_REDIRECT`: an escape that is none loses its `%`, or its digit.
pub fn unescape_address(text: &mut Vec<u8>) {
    if !text.contains(&b'%') {
        return;
    }
    let from = std::mem::take(text);
    let mut at = 0;
    while let Some(byte) = from.get(at) {
        at += 1;
        let begins_args = match byte {
            b'%' => decode(&from, &mut at, text),
            byte => {
                text.push(*byte);
                *byte == b'?'
            }
        };
        if begins_args {
            text.extend_from_slice(&from[at..]);
            return;
        }
    }
}

/// Appends what an escape stands for, whose `%` ends before `at`; whether that begins the arguments.
fn decode(from: &[u8], at: &mut usize, to: &mut Vec<u8>) -> bool {
    let mut next = || from.get(*at).inspect(|_| *at += 1).copied();
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let Some(first) = next() else { return false };
    let Some(high) = digit(first) else {
        to.push(first);
        return false;
    };
    let Some(second) = next() else { return false };
    let Some(low) = digit(second) else { return false };
    let decoded = high << 4 | low;
    if decoded > b'%' && decoded < 0x7f {
        to.push(decoded);
    } else {
        to.extend_from_slice(&[b'%', first, second]);
    }
    decoded == b'?'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unescaped(text: &str) -> String {
        let mut text = text.as_bytes().to_vec();
        unescape_address(&mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn an_address_keeps_the_escapes_that_it_needs() {
        assert_eq!(unescaped("/%61%2Fb"), "/a/b");
        assert_eq!(unescaped("/a%20b%25%0a%7f%E4"), "/a%20b%25%0a%7f%E4");
        assert_eq!(unescaped("/%61?%61"), "/a?%61");
        assert_eq!(unescaped("/%3f%61"), "/?%61");
        assert_eq!(unescaped("/%x1%1xy"), "/x1y");
        assert_eq!(unescaped("/a%"), "/a");
        assert_eq!(unescaped("/a%4"), "/a");
    }

    #[test]
    fn arguments_are_escaped_as_nginx_does_it() {
        let mut to = Vec::new();
        args(b"a b+c&d;e?f#g%h/i=j\"k\xe4~'($,:@[", &mut to);
        assert_eq!(to, b"a%20b%2Bc%26d%3Be%3Ff%23g%25h/i=j%22k%E4~'($,:@[");
    }

    #[test]
    fn nothing_ends_a_line_early() {
        let mut text = b"/ a\r\n b".to_vec();
        line(&mut text, 2, true);
        assert_eq!(text, b"/ a%0D%0A%20b");
        let mut text = b"http://a b\n".to_vec();
        line(&mut text, 0, false);
        assert_eq!(text, b"http://a b%0A");
    }
}
