//! The text of a format.

/// A part of it.
#[derive(Debug, PartialEq, Eq)]
pub enum Piece<'f> {
    Text(&'f [u8]),
    /// Its name.
    Variable(&'f [u8]),
}

/// In order. `None`: a dollar is followed by no name, or a brace is not closed. Source: ngx_http_log_compile_format.
pub fn pieces(format: &[u8]) -> Option<Vec<Piece<'_>>> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while !rest.is_empty() {
        let dollar = rest.iter().position(|byte| *byte == b'$').unwrap_or(rest.len());
        let (text, from) = rest.split_at(dollar);
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        let Some(from) = from.strip_prefix(b"$") else { break };
        let (name, after) = name_at(from)?;
        pieces.push(Piece::Variable(name));
        rest = after;
    }
    Some(pieces)
}

/// The name behind a dollar, and what follows.
fn name_at(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let is_braced = text.first() == Some(&b'{');
    let text = &text[usize::from(is_braced)..];
    let is_in_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let end = text.iter().position(|byte| !is_in_name(byte)).unwrap_or(text.len());
    let (name, after) = text.split_at(end);
    let after = if is_braced { after.strip_prefix(b"}")? } else { after };
    (!name.is_empty()).then_some((name, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_text_and_names() {
        let (text, variable) = (Piece::Text, Piece::Variable);
        let expected =
            vec![variable(b"a"), text(b" ["), variable(b"b_1"), text(b"c]"), variable(b"d")];
        assert_eq!(pieces(b"$a [${b_1}c]$d"), Some(expected));
        assert_eq!(pieces(b"{plain}"), Some(vec![text(b"{plain}")]));
        assert_eq!(pieces(b""), Some(vec![]));
    }

    #[test]
    fn a_dollar_begins_a_name() {
        for format in [&b"$"[..], b"a$ b", b"${", b"${a", b"${}", b"${a b}", b"$-a"] {
            assert_eq!(pieces(format), None, "{}", format.escape_ascii());
        }
    }
}
