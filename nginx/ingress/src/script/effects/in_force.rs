//! A level made ready, and the one that is in force for a request.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use ngx::ffi::{ngx_http_request_t, ngx_int_t};
use wick_native::request::Request;
use wick_native::variable::Variable;
use wick_script::Level;

use super::auth::AuthVariables;
use super::index::MODULE;
use super::input::Input;
use super::location::Location;
use super::passing::Passing;
use super::rate::Rate;
use super::response::Response;
use super::rewriting::{Budget, Rewriting};

/// Requests share it, because the record may be replaced while they run.
pub struct Effects {
    pub response: Response,
    /// Of `response` and `rate` there is none.
    pub leaves_response: bool,
    /// Of `passing`, `input`, `location` and `unlogged` there is none.
    pub leaves_request: bool,
    /// `None`: what is passed on stays as it is.
    pub passing: Option<Passing>,
    /// `None`: where a backend's response leads to, and its cookies, stay as they are.
    pub rewriting: Option<Rewriting>,
    /// `None`: headers of the request stay as they are.
    pub input: Option<Input>,
    /// `None`: the location's rates hold.
    pub rate: Option<Rate>,
    /// `None`: what nginx reads from the location itself holds.
    pub location: Option<Location>,
    /// `None`: the answer of an authentication service sets nothing.
    pub auth: Option<AuthVariables>,
    /// The variable that says so, looked up at the first use; `None`: requests are logged.
    pub unlogged: Option<OnceCell<Variable>>,
}

impl Effects {
    pub fn of(level: &Level) -> Rc<Effects> {
        let mut effects = Effects {
            leaves_response: false,
            leaves_request: false,
            response: Response::of(level),
            passing: Passing::of(level),
            rewriting: Rewriting::of(level),
            input: Input::of(level),
            rate: Rate::of(level),
            location: Location::of(level),
            auth: AuthVariables::of(level),
            unlogged: level.access_log_off.then(OnceCell::new),
        };
        effects.leaves_response = effects.response.is_empty() && effects.rate.is_none();
        effects.leaves_request = effects.passing.is_none()
            && effects.input.is_none()
            && effects.location.is_none()
            && effects.unlogged.is_none();
        Rc::new(effects)
    }
}

/// What writes a request to a backend.
pub type CreateRequest = unsafe extern "C" fn(*mut ngx_http_request_t) -> ngx_int_t;

/// What a request has of it.
pub struct InForce {
    pub effects: Rc<Effects>,
    /// That of the location's module, while the request waits for its body.
    pub create_request: Cell<Option<CreateRequest>>,
    /// Of rewriting, once it begins.
    pub budget: OnceCell<RefCell<Budget>>,
}

/// Has the request share the level. `None`: out of memory.
pub fn keep(r: Request, effects: &Rc<Effects>) -> Option<()> {
    let (create_request, budget) = (Cell::new(None), OnceCell::new());
    let in_force = InForce { effects: effects.clone(), create_request, budget };
    let kept = r.pool().keep(in_force)?;
    // SAFETY: a registered HTTP module.
    unsafe { r.set_ctx(MODULE.get(), kept.as_ptr()) };
    Some(())
}

/// `None`: there is none, or the request has left its location.
#[inline]
pub fn of<'r>(r: Request<'r>) -> Option<&'r InForce> {
    // SAFETY: what `keep` stored, in the memory of the request.
    unsafe { r.ctx::<InForce>(MODULE.get()).as_ref() }
}
