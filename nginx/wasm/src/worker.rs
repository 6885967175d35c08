//! What a worker process keeps: one instance per module, its roots, and the way to call them so that no
//! fault of a filter is more than that.

mod rebuild;

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;

use ngx::ffi::NGX_LOG_WARN;
use wick_guest::deadline::Ticker;
use wick_native::log;
use wick_native::timer::Timer;

use crate::conf::MainConf;
use crate::conf::chain::Chain;
use crate::environment::Environment;
use crate::fault::{Backoff, RateLimit};
use crate::host::current::{Current, Step};
use crate::instance::Instance;
use crate::vm::Vm;

pub struct Worker {
    pub environment: Environment,
    vm: &'static Vm,
    /// In the order of the modules.
    slots: Vec<Slot>,
    next_context: Cell<u32>,
    /// What the protocols keep, by its type.
    kept: RefCell<Vec<Box<dyn Any>>>,
    /// Where the fallback goes on in an endpoint list.
    pub fallback_turn: Cell<usize>,
    _ticker: Option<Ticker>,
}

/// A module's place: its instance, or the time until there is one again.
struct Slot {
    instance: RefCell<Option<Instance>>,
    generation: Cell<u64>,
    backoff: RefCell<Backoff>,
    lines: RefCell<RateLimit>,
    rebuild: Pin<Box<Timer<(&'static Worker, usize)>>>,
}

/// The filter cannot be called now, or failed just now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable;

/// That of this process, for those who have nothing but nginx's request.
struct Serving(Cell<Option<&'static Worker>>);

// SAFETY: nginx's processes run this code in one thread.
unsafe impl Sync for Serving {}

static SERVING: Serving = Serving(Cell::new(None));

impl Worker {
    /// Starts everything. The worker is never moved and lives until [`Worker::end`].
    pub fn start(main: &'static MainConf, vm: &'static Vm) -> &'static Worker {
        let slot = |_| Slot {
            instance: RefCell::new(None),
            generation: Cell::new(0),
            backoff: RefCell::default(),
            lines: RefCell::default(),
            rebuild: Timer::new(),
        };
        let worker: &'static Worker = Box::leak(Box::new(Worker {
            environment: Environment::new(main, vm.policies.as_ref()),
            vm,
            slots: main.modules.iter().map(slot).collect(),
            next_context: Cell::new(main.roots.len() as u32 + 1),
            kept: RefCell::default(),
            fallback_turn: Cell::new(std::process::id() as usize),
            _ticker: start_ticker(main, vm),
        }));
        worker.environment.ticks.on_tick(|root| worker.tick(root));
        (0..worker.slots.len()).for_each(|module| worker.build(module));
        SERVING.0.set(Some(worker));
        worker
    }

    /// Ends a worker that [`Worker::start`] made.
    ///
    /// # Safety
    /// Nobody uses it any more; requests are over.
    pub unsafe fn end(&'static self) {
        SERVING.0.set(SERVING.0.get().filter(|serving| !std::ptr::eq(*serving, self)));
        // SAFETY: it came from Box::leak, and this is the last use.
        drop(unsafe { Box::from_raw(std::ptr::from_ref(self).cast_mut()) });
    }

    /// The worker that serves `chain`; `None` in other processes.
    #[inline]
    pub fn of(chain: &Chain) -> Option<&'static Worker> {
        SERVING.0.get().filter(|worker| worker.environment.serves(chain))
    }

    /// Calls a filter: `call` gets the instance of `current.root`'s module, which was told of changes.
    ///
    /// # Errors
    /// [`Unavailable`]: there is no instance now, or it failed in this call; that was logged and
    /// counted, another one will be built, and its gauge is as it was before the call.
    #[inline]
    pub fn call<R>(
        &'static self,
        current: Current,
        call: impl FnOnce(&mut Instance) -> wasmtime::Result<R>,
    ) -> Result<R, Unavailable> {
        let module = self.environment.module_of(current.root);
        let Ok(mut place) = self.slots[module].instance.try_borrow_mut() else {
            return Err(Unavailable);
        };
        let Some(instance) = place.as_mut() else { return Err(Unavailable) };
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            instance.begin(current);
            instance.tell_changes(current.root)?;
            call(instance)
        }));
        if let Ok(Ok(value)) = outcome {
            instance.end();
            return Ok(value);
        }
        let step = instance.step();
        instance.counted().take_back(&self.environment);
        *place = None; // its memory may be half changed
        drop(place);
        self.fault(module, step, outcome.map(|outcome| outcome.err()));
        Err(Unavailable)
    }

    /// The instance's generation; contexts of an earlier one are gone.
    #[inline]
    pub fn generation(&self, root: usize) -> u64 {
        self.slots[self.environment.module_of(root)].generation.get()
    }

    /// A number that no other context has at the time.
    pub fn new_context(&self) -> u32 {
        let id = self.next_context.get();
        let next =
            if id >= i32::MAX as u32 { self.environment.roots().len() as u32 + 1 } else { id + 1 };
        self.next_context.set(next);
        id
    }

    /// What a protocol keeps for the worker's life, made when it is first asked for.
    pub fn keep<T: Default + 'static>(&'static self) -> &'static T {
        let mut all = self.kept.borrow_mut();
        let at = all.iter().position(|kept| kept.is::<T>()).unwrap_or_else(|| {
            all.push(Box::new(T::default()));
            all.len() - 1
        });
        let kept: *const T = all[at].downcast_ref().expect("it was found by its type");
        // SAFETY: a box's content stays where it is, and no box is removed before the worker ends.
        unsafe { &*kept }
    }

    fn tick(&'static self, root: usize) {
        let id = self.environment.root_id(root);
        let current = Current::without_subject(Step::Tick, root, id);
        let ticked =
            self.call(current, |instance| instance.call(|exports| &exports.tick, id as i32));
        if ticked.is_err() {
            self.environment.ticks.cancel(root); // the next instance sets it again
        }
    }
}

/// `None`: callbacks have no deadline. Policies always have one.
fn start_ticker(main: &MainConf, vm: &Vm) -> Option<Ticker> {
    const ALONE_MS: u64 = 20;
    let filters = Some(vm.engine.clone()).filter(|_| main.callback_deadline_ms > 0);
    let policies = vm.policies.as_ref().map(|policies| policies.engine().clone());
    let deadline_ms = if filters.is_some() { main.callback_deadline_ms } else { ALONE_MS };
    let engines: Vec<_> = filters.into_iter().chain(policies).collect();
    if engines.is_empty() {
        return None;
    }
    let ticker = Ticker::start(engines, deadline_ms);
    if ticker.is_none() {
        let errno = std::io::Error::last_os_error();
        log::write(
            log::of_cycle(),
            NGX_LOG_WARN as usize,
            format_args!(
                "[wasm] no CPU timer for callback_deadline, filters run without one: {errno}"
            ),
        );
    }
    ticker
}
