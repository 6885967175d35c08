//! Variables of a backend in the place of its route's.

use std::cell::OnceCell;

use wick_native::request::Request;
use wick_native::variable::Variable;
use wick_routes::Literal;

/// What the names of variables of routes begin with.
pub const PREFIX: &[u8] = b"route_";

/// Looked up at the first use: requests know where.
pub struct Literals {
    all: Box<[Literal]>,
    known: OnceCell<Box<[Variable]>>,
}

impl Literals {
    pub fn of(all: &[Literal]) -> Literals {
        Literals { all: all.into(), known: OnceCell::new() }
    }

    /// `None`: out of memory.
    #[inline]
    pub fn write(&self, r: Request) -> Option<()> {
        if self.all.is_empty() { Some(()) } else { self.write_all(r) }
    }

    #[inline(never)]
    fn write_all(&self, r: Request) -> Option<()> {
        let resolve = |one: &Literal| Variable::resolve(r, &[PREFIX, &one.name].concat());
        let known = self.known.get_or_init(|| self.all.iter().map(resolve).collect());
        known.iter().zip(&self.all).try_for_each(|(variable, one)| match variable {
            Variable::Index(_) => variable.set(r, &one.value).ok(),
            // The configuration does not use it.
            _ => Some(()),
        })
    }
}
