//! One instance of a filter: its memory, its callbacks, and how they are called.

use wasmtime::{WasmParams, WasmResults};
use wick_abi::attempt::{self, Chosen, Info, Select};
use wick_guest::exports::Callback;
use wick_guest::{Sandbox, sandbox};

use crate::attempts::peer::Peer;
use crate::clock;
use crate::environment::Environment;
use crate::environment::counted::Counted;
use crate::exports::Exports;
use crate::host::current::{Current, Step};
use crate::host::state::{Host, Wants};
use crate::vm::Vm;

pub struct Instance {
    sandbox: Sandbox<Host, Exports>,
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
        let store = sandbox::store(&vm.engine, Host::new(environment, module));
        let made = Sandbox::instantiate(store, &vm.modules[module], Exports::of);
        let (sandbox, instance) = made.map_err(|error| (Step::Instantiate, error))?;
        let told = vec![0; environment.roots().len()];
        let mut this = Instance { sandbox, changes: 0, told };
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
        self.sandbox.find_record(instance, attempt::KNOWN_BYTES);
        self.start_roots(self.host().environment, module)
    }

    /// Start-up functions of compilers. AssemblyScript has none: its start section ran by now.
    fn initialize(&mut self, instance: &wasmtime::Instance) -> wasmtime::Result<()> {
        self.set_current(Current::without_subject(Step::Instantiate, 0, 0));
        self.sandbox.start_up(instance, &["_initialize", "_start"])
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
            environment.subscribe(root, self.sandbox.exports().callbacks());
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
        self.sandbox.call(callback, arguments)
    }

    #[inline]
    fn host(&self) -> &Host {
        self.sandbox.store.data()
    }

    #[inline]
    fn host_mut(&mut self) -> &mut Host {
        self.sandbox.store.data_mut()
    }

    #[inline]
    pub fn set_current(&mut self, current: Current) {
        self.host_mut().current = current;
    }

    /// A callback begins, and has added nothing to a gauge so far.
    #[inline]
    pub fn begin(&mut self, current: Current) {
        let host = self.host_mut();
        host.current = current;
        host.counted = Counted::NOTHING;
    }

    /// It has returned: from now on nothing is named that may be freed.
    #[inline]
    pub fn end(&mut self) {
        self.host_mut().current.end();
    }

    /// What the callback at hand, or the latest one, added to a gauge.
    #[inline]
    pub fn counted(&self) -> Counted {
        self.host().counted
    }

    /// What runs, for the message about a fault.
    pub fn step(&self) -> Step {
        self.host().current.step
    }

    pub fn wants(&mut self) -> &mut Wants {
        &mut self.host_mut().wants
    }

    /// Tells the root, once, that zones moved from which this instance has read.
    #[inline]
    pub fn tell_changes(&mut self, root: usize) -> wasmtime::Result<()> {
        let moved = self.host_mut().watched.iter_mut().fold(false, |any, zone| zone.moved() | any);
        if moved {
            self.changes += 1;
            self.host().environment.tell_repairs();
        }
        if self.told[root] == self.changes {
            return Ok(());
        }
        self.told[root] = self.changes;
        self.tell(root)
    }

    #[cold]
    fn tell(&mut self, root: usize) -> wasmtime::Result<()> {
        let id = self.host().environment.root_id(root);
        let current = self.host().current;
        self.set_current(Current::without_subject(Step::SharedDataChanged, root, id));
        self.call(|exports| &exports.shared_data_changed, id as i32)?;
        self.set_current(current);
        Ok(())
    }

    /// Writes the attempt record before select.
    #[inline]
    pub fn note_select(&mut self, peer: &Peer) {
        if let Some(record) = self.sandbox.record() {
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
        self.sandbox.record().map_or(Chosen::UNSAID, |record| attempt::chosen(record))
    }

    /// Writes the attempt record before info.
    #[inline]
    pub fn note_info(&mut self, info: &Info) {
        if let Some(record) = self.sandbox.record() {
            attempt::write_info(record, info);
        }
    }
}
