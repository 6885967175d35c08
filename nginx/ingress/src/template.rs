//! Templates of records, filled in for a request.

use std::cell::{Cell, OnceCell};

use wick_native::request::Request;
use wick_native::variable::Variable;
use wick_routes::{Piece, Template};

use crate::script::kept;
use crate::script::state::State;

/// A template as nginx knows it. Its variables are looked up at the first use: requests know where.
#[derive(Default)]
pub struct Prepared(OnceCell<Box<[Part]>>);

enum Part {
    Text(Box<[u8]>),
    /// `name`: in lower case, as scripts know it.
    Variable {
        name: Box<[u8]>,
        variable: Variable,
    },
    Group(u8),
}

/// What a filled template is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A path: any bytes.
    Path,
    /// A path as it stands in the line of a request: what would end it, or begin the arguments, is escaped.
    RawPath,
    /// Any bytes, with the length of each value: two requests have one key only if all their values are the same.
    Key,
    /// A header's value: bytes that could end it are escaped, `%0A`.
    Header,
    /// A target as it stands in the line of a request: blanks, too.
    Target,
}

/// Keeps a template that names large variables many times from filling the worker's memory.
pub const MAX_BYTES: usize = 64 << 10;

thread_local! {
    /// Memory for one text after the other.
    static SCRATCH: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

impl Prepared {
    #[inline]
    fn parts(&self, template: &Template, r: Request) -> &[Part] {
        let part = |piece: Piece<'_>| match piece {
            Piece::Text(text) => Part::Text(text.into()),
            Piece::Variable(name) => Part::Variable {
                name: name.to_ascii_lowercase().into(),
                variable: Variable::resolve(r, name),
            },
            Piece::Group(n) => Part::Group(n),
        };
        self.0.get_or_init(|| template.pieces().map(part).collect())
    }

    /// The text for this request as it is. What stands in the template or a variable alone is not copied, all else into the request's memory.
    /// `None`: it would be longer than [`MAX_BYTES`], or memory is out.
    #[inline]
    pub fn value<'r>(
        &'r self,
        template: &Template,
        r: Request<'r>,
        group: impl Fn(u8) -> Option<&'r [u8]>,
    ) -> Option<&'r [u8]> {
        match self.parts(template, r) {
            [] => Some(b""),
            [Part::Text(text)] => Some(text),
            [Part::Variable { name, variable }] => {
                let set = kept::find(r.main()).and_then(|state| state.get(name));
                Some(set.or_else(|| variable.fresh(r)).unwrap_or_default())
            }
            _ => {
                // Taken: a variable may be another template.
                let mut text = SCRATCH.take();
                text.clear();
                let fits =
                    self.append(template, r, Purpose::Path, kept::find(r.main()), group, &mut text);
                let copy = if fits { r.pool().copy(&text) } else { None };
                SCRATCH.set(text);
                copy.map(|copy| &*copy)
            }
        }
    }

    /// Appends the text for this request; `script`: where variables are looked for first; `group`: what a group of the route's pattern matched.
    /// What the request does not have is empty. False: it would be longer than [`MAX_BYTES`].
    pub fn append<'r>(
        &self,
        template: &Template,
        r: Request<'r>,
        purpose: Purpose,
        script: Option<&State>,
        group: impl Fn(u8) -> Option<&'r [u8]>,
        text: &mut Vec<u8>,
    ) -> bool {
        self.parts(template, r).iter().all(|part| {
            let value = match part {
                Part::Text(text) => Some(&**text),
                Part::Variable { name, variable } => {
                    script.and_then(|state| state.get(name)).or_else(|| variable.fresh(r))
                }
                Part::Group(n) => group(*n),
            };
            put(text, value.unwrap_or_default(), purpose)
        })
    }
}

/// Appends `value`; false when the text would become too long.
fn put(text: &mut Vec<u8>, value: &[u8], purpose: Purpose) -> bool {
    match purpose {
        Purpose::Path => text.extend_from_slice(value),
        Purpose::Key => {
            text.extend_from_slice(&value.len().to_le_bytes());
            text.extend_from_slice(value);
        }
        Purpose::Header => put_without(u8::is_ascii_control, text, value),
        Purpose::RawPath => {
            let ends = |byte: &u8| byte.is_ascii_control() || matches!(byte, b' ' | b'?' | b'#');
            put_without(ends, text, value);
        }
        Purpose::Target => {
            put_without(|byte| byte.is_ascii_control() || *byte == b' ', text, value);
        }
    }
    text.len() <= MAX_BYTES
}

fn put_without(is_escaped: impl Fn(&u8) -> bool, text: &mut Vec<u8>, value: &[u8]) {
    if value.iter().any(&is_escaped) {
        value.iter().for_each(|byte| put_escaped(text, *byte, is_escaped(byte)));
    } else {
        text.extend_from_slice(value);
    }
}

fn put_escaped(text: &mut Vec<u8>, byte: u8, is_escaped: bool) {
    if is_escaped {
        let digit = |nibble: u8| b"0123456789ABCDEF"[usize::from(nibble)];
        text.extend_from_slice(&[b'%', digit(byte >> 4), digit(byte & 15)]);
    } else {
        text.push(byte);
    }
}
