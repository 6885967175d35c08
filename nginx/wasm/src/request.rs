//! What the module keeps with a request: the contexts of its filters, and an answer of theirs that is on its way.
//!
//! A request gets this only when a filter of its location wants more than to choose peers.

use std::cell::Cell;
use std::ffi::c_void;

use std::ptr::{NonNull, null};

use wick_abi::Callback;
use wick_native::guard::guard;
use wick_native::request::Request;

use crate::conf::chain::Chain;
use crate::host::current::{Current, Step};
use crate::host::local_response::LocalResponse;
use crate::host::state::Wants;
use crate::instance::Instance;
use crate::module;
use crate::upstream::peer::Peer;
use crate::worker::{Unavailable, Worker};

pub struct State<'r> {
    pub request: Request<'r>,
    pub worker: &'static Worker,
    pub chain: &'r Chain,
    /// One per filter of the chain, in the request's pool, once one of them wants contexts.
    contexts: Cell<Option<NonNull<Cell<Context>>>>,
    pub headers_done: Cell<bool>,
    pub body: Cell<Body>,
    /// An answer that takes the place of the response that nginx is about to send.
    pub replacement: Cell<Replacement>,
    /// Set where the upstream callbacks need it: see `upstream::judge` and `upstream::ask`.
    pub peer: Cell<*const Peer<'r>>,
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

/// A filter's context for one request.
#[derive(Clone, Copy)]
struct Context {
    id: u32,
    /// Of the instance that knows it; 0: none yet.
    generation: u64,
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
            contexts: Cell::new(None),
            headers_done: Cell::new(false),
            body: Cell::new(Body::Unread),
            replacement: Cell::new(Replacement::None),
            peer: Cell::new(null()),
            logged: Cell::new(false),
        };
        let state = r.pool().put(state)?;
        // SAFETY: our module is registered; the state was just made and lives as long as the request.
        unsafe {
            r.set_ctx(module::HTTP.get(), state.as_ptr());
            Some(&*state.as_ptr())
        }
    }

    /// The id that the callbacks of filter `i` get: a context of this request, or the root's own where
    /// the filter wants no contexts.
    pub fn context(&self, i: usize) -> Result<u32, Unavailable> {
        let root = self.chain.roots[i];
        if !self.worker.environment.callbacks(root).contains(Callback::Context) {
            return Ok(self.worker.environment.root_id(root));
        }
        let cell = self.context_cell(i).ok_or(Unavailable)?;
        if cell.get().generation == self.worker.generation(root) {
            return Ok(cell.get().id);
        }
        self.create(cell, root)
    }

    fn create(&self, cell: &Cell<Context>, root: usize) -> Result<u32, Unavailable> {
        let id = self.worker.new_context();
        let arguments = (id as i32, self.worker.environment.root_id(root) as i32);
        self.invoke(Step::ContextCreate, root, id, |instance| {
            instance.call(|exports| &exports.context_create, arguments)
        })?;
        cell.set(Context { id, generation: self.worker.generation(root) });
        Ok(id)
    }

    /// `None`: out of memory.
    fn context_cell(&self, i: usize) -> Option<&Cell<Context>> {
        let contexts = match self.contexts.get() {
            Some(contexts) => contexts,
            None => self.make_contexts()?,
        };
        assert!(i < self.chain.roots.len());
        // SAFETY: `make_contexts` made one per filter.
        Some(unsafe { &*contexts.as_ptr().add(i) })
    }

    fn make_contexts(&self) -> Option<NonNull<Cell<Context>>> {
        let contexts = new_contexts(self.request, self.chain.roots.len())?;
        let data = std::ptr::from_ref(self).cast_mut().cast::<c_void>();
        self.request.pool().on_destroy(delete, data)?;
        self.contexts.set(Some(contexts));
        Some(contexts)
    }

    /// The peer of this request's upstream, where the upstream callbacks noted it.
    #[inline]
    pub fn peer(&self) -> Option<&Peer<'r>> {
        // SAFETY: null or a peer of the request's pool, which the state is in, too.
        unsafe { self.peer.get().as_ref() }
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
            let called = self.context(i).and_then(|context| {
                self.invoke(step, *root, context, |instance| {
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

    fn invoke<R>(
        &self,
        step: Step,
        root: usize,
        context: u32,
        call: impl FnOnce(&mut Instance) -> wasmtime::Result<R>,
    ) -> Result<R, Unavailable> {
        self.worker.call(Current::without_request(step, root, context).about(self.request), call)
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

    /// The contexts that still exist are told that they end. The request is gone by then.
    fn delete_contexts(&self) {
        for (i, root) in self.chain.roots.iter().enumerate() {
            let Some(context) = self.context_cell(i).map(Cell::get) else { return };
            if context.generation != self.worker.generation(*root) || context.generation == 0 {
                continue;
            }
            let current = Current::without_request(Step::Delete, *root, context.id);
            // A fault was logged and counted; nothing is left to do for this request.
            let _ = self.worker.call(current, |instance| {
                instance.call(|exports| &exports.delete, context.id as i32)
            });
        }
    }
}

fn new_contexts(r: Request, n: usize) -> Option<NonNull<Cell<Context>>> {
    let layout = std::alloc::Layout::array::<Cell<Context>>(n).ok()?;
    let contexts = r.pool().layout(layout)?.cast::<Cell<Context>>();
    for i in 0..n {
        // SAFETY: fresh memory for `n` of them.
        unsafe { contexts.add(i).write(Cell::new(Context { id: 0, generation: 0 })) };
    }
    Some(contexts)
}

unsafe extern "C" fn delete(data: *mut c_void) {
    // SAFETY: a State of the pool that is being destroyed: its memory is still there.
    guard((), || unsafe { (*data.cast::<State>()).delete_contexts() })
}
