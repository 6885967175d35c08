//! Parameters of credentials: `name=token` and `name="quoted string"` between commas (RFC 9110, 11.2).

use std::borrow::Cow;

/// A name, as written, and a value without its quotes.
pub type Parameter<'a> = (&'a [u8], Cow<'a, [u8]>);

/// `None`: they are not written like that.
pub fn parameters(text: &[u8]) -> Option<Vec<Parameter<'_>>> {
    let mut rest = text;
    let mut all = Vec::new();
    loop {
        rest = after_blanks(rest);
        if rest.is_empty() {
            return Some(all);
        }
        let (name, value) = rest.split_at(token_len(rest));
        let value = after_blanks(after_blanks(value).strip_prefix(b"=")?);
        let (value, behind) = if value.starts_with(b"\"") { quoted(value)? } else { token(value) };
        if name.is_empty() {
            return None;
        }
        all.push((name, value));
        rest = after_blanks(behind);
        rest = match rest.split_first() {
            None => rest,
            Some((b',', rest)) => rest,
            Some(_) => return None,
        };
    }
}

fn token(text: &[u8]) -> (Cow<'_, [u8]>, &[u8]) {
    let (token, rest) = text.split_at(token_len(text));
    (token.into(), rest)
}

/// What stands between quotes, and what is behind them.
fn quoted(text: &[u8]) -> Option<(Cow<'_, [u8]>, &[u8])> {
    let mut value = Vec::new();
    let mut at = 1;
    loop {
        match *text.get(at)? {
            b'"' => break,
            b'\\' => {
                value.push(*text.get(at + 1)?);
                at += 2;
            }
            byte => {
                value.push(byte);
                at += 1;
            }
        }
    }
    let (plain, rest) = (&text[1..at], &text[at + 1..]);
    let value = if plain.len() == value.len() { plain.into() } else { value.into() };
    Some((value, rest))
}

fn token_len(text: &[u8]) -> usize {
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~/".contains(byte);
    text.iter().position(|byte| !is_token(byte)).unwrap_or(text.len())
}

fn after_blanks(text: &[u8]) -> &[u8] {
    let first = text.iter().position(|byte| !matches!(byte, b' ' | b'\t'));
    &text[first.unwrap_or(text.len())..]
}
