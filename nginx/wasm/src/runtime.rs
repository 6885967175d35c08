//! What becomes of a configuration: filters are compiled once it was read, and instantiated in each worker process.

use ngx::ffi::{
    NGX_LOG_EMERG, NGX_PROCESS_SIGNALLER, NGX_PROCESS_SINGLE, NGX_PROCESS_WORKER, ngx_cycle_t,
    ngx_process,
};
use wick_native::log;
use wick_native::module::core_conf;

use crate::conf::{MainConf, of_cycle};
use crate::module;
use crate::vm::{self, Vm};
use crate::worker::Worker;

/// One cycle's.
#[derive(Default)]
pub struct Runtime {
    /// Absent without filters.
    vm: Option<Vm>,
    /// In worker processes only.
    worker: Option<&'static Worker>,
}

impl Runtime {
    fn end(&mut self) {
        if let Some(worker) = self.worker.take() {
            // SAFETY: nobody calls filters any more.
            unsafe { worker.end() };
        }
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        self.end();
    }
}

/// # Safety
/// `cycle` is live; what is returned is good as long.
unsafe fn runtime(cycle: *mut ngx_cycle_t) -> *mut Runtime {
    // SAFETY: the caller's promise; the core module made it.
    unsafe { core_conf::<Runtime>(cycle, module::RUNTIME.get()) }
}

/// Compiles the filters. Here and not in `init_module`, whose failure would end a running master.
///
/// # Safety
/// `cycle` is live and its configuration was read.
pub unsafe fn compile(cycle: *mut ngx_cycle_t) -> Option<()> {
    // SAFETY: the caller's promise; only read from now on.
    let conf: &MainConf = unsafe { &*of_cycle(cycle) };
    // SAFETY: set before configurations are read.
    let is_signaller = unsafe { ngx_process } == NGX_PROCESS_SIGNALLER as usize;
    if is_signaller || conf.modules.is_empty() {
        return Some(());
    }
    // SAFETY: a live cycle.
    let log = unsafe { (*cycle).log };
    match vm::compile(conf, log) {
        Ok(vm) => {
            // SAFETY: the caller's promise.
            unsafe { (*runtime(cycle)).vm = Some(vm) };
            Some(())
        }
        Err(error) => {
            log::write(log, NGX_LOG_EMERG as usize, format_args!("[wasm] {error}"));
            None
        }
    }
}

/// Instantiates the filters; a filter that fails to start is tried again later. (With `master_process off`
/// this happens once: nginx itself does not survive a reload in that mode.)
///
/// # Safety
/// `cycle` is that of this process, which begins.
pub unsafe fn start(cycle: *mut ngx_cycle_t) {
    // SAFETY: the caller's promise; configuration and code live as long as the cycle, and so does the worker.
    unsafe {
        let runtime = runtime(cycle);
        if serves()
            && let Some(vm) = &(*runtime).vm
            && (*runtime).worker.is_none()
        {
            (*runtime).worker = Some(Worker::start(&*of_cycle(cycle), vm));
        }
    }
}

/// # Safety
/// `cycle` is that of this process, whose requests are over.
pub unsafe fn end(cycle: *mut ngx_cycle_t) {
    // SAFETY: the caller's promise; nothing else refers to it.
    unsafe { (&mut *runtime(cycle)).end() };
}

/// Workers serve; cache managers and loaders do not.
fn serves() -> bool {
    // SAFETY: set before processes are initialised.
    unsafe {
        ngx_process == NGX_PROCESS_WORKER as usize || ngx_process == NGX_PROCESS_SINGLE as usize
    }
}
