//! What the settings of a level (docs/wire.md, LEVEL) do to a request: to its headers, to those that a backend gets, and to the response.
//!
//! A module of nginx's by itself. Which level is in force is known when the request's script has ended, in the rewrite phase; from then on the
//! request shares it, until it leaves its location. Requests without one are not concerned.

mod auth;
mod content;
mod hiding;
mod in_force;
mod index;
mod input;
mod lifetime;
mod location;
mod page;
mod passing;
mod protocols;
mod rate;
mod response;
mod rewriting;
mod taking_over;
mod text;
mod writing;
mod zone_limits;

use std::rc::Rc;

use wick_native::conf::Conf;
use wick_native::http_module;
use wick_native::request::Request;
use wick_native::variable::{self, Variable};

pub use auth::AuthVariables;
pub use in_force::{Effects, of};
use index::{MODULE, MainConf};
use protocols::Protocols;
use zone_limits::Limiters;

http_module! {
    pub static TABLE at MODULE;
    main_conf: MainConf,
    postconfiguration: look_around,
}

/// Looks for what levels may name.
fn look_around(conf: Conf) -> Option<()> {
    // SAFETY: inside `http`, whose configuration has our part, to which nobody else refers; modules declare variables before.
    unsafe {
        let main = &mut *conf.http_main::<MainConf>(MODULE.get());
        main.protocols = Protocols::find(conf);
        main.copies.limiters = Limiters::find(conf);
        taking_over::install(conf)?;
        variable::index_all(conf)
    }
}

/// What the configuration asks whether a request is logged (`nginx/templates/http-logs.liquid`).
const LOGGED: &[u8] = b"route_access_log";

/// Puts the level in force for the request, whose script has ended; `is_answered`: by the script itself. `None`: out of memory.
pub fn begin(r: Request, effects: &Rc<Effects>, is_answered: bool) -> Option<()> {
    in_force::keep(r, effects)?;
    if effects.leaves_request {
        return Some(());
    }
    if let Some(logged) = &effects.unlogged {
        logged.get_or_init(|| Variable::resolve(r, LOGGED)).set(r, b"0").ok();
    }
    if let Some(location) = &effects.location {
        // SAFETY: the module's main configuration.
        location.enter(r, unsafe { &(*r.main_conf::<MainConf>(MODULE.get())).copies })?;
    }
    if is_answered {
        return Some(());
    }
    if let Some(input) = &effects.input {
        // SAFETY: the request shares it.
        unsafe { input.change(r)? };
    }
    if effects.passing.is_some() {
        content::begin(r);
    }
    Some(())
}

/// The request is led to another location at the end of the rewrite phase, which has the level's headers of the request changed before. One that is led
/// on too often has the level for its answer. `None`: out of memory.
pub fn leave(r: Request, effects: &Rc<Effects>) -> Option<()> {
    if let Some(input) = &effects.input {
        r.pool().keep(effects.clone())?;
        // SAFETY: the request shares it now.
        unsafe { input.change(r)? };
    }
    if r.has_last_change() { begin(r, effects, true) } else { Some(()) }
}

/// What the answer of the request's authentication service sets. `None`: nothing.
pub fn auth_variables<'r>(r: Request<'r>) -> Option<&'r AuthVariables> {
    of(r)?.effects.auth.as_ref()
}
