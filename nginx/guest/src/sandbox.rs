//! One instance of a guest, seen from its owner: its store, its callbacks and its attempt record.

use wasmtime::{Engine, Instance, InstancePre, Store, WasmParams, WasmResults};
use wick_abi::attempt;

use crate::deadline::TICKS;
use crate::embedder::Embedder;
use crate::exports::{ALLOCATORS, Callback};
use crate::guest::{range, range_mut};

/// An instance in a store of its own, and what the host calls of it.
pub struct Sandbox<E: Embedder, X> {
    pub store: Store<E>,
    exports: X,
}

/// A store for one instance: what it takes is limited, and its first call has a deadline.
pub fn store<E: Embedder>(engine: &Engine, host: E) -> Store<E> {
    let mut store = Store::new(engine, host);
    store.limiter(|host| &mut host.parts_mut().limits);
    store.set_epoch_deadline(TICKS);
    store
}

impl<E: Embedder, X> Sandbox<E, X> {
    /// Runs the start section. `exports` looks the callbacks up.
    /// # Errors
    /// The start section traps, or the guest wants more than it may have.
    pub fn instantiate(
        mut store: Store<E>,
        code: &InstancePre<E>,
        exports: impl FnOnce(&Instance, &mut Store<E>) -> X,
    ) -> wasmtime::Result<(Sandbox<E, X>, Instance)> {
        let instance = code.instantiate(&mut store)?;
        let memory = instance.get_memory(&mut store, "memory");
        let allocate =
            ALLOCATORS.into_iter().find_map(|name| instance.get_typed_func(&mut store, name).ok());
        let parts = store.data_mut().parts_mut();
        (parts.memory, parts.allocate) = (memory, allocate);
        let exports = exports(&instance, &mut store);
        Ok((Sandbox { store, exports }, instance))
    }

    /// Calls the first of these start-up functions of compilers that there is, in what is left of the start section's time.
    /// # Errors
    /// It traps.
    pub fn start_up(&mut self, instance: &Instance, names: &[&str]) -> wasmtime::Result<()> {
        let store = &mut self.store;
        let mut functions =
            names.iter().filter_map(|name| instance.get_typed_func(&mut *store, name).ok());
        match functions.next() {
            Some(function) => function.call(store, ()),
            None => Ok(()),
        }
    }

    /// Finds the attempt record, of which the host knows at most `known_bytes`, and says there what the host has.
    pub fn find_record(&mut self, instance: &Instance, known_bytes: usize) {
        let global = instance.get_global(&mut self.store, "wick_attempt");
        let at = global.and_then(|global| global.get(&mut self.store).i32());
        let memory = self.memory();
        let record = at.and_then(|at| {
            let size: [u8; 4] = range(memory, at, 4).ok()?.try_into().ok()?;
            let known = attempt::known_bytes(size, known_bytes) as i32;
            range_mut(memory, at, known).ok().map(|record| {
                attempt::write_host(record);
                (at, known)
            })
        });
        self.store.data_mut().parts_mut().record = record;
    }

    pub fn exports(&self) -> &X {
        &self.exports
    }

    /// Calls one of the guest's callbacks, for at most one deadline; `None` when it has no such export.
    /// # Errors
    /// It traps, or runs into the deadline.
    #[inline]
    pub fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        callback: impl FnOnce(&X) -> &Callback<P, R>,
        arguments: P,
    ) -> wasmtime::Result<Option<R>> {
        let Some(function) = callback(&self.exports) else { return Ok(None) };
        self.store.set_epoch_deadline(TICKS);
        function.call(&mut self.store, arguments).map(Some)
    }

    /// The attempt record. It lay within the memory when it was found, and memories do not shrink.
    #[inline]
    pub fn record(&mut self) -> Option<&mut [u8]> {
        let (at, len) = self.store.data().parts().record?;
        range_mut(self.memory(), at, len).ok()
    }

    #[inline]
    pub fn memory(&mut self) -> &mut [u8] {
        match self.store.data().parts().memory {
            Some(memory) => memory.data_mut(&mut self.store),
            None => &mut [],
        }
    }
}
