//! What the settings of a level (docs/wire.md, LEVEL) do to a request: to its headers, to those that a backend gets, and to the response.
//!
//! A module of nginx's by itself. Which level is in force is known when the request's script has ended, in the rewrite phase; from then on the
//! request shares it, until it leaves its location. Requests without one are not concerned.

mod content;
mod hiding;
mod in_force;
mod index;
mod lifetime;
mod passing;
mod protocols;
mod response;
mod text;

use std::rc::Rc;

use wick_native::conf::Conf;
use wick_native::http_module;
use wick_native::request::Request;

pub use in_force::{Effects, of};
use index::MODULE;
use protocols::Protocols;

http_module! {
    pub static TABLE at MODULE;
    main_conf: Protocols,
    postconfiguration: find_protocols,
}

fn find_protocols(conf: Conf) -> Option<()> {
    // SAFETY: inside `http`, whose configuration has our part; nobody else refers to it.
    unsafe { *conf.http_main::<Protocols>(MODULE.get()) = Protocols::find(conf) };
    Some(())
}

/// Puts the level in force for the request, whose script has ended; `is_answered`: by the script itself. `None`: out of memory.
pub fn begin(r: Request, effects: &Rc<Effects>, is_answered: bool) -> Option<()> {
    in_force::keep(r, effects)?;
    if effects.passing.is_some() && !is_answered {
        content::begin(r);
    }
    Some(())
}
