//! One instance of a filter: its memory, its callbacks, and how they are called.

use wasmtime::{Store, StoreLimitsBuilder, WasmParams, WasmResults};
use wick_abi::attempt::{self, Chosen, Info, Select};

use crate::attempts::peer::Peer;
use crate::clock;
use crate::environment::Environment;
use crate::environment::counted::Counted;
use crate::epoch;
use crate::exports::{ALLOCATORS, Callback, Exports};
use crate::host::current::{Current, Step};
use crate::host::guest::{range, range_mut};
use crate::host::state::{Host, Wants};
use crate::vm::Vm;

pub struct Instance {
    store: Store<Host>,
    exports: Exports,
    /// Address and length of the attempt record, when the filter has one.
    attempt: Option<(i32, i32)>,
    /// Counts the times that a zone moved; per root, up to which it was told.
    changes: u64,
    told: Vec<u64>,
}

impl Instance {
    /// Instantiates module `module` and starts its roots: create, start, configure.
    /// # Errors
    /// A trap, or the filter refused to start; and in which step.
    pub fn start(
        environment: &'static Environment,
        vm: &Vm,
        module: usize,
    ) -> Result<Instance, (Step, wasmtime::Error)> {
        let mut store = Store::new(&vm.engine, host(environment, module));
        store.limiter(|host| &mut host.limits);
        store.set_epoch_deadline(epoch::TICKS);
        let instance = vm.modules[module].instantiate(&mut store);
        let instance = instance.map_err(|error| (Step::Instantiate, error))?;
        let allocator =
            ALLOCATORS.into_iter().find_map(|name| instance.get_typed_func(&mut store, name).ok());
        store.data_mut().memory = instance.get_memory(&mut store, "memory");
        store.data_mut().allocate = allocator;
        let exports = Exports::of(&instance, &mut store);
        let told = vec![0; environment.roots().len()];
        let mut this = Instance { store, exports, attempt: None, changes: 0, told };
        match this.initialize_and_start(&instance, module) {
            Ok(()) => Ok(this),
            Err(error) => Err((this.step(), error)),
        }
    }

    fn initialize_and_start(
        &mut self,
        instance: &wasmtime::Instance,
        module: usize,
    ) -> wasmtime::Result<()> {
        self.initialize(instance)?;
        self.find_attempt_record(instance);
        self.start_roots(self.store.data().environment, module)
    }

    /// Start-up functions of compilers. AssemblyScript has none: its start section ran by now.
    fn initialize(&mut self, instance: &wasmtime::Instance) -> wasmtime::Result<()> {
        self.set_current(Current::without_subject(Step::Instantiate, 0, 0));
        let mut named = |name| instance.get_typed_func::<(), ()>(&mut self.store, name).ok();
        match named("_initialize").or_else(|| named("_start")) {
            Some(function) => function.call(&mut self.store, ()),
            None => Ok(()),
        }
    }

    fn find_attempt_record(&mut self, instance: &wasmtime::Instance) {
        let global = instance.get_global(&mut self.store, "wick_attempt");
        let at = global.and_then(|global| global.get(&mut self.store).i32());
        let memory = self.memory();
        self.attempt = at.and_then(|at| {
            let size: [u8; 4] = range(memory, at, 4).ok()?.try_into().ok()?;
            let known = attempt::known_bytes(size, attempt::KNOWN_BYTES) as i32;
            range_mut(memory, at, known).ok().map(|record| {
                attempt::write_host(record);
                (at, known)
            })
        });
    }

    fn start_roots(
        &mut self,
        environment: &'static Environment,
        module: usize,
    ) -> wasmtime::Result<()> {
        let mut started = false;
        for root in environment.roots_of(module) {
            let id = environment.root_id(root) as i32;
            let at = |step| Current::without_subject(step, root, id as u32);
            environment.subscribe(root, self.exports.callbacks());
            self.set_current(at(Step::ContextCreate));
            self.call(|exports| &exports.context_create, (id, 0))?;
            if !std::mem::replace(&mut started, true) {
                let size = environment.vm_configuration(module).len() as i32;
                self.must_accept(at(Step::Start), |exports| &exports.vm_start, (id, size))?;
            }
            let size = environment.plugin_configuration(root).len() as i32;
            self.must_accept(at(Step::Configure), |exports| &exports.configure, (id, size))?;
        }
        self.set_current(Current::NONE);
        Ok(())
    }

    fn must_accept(
        &mut self,
        current: Current,
        callback: impl FnOnce(&Exports) -> &Callback<(i32, i32), i32>,
        arguments: (i32, i32),
    ) -> wasmtime::Result<()> {
        self.set_current(current);
        match self.call(callback, arguments)? {
            Some(0) => Err(wasmtime::Error::msg(format!("{} returned 0", current.step.name()))),
            _ => Ok(()),
        }
    }

    /// Calls one of the filter's callbacks, for at most one deadline; `None` when it has no such export.
    #[inline]
    pub fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        callback: impl FnOnce(&Exports) -> &Callback<P, R>,
        arguments: P,
    ) -> wasmtime::Result<Option<R>> {
        let Some(function) = callback(&self.exports) else { return Ok(None) };
        self.store.set_epoch_deadline(epoch::TICKS);
        function.call(&mut self.store, arguments).map(Some)
    }

    #[inline]
    pub fn set_current(&mut self, current: Current) {
        self.store.data_mut().current = current;
    }

    /// A callback begins, and has added nothing to a gauge so far.
    #[inline]
    pub fn begin(&mut self, current: Current) {
        let host = self.store.data_mut();
        host.current = current;
        host.counted = Counted::NOTHING;
    }

    /// It has returned: from now on nothing is named that may be freed.
    #[inline]
    pub fn end(&mut self) {
        self.store.data_mut().current.end();
    }

    /// What the callback at hand, or the latest one, added to a gauge.
    #[inline]
    pub fn counted(&self) -> Counted {
        self.store.data().counted
    }

    /// What runs, for the message about a fault.
    pub fn step(&self) -> Step {
        self.store.data().current.step
    }

    pub fn wants(&mut self) -> &mut Wants {
        &mut self.store.data_mut().wants
    }

    /// Tells the root, once, that zones moved from which this instance has read.
    #[inline]
    pub fn tell_changes(&mut self, root: usize) -> wasmtime::Result<()> {
        let moved =
            self.store.data_mut().watched.iter_mut().fold(false, |any, zone| zone.moved() | any);
        if moved {
            self.changes += 1;
            self.store.data().environment.tell_repairs();
        }
        if self.told[root] == self.changes {
            return Ok(());
        }
        self.told[root] = self.changes;
        self.tell(root)
    }

    #[cold]
    fn tell(&mut self, root: usize) -> wasmtime::Result<()> {
        let id = self.store.data().environment.root_id(root);
        let current = self.store.data().current;
        self.set_current(Current::without_subject(Step::SharedDataChanged, root, id));
        self.call(|exports| &exports.shared_data_changed, id as i32)?;
        self.set_current(current);
        Ok(())
    }

    /// Writes the attempt record before select.
    #[inline]
    pub fn note_select(&mut self, peer: &Peer) {
        if let Some(record) = self.attempt_record() {
            let mut tags = [0; attempt::MAX_TAGS];
            let tags = peer.earlier_tags(&mut tags);
            let (note, now) = (peer.latest_note(), clock::now());
            let select = Select { attempt: peer.attempt(), earlier: tags, note, now };
            attempt::write_select(record, &select);
            attempt::write_key(record, peer.key());
        }
    }

    /// What the filter left in the record.
    #[inline]
    pub fn said(&mut self) -> Chosen {
        self.attempt_record().map_or(Chosen::UNSAID, |record| attempt::chosen(record))
    }

    /// Writes the attempt record before info.
    #[inline]
    pub fn note_info(&mut self, info: &Info) {
        if let Some(record) = self.attempt_record() {
            attempt::write_info(record, info);
        }
    }

    #[inline]
    fn attempt_record(&mut self) -> Option<&mut [u8]> {
        let (at, len) = self.attempt?;
        range_mut(self.memory(), at, len).ok()
    }

    #[inline]
    fn memory(&mut self) -> &mut [u8] {
        match self.store.data().memory {
            Some(memory) => memory.data_mut(&mut self.store),
            None => &mut [],
        }
    }
}

fn host(environment: &'static Environment, module: usize) -> Host {
    let limits = StoreLimitsBuilder::new()
        .memory_size(environment.memory_limit_bytes())
        .instances(1)
        .memories(1)
        .tables(4)
        .table_elements(10_000)
        .build();
    Host::new(environment, module, limits)
}
