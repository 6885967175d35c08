//! What all filters of a worker share, and what the host's functions may use of the worker: configurations, zones, which
//! callbacks each root wants. It knows no instance, so that those who are called from one can have it.

pub mod counted;
mod repairs;
pub mod ticks;
pub mod zone_slots;

use std::cell::Cell;

use wick_abi::CallbackSet;
use wick_native::zone::SharedZone;
use wick_policy::Code;

use self::ticks::Ticks;
use self::zone_slots::{AllSlots, ZoneSlots};
use crate::conf::MainConf;
use crate::conf::chain::Chain;
use crate::counters::Counters;
use crate::policy::table::Policies;

pub struct Environment {
    main: &'static MainConf,
    zones: Vec<SharedZone>,
    pub slots: AllSlots,
    /// In the order of `MainConf::roots`.
    callbacks: Vec<Cell<CallbackSet>>,
    pub ticks: Ticks,
    /// Absent without `policy_directory`.
    policies: Option<Policies>,
}

impl Environment {
    /// `policies` is what runs them, if any may be used.
    pub fn new(main: &'static MainConf, policies: Option<&'static Code>) -> Environment {
        let zones: Vec<SharedZone> = main.zones.iter().map(|zone| zone.zone).collect();
        Environment {
            main,
            slots: AllSlots::of(&zones),
            zones,
            callbacks: main.roots.iter().map(|_| Cell::new(CallbackSet::NONE)).collect(),
            ticks: Ticks::new(main.roots.len()),
            policies: policies.map(|code| Policies::new(&main.policies, code)),
        }
    }

    /// Whether it is that of the configuration that `chain` belongs to.
    #[inline]
    pub fn serves(&self, chain: &Chain) -> bool {
        std::ptr::eq(self.main, chain.main.as_ptr())
    }

    /// The callbacks that contexts of `root` get from now on.
    pub fn subscribe(&self, root: usize, callbacks: CallbackSet) {
        self.callbacks[root].set(callbacks);
    }

    #[inline]
    pub fn callbacks(&self, root: usize) -> CallbackSet {
        self.callbacks[root].get()
    }

    /// Whether some filter of the chain wants one of `callbacks`.
    #[inline]
    pub fn wants(&self, chain: &Chain, callbacks: CallbackSet) -> bool {
        chain.roots.iter().any(|root| self.callbacks(*root).and(callbacks) != CallbackSet::NONE)
    }

    /// Root contexts have the ids from 1 on.
    #[inline]
    pub fn root_id(&self, root: usize) -> u32 {
        root as u32 + 1
    }

    pub fn roots(&self) -> std::ops::Range<usize> {
        0..self.callbacks.len()
    }

    #[inline]
    pub fn module_of(&self, root: usize) -> usize {
        self.main.roots[root].module
    }

    pub fn roots_of(&self, module: usize) -> impl Iterator<Item = usize> + '_ {
        self.roots().filter(move |root| self.module_of(*root) == module)
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

    pub fn counters(&self) -> Option<&'static Counters> {
        self.main.counters.as_ref()
    }

    #[inline]
    pub fn policies(&'static self) -> Option<&'static Policies> {
        self.policies.as_ref()
    }

    /// The zones of `shm_kv`, in the order of the configuration.
    pub fn zones(&self) -> &[SharedZone] {
        &self.zones
    }

    pub fn zone_of(&self, key: &[u8]) -> Option<usize> {
        self.main.zone_of(key)
    }

    /// The zone of a slot that filters know by `number`, and its number there.
    #[inline]
    pub fn slot(&self, number: u64) -> (Option<&ZoneSlots>, u64) {
        self.slots.find(number)
    }
}
