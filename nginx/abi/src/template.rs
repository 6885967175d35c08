//! Templates of `wick_expand`: text with variables, in nginx's notation.

/// A part of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    Text(&'a [u8]),
    /// `$name` or `${name}`
    Variable(&'a [u8]),
    /// `$1` to `$9`: what a regular expression of the configuration captured.
    Capture(u8),
}

/// A `$` without a name behind it, or a `${` that does not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TemplateError;

/// The pieces of `template`, in order; `\$` is text.
pub fn parse(template: &[u8]) -> Result<Vec<Piece<'_>>, TemplateError> {
    let mut pieces = Vec::new();
    let mut rest = template;
    while !rest.is_empty() {
        let (piece, after) = first(rest)?;
        pieces.push(piece);
        rest = after;
    }
    Ok(pieces)
}

fn first(template: &[u8]) -> Result<(Piece<'_>, &[u8]), TemplateError> {
    match template {
        [b'$', digit @ b'1'..=b'9', after @ ..] => Ok((Piece::Capture(digit - b'0'), after)),
        [b'$', b'{', after @ ..] => {
            let (name, after) = name(after)?;
            let after = after.strip_prefix(b"}").ok_or(TemplateError)?;
            Ok((Piece::Variable(name), after))
        }
        [b'$', after @ ..] => name(after).map(|(name, after)| (Piece::Variable(name), after)),
        [b'\\', b'$', ..] => Ok(text(&template[1..])),
        _ => Ok(text(template)),
    }
}

/// The first byte is text, whatever it is.
fn text(template: &[u8]) -> (Piece<'_>, &[u8]) {
    let is_next = |at: &usize| template[*at] == b'$' || template[*at..].starts_with(b"\\$");
    let end = (1..template.len()).find(is_next).unwrap_or(template.len());
    (Piece::Text(&template[..end]), &template[end..])
}

fn name(text: &[u8]) -> Result<(&[u8], &[u8]), TemplateError> {
    let is_other = |c: &u8| !c.is_ascii_alphanumeric() && *c != b'_';
    let len = text.iter().position(is_other).unwrap_or(text.len());
    if len == 0 { Err(TemplateError) } else { Ok(text.split_at(len)) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Piece::*;
    use super::*;

    #[test]
    fn pieces_are_nginxs_own() {
        let pieces = parse(b"$request_uri$host").unwrap();
        assert_eq!(pieces, [Variable(b"request_uri"), Variable(b"host")]);
        let pieces = parse(b"a-${arg_k}b.$args/").unwrap();
        assert_eq!(
            pieces,
            [Text(b"a-"), Variable(b"arg_k"), Text(b"b."), Variable(b"args"), Text(b"/")]
        );
        assert_eq!(parse(b"$12$0").unwrap(), [Capture(1), Text(b"2"), Variable(b"0")]);
        assert_eq!(parse(b"").unwrap(), []);
    }

    #[test]
    fn a_dollar_sign_behind_a_backslash_is_text() {
        assert_eq!(parse(br"\$a\$\b\").unwrap(), [Text(b"$a"), Text(br"$\b\")]);
        assert_eq!(parse(br"\\$a").unwrap(), [Text(b"\\"), Text(b"$a")]);
        assert_eq!(parse(br"$a\$b").unwrap(), [Variable(b"a"), Text(b"$b")]);
    }

    #[test]
    fn what_nginx_refuses_is_refused() {
        for bad in [&b"$"[..], b"a$", b"$-", b"$$a", b"${", b"${}", b"${a", b"${a-b}", b"${ a}"] {
            assert_eq!(parse(bad), Err(TemplateError), "{}", bad.escape_ascii());
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused_or_whole(template: Vec<u8>) {
            let Ok(pieces) = parse(&template) else { return Ok(()) };
            let shortest: usize = pieces.iter().map(|piece| match piece {
                Text(text) => text.len(),
                Variable(name) => name.len() + 1,
                Capture(_) => 2,
            }).sum();
            prop_assert!(shortest <= template.len());
            prop_assert!(!pieces.contains(&Text(b"")));
        }

        #[test]
        fn text_without_dollar_signs_is_itself(template in "[^$]*") {
            let pieces = parse(template.as_bytes()).unwrap();
            let whole: Vec<u8> = pieces.iter().flat_map(|piece| match piece {
                Text(text) => text.to_vec(),
                _ => vec![],
            }).collect();
            prop_assert_eq!(whole, template.as_bytes());
        }
    }
}
