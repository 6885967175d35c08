//! One instance of a policy: its memory, its callbacks, and how they are called so that no fault of it is more than that.

use std::panic::{AssertUnwindSafe, catch_unwind};

use wasmtime::{
    Engine, ExternType, InstancePre, Linker, Module, Store, Trap, WasmParams, WasmResults,
};
use wick_abi::attempt::{self, Chosen, Info, KNOWN_BYTES, NO_TAG, POLICY_BYTES, Select};
use wick_abi::table::flags;
use wick_guest::exports::Callback;
use wick_guest::{Embedder, Sandbox, sandbox};

use crate::engine::{CHANGE_TIMES, FUEL_PER_MS};
use crate::exports::{Exports, INITIALIZE};
use crate::imports::linker;
use crate::state::State;
use crate::world::World;

/// Links policies, once per process.
pub struct Code {
    linker: Linker<State>,
}

/// A policy that was compiled or loaded, and linked.
pub struct Linked(InstancePre<State>);

/// How much one instance may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub memory_bytes: usize,
    /// Per call.
    pub deadline_ms: u64,
}

/// Why a policy can serve no longer, in a few words.
#[derive(Debug)]
pub struct Fault(pub String);

/// What became of a new root context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opened {
    Ready,
    /// The policy does not take this configuration.
    Refused,
}

/// What a policy is told of an attempt before it chooses.
pub struct Question<'a> {
    pub select: Select<'a>,
    /// `wick_get_avoided` has bits.
    pub are_some_avoided: bool,
    pub key: Option<&'a [u8]>,
}

impl Code {
    /// # Errors
    /// None that would not be a mistake in this crate.
    pub fn new(engine: &Engine) -> wasmtime::Result<Code> {
        Ok(Code { linker: linker(engine)? })
    }

    pub fn engine(&self) -> &Engine {
        self.linker.engine()
    }

    /// The type of a function that policies may import.
    pub(crate) fn import(&self, module: &str, name: &str) -> Option<ExternType> {
        let mut store = Store::new(self.engine(), State::new(0));
        self.linker.get(&mut store, module, name).ok().map(|import| import.ty(&store))
    }

    /// # Errors
    /// It imports what no policy may.
    pub fn link(&self, module: &Module) -> wasmtime::Result<Linked> {
        self.linker.instantiate_pre(module).map(Linked)
    }

    /// What the program has made of a policy.
    /// # Errors
    /// Another version of wasmtime, an engine with other settings or for another processor made it.
    ///
    /// # Safety
    /// `code` is what [`Module::serialize`] returned, and nobody has changed it.
    pub unsafe fn load(&self, code: &[u8]) -> wasmtime::Result<Linked> {
        // SAFETY: the caller's promise.
        self.link(&unsafe { Module::deserialize(self.engine(), code) }?)
    }
}

pub struct Instance {
    sandbox: Sandbox<State, Exports>,
    fuel: u64,
    has_started: bool,
    /// See [`crate::needs`].
    needs: u32,
    abi_version: u32,
}

impl Instance {
    /// Runs the start section and start-up functions.
    /// # Errors
    /// They fault, or it wants more than it may have.
    pub fn start(code: &Code, linked: &Linked, limits: Limits) -> Result<Instance, Fault> {
        guarded(|| {
            let mut store = sandbox::store(code.engine(), State::new(limits.memory_bytes));
            let fuel = limits.deadline_ms.saturating_mul(FUEL_PER_MS);
            // Once per instance: its data segments count as work.
            store.set_fuel(fuel)?;
            let (sandbox, instance) = Sandbox::instantiate(store, &linked.0, Exports::of)?;
            let mut this = Instance { sandbox, fuel, has_started: false, needs: 0, abi_version: 1 };
            this.initialize(&instance)?;
            Ok(this)
        })
    }

    fn initialize(&mut self, instance: &wasmtime::Instance) -> wasmtime::Result<()> {
        self.sandbox.start_up(instance, &[INITIALIZE])?;
        self.find_record(instance);
        self.needs = self.number(instance, "wick_policy_needs")?.unwrap_or(0);
        self.abi_version = self.number(instance, "wick_abi_version")?.unwrap_or(1);
        Ok(())
    }

    fn find_record(&mut self, instance: &wasmtime::Instance) {
        self.sandbox.find_record(instance, POLICY_BYTES);
        let state = self.sandbox.store.data_mut();
        state.shadow = state.parts().record.is_none().then(|| {
            let mut shadow = Box::new([0; KNOWN_BYTES]);
            attempt::write_host(&mut shadow[..]);
            shadow
        });
    }

    /// What an export says that is a number, or a function that returns one: where data has addresses, only a function can.
    fn number(
        &mut self,
        instance: &wasmtime::Instance,
        name: &str,
    ) -> wasmtime::Result<Option<u32>> {
        let store = &mut self.sandbox.store;
        if let Some(global) = instance.get_global(&mut *store, name) {
            return Ok(global.get(store).i32().map(|number| number as u32));
        }
        match instance.get_typed_func::<(), i32>(&mut *store, name) {
            Ok(function) => function.call(store, ()).map(|number| Some(number as u32)),
            Err(_) => Ok(None),
        }
    }

    pub fn needs(&self) -> u32 {
        self.needs
    }

    pub fn abi_version(&self) -> u32 {
        self.abi_version
    }

    /// Whether it has a callback for the ends of attempts.
    pub fn listens(&self) -> bool {
        self.sandbox.exports().info.is_some()
    }

    /// Makes the root context `root` of a backend: create, the first time start, configure.
    /// # Errors
    /// It faults, or refuses to start at all.
    pub fn open(&mut self, root: i32, world: &dyn World) -> Result<Opened, Fault> {
        self.enter(world, |this| {
            this.call_once(|exports| &exports.context_create, (root, 0))?;
            if !std::mem::replace(&mut this.has_started, true)
                && this.call_once(|exports| &exports.vm_start, (root, 0))? == Some(0)
            {
                return Err(wasmtime::Error::msg("proxy_on_vm_start returned 0"));
            }
            let size = world.configuration().len() as i32;
            match this.call_once(|exports| &exports.configure, (root, size))? {
                Some(0) => Ok(Opened::Refused),
                _ => Ok(Opened::Ready),
            }
        })
    }

    /// The backend has another list of endpoints, or its first.
    /// # Errors
    /// It faults.
    pub fn tell_change(&mut self, root: i32, world: &dyn World) -> Result<(), Fault> {
        self.enter(world, |this| {
            this.call_once(|exports| &exports.endpoints_changed, root).map(drop)
        })
    }

    /// Asks for the endpoint of an attempt: the place of one, [`NO_TAG`] if it declines, or anything.
    /// # Errors
    /// It faults.
    #[inline]
    pub fn select(
        &mut self,
        root: i32,
        question: &Question<'_>,
        world: &dyn World,
    ) -> Result<Chosen, Fault> {
        self.enter(world, |this| {
            this.with_record(|record| {
                attempt::write_select(record, &question.select);
                attempt::write_flags(
                    record,
                    if question.are_some_avoided { flags::AVOIDS } else { 0 },
                );
                attempt::write_key(record, question.key);
            });
            this.call(|exports| &exports.select, root)?;
            let said = this.with_record(|record| attempt::chosen(record));
            let chosen = this.sandbox.store.data().chosen.filter(|_| said.tag == NO_TAG);
            Ok(Chosen { tag: chosen.unwrap_or(said.tag), ..said })
        })
    }

    /// Tells how an attempt ended.
    /// # Errors
    /// It faults.
    pub fn info(
        &mut self,
        root: i32,
        info: &Info,
        has_failed: bool,
        world: &dyn World,
    ) -> Result<(), Fault> {
        self.enter(world, |this| {
            this.with_record(|record| attempt::write_info(record, info));
            this.call(|exports| &exports.info, (root, i32::from(has_failed))).map(drop)
        })
    }

    /// The backend is gone.
    /// # Errors
    /// It faults.
    pub fn close(&mut self, root: i32, world: &dyn World) -> Result<(), Fault> {
        self.enter(world, |this| this.call(|exports| &exports.delete, root).map(drop))
    }

    /// Bytes of its linear memory.
    pub fn memory_bytes(&mut self) -> usize {
        self.sandbox.memory().len()
    }

    #[inline]
    fn enter<R>(
        &mut self,
        world: &dyn World,
        run: impl FnOnce(&mut Instance) -> wasmtime::Result<R>,
    ) -> Result<R, Fault> {
        self.sandbox.store.data_mut().enter(world);
        let outcome = guarded(|| run(self));
        self.sandbox.store.data_mut().leave();
        outcome
    }

    /// Calls one of the policy's callbacks, with a deadline of its own; `None` when it has no such export.
    #[inline]
    fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        callback: impl FnOnce(&Exports) -> &Callback<P, R>,
        arguments: P,
    ) -> wasmtime::Result<Option<R>> {
        self.call_with(self.fuel, callback, arguments)
    }

    /// As `call`, for what happens once per change: with a longer deadline.
    fn call_once<P: WasmParams, R: WasmResults>(
        &mut self,
        callback: impl FnOnce(&Exports) -> &Callback<P, R>,
        arguments: P,
    ) -> wasmtime::Result<Option<R>> {
        self.call_with(self.fuel.saturating_mul(CHANGE_TIMES), callback, arguments)
    }

    #[inline]
    fn call_with<P: WasmParams, R: WasmResults>(
        &mut self,
        fuel: u64,
        callback: impl FnOnce(&Exports) -> &Callback<P, R>,
        arguments: P,
    ) -> wasmtime::Result<Option<R>> {
        self.sandbox.store.set_fuel(fuel)?;
        self.sandbox.call(callback, arguments)
    }

    #[inline]
    fn with_record<R>(&mut self, act: impl FnOnce(&mut [u8]) -> R) -> R {
        if let Some(record) = self.sandbox.record() {
            return act(record);
        }
        act(self.sandbox.store.data_mut().shadow.as_mut().map_or(&mut [], |shadow| &mut shadow[..]))
    }
}

/// Neither an error of the engine nor a panic of the host goes further.
#[inline]
fn guarded<R>(run: impl FnOnce() -> wasmtime::Result<R>) -> Result<R, Fault> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(outcome) => outcome.map_err(|error| fault(&error)),
        Err(_) => Err(Fault("a panic in the host".into())),
    }
}

#[cold]
fn fault(error: &wasmtime::Error) -> Fault {
    let text = match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel | Trap::Interrupt) => "it took longer than its deadline".into(),
        _ => one_line(&error.root_cause().to_string()),
    };
    Fault(text)
}

/// Of the engine's messages, which have many lines, at most this much in one.
fn one_line(text: &str) -> String {
    const MAX_CHARS: usize = 300;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
