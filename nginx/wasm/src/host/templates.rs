//! Templates that an instance has used, compiled.

use wick_abi::template::{self, Piece};
use wick_native::request::Request;
use wick_native::variable::Variable;

use crate::cache::Cache;

/// By their texts; `None` for one that nginx would refuse.
pub struct Templates(Cache<Option<Box<[Part]>>>);

pub enum Part {
    Text(Box<[u8]>),
    Variable(Variable),
    Capture(u8),
}

const MAX_TEMPLATE_BYTES: usize = 4096;

impl Default for Templates {
    fn default() -> Templates {
        Templates(Cache::new(256))
    }
}

impl Templates {
    #[inline]
    /// `None`: the template is too long, or one that nginx would refuse.
    pub fn parts(&mut self, r: Request, template: &[u8]) -> Option<&[Part]> {
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
    pub fn value<'r>(&'r self, r: Request<'r>) -> &'r [u8] {
        match self {
            Part::Text(text) => text,
            Part::Variable(variable) => variable.get(r).unwrap_or_default(),
            Part::Capture(n) => r.capture(*n).unwrap_or_default(),
        }
    }
}
