//! What the module keeps with a request: the contexts of its filters, and an answer of theirs that is on its way.
//!
//! A request gets this only when a filter of its location wants more than to choose peers.

use std::cell::Cell;
use std::ptr::null;

use wick_abi::Callback;
use wick_native::request::Request;

use super::upstream::selection::Selection;
use crate::conf::chain::Chain;
use crate::contexts::Contexts;
use crate::host::current::Step;
use crate::host::local_response::LocalResponse;
use crate::host::state::Wants;
use crate::instance::Instance;
use crate::module;
use crate::worker::{Unavailable, Worker};

pub struct State<'r> {
    pub request: Request<'r>,
    pub worker: &'static Worker,
    pub chain: &'r Chain,
    pub contexts: Contexts<'r>,
    pub headers_done: Cell<bool>,
    pub body: Cell<Body>,
    /// An answer that takes the place of the response that nginx is about to send.
    pub replacement: Cell<Replacement>,
    /// Set where the upstream callbacks need it: see `upstream` and `upstream::judge`.
    pub selection: Cell<*const Selection<'r>>,
    logged: Cell<bool>,
}

/// How far the request's body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    Unread,
    Reading,
    Read,
    /// The filters have seen it.
    Shown,
}

/// How far the replacement of a response is.
#[derive(Clone, Copy)]
pub enum Replacement {
    None,
    Wanted(LocalResponse),
    HeadSent(LocalResponse),
    Sent,
}

/// What became of a callback of a whole chain.
pub enum Outcome {
    Continue,
    /// Some filter wants to see the body before anything else happens.
    Pause,
    Respond(LocalResponse),
    Fault,
}

impl<'r> State<'r> {
    /// The state of `r` in its present location, if it has one.
    #[inline]
    pub fn find(r: Request<'r>) -> Option<&'r State<'r>> {
        // SAFETY: only `of` stores there; the state lives in the request's pool.
        unsafe { r.ctx::<State<'r>>(module::HTTP.get()).as_ref() }
    }

    /// The state of `r` for the filters of `chain`, made when there is none; `None`: out of memory.
    pub fn of(r: Request<'r>, chain: &'r Chain, worker: &'static Worker) -> Option<&'r State<'r>> {
        if let Some(state) = State::find(r).filter(|state| std::ptr::eq(state.chain, chain)) {
            return Some(state);
        }
        let state = State {
            request: r,
            worker,
            chain,
            contexts: Contexts::new(r.into(), chain, worker),
            headers_done: Cell::new(false),
            body: Cell::new(Body::Unread),
            replacement: Cell::new(Replacement::None),
            selection: Cell::new(null()),
            logged: Cell::new(false),
        };
        let state = r.pool().put(state)?;
        // SAFETY: our module is registered; the state was just made and lives as long as the request.
        unsafe {
            r.set_ctx(module::HTTP.get(), state.as_ptr());
            Some(&*state.as_ptr())
        }
    }

    /// The request's use of its upstream, where the upstream callbacks noted it.
    #[inline]
    pub fn selection(&self) -> Option<&'r Selection<'r>> {
        // SAFETY: null or a selection of the request's pool, which the state is in, too.
        unsafe { self.selection.get().as_ref() }
    }

    /// Runs a callback of each filter that wants `callback`, in order, until one answers the request itself.
    pub fn run(
        &self,
        callback: Callback,
        step: Step,
        call: impl Fn(&mut Instance, i32) -> wasmtime::Result<Option<i32>>,
    ) -> Outcome {
        const PAUSE: i32 = 1;
        let mut outcome = Outcome::Continue;
        for (i, root) in self.chain.roots.iter().enumerate() {
            if !self.worker.environment.callbacks(*root).contains(callback) {
                continue;
            }
            let called = self.contexts.id(i).and_then(|context| {
                self.contexts.invoke(step, *root, context, |instance| {
                    let action = call(instance, context as i32)?;
                    Ok((action, std::mem::take(instance.wants())))
                })
            });
            match called {
                Err(Unavailable) => return Outcome::Fault,
                Ok((_, Wants { local_response: Some(answer), .. })) => {
                    return Outcome::Respond(answer);
                }
                Ok((Some(PAUSE), _)) => outcome = Outcome::Pause,
                Ok(_) => {}
            }
        }
        outcome
    }

    /// `proxy_on_done` and `proxy_on_log` of all filters, when the request is over.
    pub fn log(&self) {
        if self.logged.replace(true) {
            return;
        }
        self.run(Callback::Context, Step::Done, |instance, context| {
            instance.call(|exports| &exports.done, context).map(|_| None)
        });
        self.run(Callback::Log, Step::Log, |instance, context| {
            instance.call(|exports| &exports.log, context).map(|_| None)
        });
    }
}
