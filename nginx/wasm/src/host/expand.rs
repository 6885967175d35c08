//! `wick_expand`: the request's variables in a text.

use std::borrow::Cow;

use wick_abi::Status;
use wick_abi::template::{self, Piece};
use wick_native::request::Request;
use wick_native::variable::Variable;

use super::Host;
use crate::cache::Cache;

/// Templates that an instance has used; `None` for one that nginx would refuse.
pub struct Templates(Cache<Option<Box<[Part]>>>);

enum Part {
    Text(Box<[u8]>),
    Variable(Variable),
    Capture(u8),
}

const MAX_TEMPLATE_BYTES: usize = 4096;
/// Keeps a template that names large variables many times from filling the filter's memory.
const MAX_BYTES: usize = 64 << 10;

/// The text for the request at hand: a single variable's own value, or put together in the host's scratch.
/// # Errors
/// BAD_ARGUMENT outside of a request and for a template that is too long or that nginx would refuse;
/// INTERNAL_FAILURE for a text that is too long.
pub fn expand(host: &mut Host, template: &[u8]) -> Result<Cow<'static, [u8]>, Status> {
    let r = host.current.request.ok_or(Status::BadArgument)?;
    let parts = host.templates.parts(r, template).ok_or(Status::BadArgument)?;
    if let [Part::Variable(variable)] = parts {
        let value = variable.get(r).unwrap_or_default();
        return if value.len() > MAX_BYTES { TOO_LONG } else { Ok(Cow::Borrowed(value)) };
    }
    let mut text = std::mem::take(&mut host.scratch);
    text.clear();
    for part in parts {
        text.extend_from_slice(part.value(r));
        if text.len() > MAX_BYTES {
            host.reuse(text);
            return TOO_LONG;
        }
    }
    Ok(Cow::Owned(text))
}

const TOO_LONG: Result<Cow<'static, [u8]>, Status> = Err(Status::InternalFailure);

impl Default for Templates {
    fn default() -> Templates {
        Templates(Cache::new(256))
    }
}

impl Templates {
    #[inline]
    fn parts(&mut self, r: Request, template: &[u8]) -> Option<&[Part]> {
        if template.len() > MAX_TEMPLATE_BYTES {
            return None;
        }
        self.0.get(template, || compile(r, template)).as_deref()
    }
}

fn compile(r: Request, template: &[u8]) -> Option<Box<[Part]>> {
    let pieces = template::parse(template).ok()?;
    let part = |piece: &Piece<'_>| match piece {
        Piece::Text(text) => Part::Text((*text).into()),
        Piece::Variable(name) => Part::Variable(Variable::resolve(r, name)),
        Piece::Capture(n) => Part::Capture(*n),
    };
    Some(pieces.iter().map(part).collect())
}

impl Part {
    /// Empty where the request has no such thing.
    #[inline]
    fn value(&self, r: Request) -> &[u8] {
        match self {
            Part::Text(text) => text,
            Part::Variable(variable) => variable.get(r).unwrap_or_default(),
            Part::Capture(n) => r.capture(*n).unwrap_or_default(),
        }
    }
}
