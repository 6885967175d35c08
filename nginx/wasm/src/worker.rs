//! What a worker process keeps: one instance per module, its roots, and the way to call them so that no
//! fault of a filter is more than that.

mod rebuild;
mod repairs;
mod slots;

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;

use ngx::ffi::NGX_LOG_WARN;
use wick_abi::CallbackSet;
use wick_native::log;
use wick_native::timer::Timer;
use wick_native::zone::SharedZone;

use crate::conf::MainConf;
use crate::counters::Counters;
use crate::epoch::Ticker;
use crate::fault::{Backoff, RateLimit};
use crate::host::{Current, Step};
use crate::instance::Instance;
use crate::upstream::Interned;
use crate::vm::Vm;

pub use slots::{MAX_ZONES_WITH_SLOTS, ZoneSlots};

pub struct Worker {
    main: &'static MainConf,
    zones: Vec<SharedZone>,
    /// In the order of the zones.
    zone_slots: Vec<Option<ZoneSlots>>,
    slots: Vec<Slot>,
    roots: Vec<Root>,
    next_context: Cell<u32>,
    /// Copies of upstream configurations with shorter timeouts.
    pub interned: Interned,
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

struct Root {
    module: usize,
    callbacks: Cell<CallbackSet>,
    tick_ms: Cell<u32>,
    tick: Pin<Box<Timer<(&'static Worker, usize)>>>,
}

/// The filter cannot be called now, or failed just now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable;

impl Worker {
    /// Starts everything. The worker is never moved and lives until [`Worker::end`].
    pub fn start(main: &'static MainConf) -> &'static Worker {
        let slot = |_| Slot {
            instance: RefCell::new(None),
            generation: Cell::new(0),
            backoff: RefCell::default(),
            lines: RefCell::default(),
            rebuild: Timer::new(),
        };
        let root = |conf: &crate::conf::RootConf| Root {
            module: conf.module,
            callbacks: Cell::new(CallbackSet::NONE),
            tick_ms: Cell::new(0),
            tick: Timer::new(),
        };
        let worker: &'static Worker = Box::leak(Box::new(Worker {
            main,
            zones: main.zones.iter().map(|zone| zone.zone).collect(),
            zone_slots: main.zones.iter().map(|zone| ZoneSlots::of(zone.zone)).collect(),
            slots: main.modules.iter().map(slot).collect(),
            roots: main.roots.iter().map(root).collect(),
            next_context: Cell::new(main.roots.len() as u32 + 1),
            interned: Interned::default(),
            fallback_turn: Cell::new(std::process::id() as usize),
            _ticker: start_ticker(main),
        }));
        (0..worker.slots.len()).for_each(|module| worker.build(module));
        worker
    }

    /// Ends a worker that [`Worker::start`] made.
    ///
    /// # Safety
    /// Nobody uses it any more; requests are over.
    pub unsafe fn end(&'static self) {
        // SAFETY: it came from Box::leak, and this is the last use.
        drop(unsafe { Box::from_raw(std::ptr::from_ref(self).cast_mut()) });
    }

    /// Calls a filter: `call` gets the instance of `current.root`'s module, which was told of changes.
    ///
    /// # Errors
    /// [`Unavailable`]: there is no instance now, or it failed in this call; that was logged and
    /// counted, and another one will be built.
    #[inline]
    pub fn call<R>(
        &'static self,
        current: Current,
        call: impl FnOnce(&mut Instance) -> wasmtime::Result<R>,
    ) -> Result<R, Unavailable> {
        let module = self.roots[current.root].module;
        let Ok(mut place) = self.slots[module].instance.try_borrow_mut() else {
            return Err(Unavailable);
        };
        let Some(instance) = place.as_mut() else { return Err(Unavailable) };
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            instance.set_current(current);
            instance.tell_changes(current.root)?;
            call(instance)
        }));
        if let Ok(Ok(value)) = outcome {
            instance.set_current(Current::NONE);
            return Ok(value);
        }
        let step = instance.step();
        *place = None; // its memory may be half changed
        drop(place);
        self.fault(module, step, outcome.map(|outcome| outcome.err()));
        Err(Unavailable)
    }

    /// The instance's generation; contexts of an earlier one are gone.
    #[inline]
    pub fn generation(&self, root: usize) -> u64 {
        self.slots[self.roots[root].module].generation.get()
    }

    /// The callbacks that contexts of `root` get from now on.
    pub fn subscribe(&self, root: usize, callbacks: CallbackSet) {
        self.roots[root].callbacks.set(callbacks);
    }

    #[inline]
    pub fn callbacks(&self, root: usize) -> CallbackSet {
        self.roots[root].callbacks.get()
    }

    /// A number that no other context has at the time.
    pub fn new_context(&self) -> u32 {
        let id = self.next_context.get();
        let next = if id >= i32::MAX as u32 { self.roots.len() as u32 + 1 } else { id + 1 };
        self.next_context.set(next);
        id
    }

    /// Root contexts have the ids from 1 on.
    #[inline]
    pub fn root_id(&self, root: usize) -> u32 {
        root as u32 + 1
    }

    pub fn roots(&self) -> std::ops::Range<usize> {
        0..self.roots.len()
    }

    pub fn roots_of(&self, module: usize) -> impl Iterator<Item = usize> + '_ {
        self.roots().filter(move |root| self.roots[*root].module == module)
    }

    /// `proxy_on_tick` of `root` from now on; 0 stops it.
    pub fn set_tick(&'static self, root: usize, period_ms: u32) {
        self.roots[root].tick_ms.set(period_ms);
        self.roots[root].tick.cancel();
        self.wind(root);
    }

    fn wind(&'static self, root: usize) {
        let period_ms = self.roots[root].tick_ms.get();
        if period_ms > 0 {
            let tick = |(worker, root): (&'static Worker, usize)| worker.tick(root);
            self.roots[root].tick.as_ref().set(u64::from(period_ms), tick, (self, root));
        }
    }

    fn tick(&'static self, root: usize) {
        self.wind(root);
        let id = self.root_id(root);
        let current = Current { step: Step::Tick, root, context: id, ..Current::NONE };
        let ticked =
            self.call(current, |instance| instance.call(|exports| &exports.tick, id as i32));
        if ticked.is_err() {
            self.roots[root].tick.cancel(); // the next instance winds it again
        }
    }

    pub fn module_name(&self, module: usize) -> &'static str {
        &self.main.modules[module].name
    }

    pub fn vm_configuration(&self, module: usize) -> &'static [u8] {
        &self.main.modules[module].config
    }

    pub fn plugin_configuration(&self, root: usize) -> &'static [u8] {
        &self.main.roots[root].config
    }

    pub fn memory_limit_bytes(&self) -> usize {
        self.main.memory_limit_bytes
    }

    /// # Panics
    /// Without compiled modules there is no worker.
    pub fn vm(&self) -> &'static Vm {
        self.main.vm.as_ref().expect("compiled in init_conf")
    }

    pub fn counters(&self) -> Option<&'static Counters> {
        self.main.counters.as_ref()
    }

    /// The zones of `shm_kv`, in the order of the configuration.
    pub fn zones(&self) -> &[SharedZone] {
        &self.zones
    }

    pub fn zone_of(&self, key: &[u8]) -> Option<usize> {
        self.main.zone_of(key)
    }
}

fn start_ticker(main: &MainConf) -> Option<Ticker> {
    let engine = main.vm.as_ref().filter(|_| main.callback_deadline_ms > 0).map(|vm| &vm.engine)?;
    let ticker = Ticker::start(engine, main.callback_deadline_ms);
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
