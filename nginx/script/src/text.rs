//! Templates of a script, compiled: their variables are numbers, and the `?` that begins the arguments is found.

use std::ops::Range;

use wick_wire::{Piece, RecordError, Template};

use crate::escape;
use crate::machine::Machine;
use crate::names::Names;

/// Keeps a text that names large variables many times from filling the memory.
pub const MAX_BYTES: usize = 64 << 10;

/// A template of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    bytes: Box<[u8]>,
    parts: Box<[Part]>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Literal(Range<u16>),
    /// Its place in [`crate::Script::names`].
    Variable(u16),
    Group(u8),
    /// Here the arguments begin, of a path.
    Args,
}

/// How groups are put into a text. Source: nginx, `ngx_http_script_copy_capture_code`, which escapes them where the request's path had
/// escapes, in arguments and in what is `quoted`.
#[derive(Clone, Copy)]
pub struct Quoting {
    pub quotes: bool,
}

impl Text {
    pub fn read(text: &[u8], names: &mut Names<Box<[u8]>>) -> Result<Text, RecordError> {
        Self::compile(text, names, false)
    }

    /// Of a path: its first `?` that stands in no variable begins the arguments. Source: nginx, `ngx_http_script_compile` with
    /// `compile_args`.
    pub fn read_path(text: &[u8], names: &mut Names<Box<[u8]>>) -> Result<Text, RecordError> {
        Self::compile(text, names, true)
    }

    fn compile(
        text: &[u8],
        names: &mut Names<Box<[u8]>>,
        mut marks_args: bool,
    ) -> Result<Text, RecordError> {
        let template = Template::read(text)?;
        let (mut bytes, mut parts) = (Vec::new(), Vec::new());
        for piece in template.pieces() {
            match piece {
                Piece::Text(mut literal) => {
                    let question = literal.iter().position(|byte| *byte == b'?');
                    if let Some(at) = question.filter(|_| std::mem::take(&mut marks_args)) {
                        put_literal(&literal[..at], &mut bytes, &mut parts);
                        parts.push(Part::Args);
                        literal = &literal[at + 1..];
                    }
                    put_literal(literal, &mut bytes, &mut parts);
                    // Only one that is there begins them.
                    marks_args &= question.is_none();
                }
                Piece::Variable(name) => {
                    parts.push(Part::Variable(names.place(name.to_ascii_lowercase().into())?));
                }
                Piece::Group(n) => parts.push(Part::Group(n)),
            }
        }
        Ok(Text { bytes: bytes.into(), parts: parts.into() })
    }

    /// Whether a `?` stands in the text itself.
    pub fn has_question(&self) -> bool {
        self.bytes.contains(&b'?') || self.parts.contains(&Part::Args)
    }

    /// The text for this request, where it is at hand, or put together in `buffer`.
    /// # Errors: it is too long.
    pub fn get<'a, 'r: 'a, M: Machine<'r>>(
        &'a self,
        machine: &mut M,
        quoting: Quoting,
        buffer: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], M::Error> {
        match &*self.parts {
            [] => Ok(b""),
            [Part::Literal(_)] => Ok(&self.bytes),
            [Part::Variable(place)] => Ok(machine.variable((*place).into()).unwrap_or_default()),
            _ => {
                buffer.clear();
                self.append(machine, quoting, buffer)?;
                Ok(buffer)
            }
        }
    }

    /// The same in the request's memory.
    /// # Errors: it is too long, or there is no memory for it.
    pub fn kept<'r, M: Machine<'r>>(
        &self,
        machine: &mut M,
        quoting: Quoting,
        buffer: &mut Vec<u8>,
    ) -> Result<&'r [u8], M::Error> {
        if let [Part::Variable(place)] = &*self.parts {
            return Ok(machine.variable((*place).into()).unwrap_or_default());
        }
        let text = self.get(machine, quoting, buffer)?;
        if text.is_empty() { Ok(b"") } else { machine.keep(text) }
    }

    /// Appends the text; where its arguments begin, if they do.
    /// # Errors: `buffer` becomes too long.
    pub fn append<'r, M: Machine<'r>>(
        &self,
        machine: &mut M,
        quoting: Quoting,
        buffer: &mut Vec<u8>,
    ) -> Result<Option<usize>, M::Error> {
        let mut args = None;
        for part in &self.parts {
            match part {
                Part::Literal(range) => {
                    buffer.extend_from_slice(&self.bytes[range.start.into()..range.end.into()]);
                }
                Part::Variable(place) => {
                    buffer.extend_from_slice(machine.variable((*place).into()).unwrap_or_default());
                }
                Part::Group(n) => {
                    let group = machine.group(*n).unwrap_or_default();
                    let is_escaped = args.is_some() || quoting.quotes;
                    if is_escaped && machine.escapes_groups() {
                        escape::args(group, buffer);
                    } else {
                        buffer.extend_from_slice(group);
                    }
                }
                Part::Args => args = Some(buffer.len()),
            }
            if buffer.len() > MAX_BYTES {
                return Err(machine.too_long());
            }
        }
        Ok(args)
    }
}

fn put_literal(literal: &[u8], bytes: &mut Vec<u8>, parts: &mut Vec<Part>) {
    // A template has 4 KiB at most.
    let start = bytes.len() as u16;
    bytes.extend_from_slice(literal);
    let end = bytes.len() as u16;
    match parts.last_mut() {
        _ if literal.is_empty() => {}
        Some(Part::Literal(before)) => before.end = end,
        _ => parts.push(Part::Literal(start..end)),
    }
}
