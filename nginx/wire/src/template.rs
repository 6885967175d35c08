//! Templates: text with nginx's variables and with what the groups of a route's pattern matched (docs/wire.md 1, ROUTE).

use std::ops::Range;

use crate::fields::RecordError;
use crate::ids::max;

/// A template, cut into its pieces once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    text: Box<[u8]>,
    pieces: Box<[Place]>,
}

/// A part of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    Text(&'a [u8]),
    /// The name of `$name` or `${name}`: letters, digits and underscores.
    Variable(&'a [u8]),
    /// `$1` to `$9`.
    Group(u8),
}

/// A piece as a part of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Text(Range<u16>),
    Variable(Range<u16>),
    Group(u8),
}

impl Template {
    /// # Errors: `Field` for a template that is too long.
    pub fn read(text: &[u8]) -> Result<Self, RecordError> {
        if text.len() > max::TEXT_BYTES {
            return Err(RecordError::Field);
        }
        Ok(Self { pieces: places(text).into(), text: text.into() })
    }

    /// As it was posted.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// In order.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = Piece<'_>> {
        let text = |range: &Range<u16>| &self.text[range.start.into()..range.end.into()];
        self.pieces.iter().map(move |place| match place {
            Place::Text(range) => Piece::Text(text(range)),
            Place::Variable(range) => Piece::Variable(text(range)),
            Place::Group(n) => Piece::Group(*n),
        })
    }
}

fn places(text: &[u8]) -> Vec<Place> {
    let mut places = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let (place, len) = first(&text[at..]);
        let moved = |range: Range<usize>| (at + range.start) as u16..(at + range.end) as u16;
        places.push(match place {
            Piece::Group(n) => Place::Group(n),
            Piece::Variable(name) => {
                let start = if text[at + 1] == b'{' { 2 } else { 1 };
                Place::Variable(moved(start..start + name.len()))
            }
            Piece::Text(piece) => Place::Text(moved(0..piece.len())),
        });
        at += len;
    }
    places
}

/// The first piece, and how many bytes of the template it takes.
fn first(template: &[u8]) -> (Piece<'_>, usize) {
    match template {
        [b'$', b'$', ..] => (Piece::Text(&template[..1]), 2),
        [b'$', digit @ b'1'..=b'9', ..] => (Piece::Group(digit - b'0'), 2),
        [b'$', b'{', behind @ ..] => {
            let name = name(behind);
            let ends = behind.get(name.len()) == Some(&b'}');
            if name.is_empty() || !ends {
                text(template)
            } else {
                (Piece::Variable(name), name.len() + 3)
            }
        }
        [b'$', behind @ ..] => match name(behind) {
            b"" => text(template),
            name => (Piece::Variable(name), name.len() + 1),
        },
        _ => text(template),
    }
}

/// The first byte is text, whatever it is.
fn text(template: &[u8]) -> (Piece<'_>, usize) {
    let behind = &template[1..];
    let len = 1 + behind.iter().position(|byte| *byte == b'$').unwrap_or(behind.len());
    (Piece::Text(&template[..len]), len)
}

fn name(text: &[u8]) -> &[u8] {
    let is_other = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'_';
    &text[..text.iter().position(is_other).unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Piece::{Group, Text, Variable};
    use super::*;

    fn pieces(text: &[u8]) -> Vec<Piece<'static>> {
        let template: &'static Template = Box::leak(Box::new(Template::read(text).unwrap()));
        template.pieces().collect()
    }

    #[test]
    fn variables_and_groups_are_found_among_text() {
        assert_eq!(
            pieces(b"https://$host${request_uri}x"),
            [Text(b"https://"), Variable(b"host"), Variable(b"request_uri"), Text(b"x")]
        );
        assert_eq!(pieces(b"/$2"), [Text(b"/"), Group(2)]);
        assert_eq!(pieces(b"$12$9a"), [Group(1), Text(b"2"), Group(9), Text(b"a")]);
        assert_eq!(pieces(b"$a-$b"), [Variable(b"a"), Text(b"-"), Variable(b"b")]);
        assert_eq!(pieces(b""), []);
    }

    #[test]
    fn two_dollars_are_one() {
        assert_eq!(pieces(b"a$$1"), [Text(b"a"), Text(b"$"), Text(b"1")]);
        assert_eq!(pieces(b"$$$host"), [Text(b"$"), Variable(b"host")]);
    }

    #[test]
    fn a_dollar_that_begins_nothing_stands_for_itself() {
        for text in [&b"$"[..], b"$-a", b"${", b"${}", b"${a", b"${a-b}", b"${ a}", b"$\xc3\xa4"] {
            assert_eq!(pieces(text), [Text(text)], "{}", text.escape_ascii());
        }
        assert_eq!(pieces(b"a$"), [Text(b"a"), Text(b"$")]);
        assert_eq!(pieces(b"${$a"), [Text(b"${"), Variable(b"a")]);
    }

    #[test]
    fn the_longest_template_is_read_to_its_end() {
        let longest = [&[b'a'; max::TEXT_BYTES - 2][..], b"$1"].concat();
        assert_eq!(pieces(&longest).last(), Some(&Group(1)));
        assert_eq!(Template::read(&[b'a'; max::TEXT_BYTES + 1]), Err(RecordError::Field));
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_template_of_which_nothing_is_lost(text in proptest::collection::vec(any::<u8>(), 0..64)) {
            let template = Template::read(&text).unwrap();
            let mut again = Vec::new();
            for piece in template.pieces() {
                match piece {
                    Text(b"$") => again.extend_from_slice(b"$$"),
                    Text(text) => again.extend_from_slice(text),
                    Variable(name) => again.extend_from_slice(&[b"${", name, b"}"].concat()),
                    Group(n) => again.extend_from_slice(&[b'$', b'0' + n]),
                }
            }
            // Written out in full and read again it has the same pieces.
            let again = Template::read(&again).unwrap();
            prop_assert!(again.pieces().eq(template.pieces()));
        }

        #[test]
        fn text_without_dollars_is_itself(text in "[^$]{1,40}") {
            prop_assert_eq!(pieces(text.as_bytes()), [Text(text.as_bytes())]);
        }
    }
}
