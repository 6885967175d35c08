//! A worker's beginning and end.

use ngx::ffi::{NGX_PROCESS_SINGLE, NGX_PROCESS_WORKER, ngx_cycle_t, ngx_int_t, ngx_process};
use wick_native::code::{ERROR, OK};
use wick_native::guard::guard;

use crate::conf::{MainConf, of_cycle};
use crate::worker::Worker;

/// Instantiates the filters; a filter that fails to start is tried again later. (With `master_process off`
/// this happens once: nginx itself does not survive a reload in that mode.)
pub unsafe extern "C" fn init_process(cycle: *mut ngx_cycle_t) -> ngx_int_t {
    // SAFETY: a worker's cycle; only read from now on.
    guard(ERROR, || unsafe {
        if serves() {
            start(cycle);
        }
        OK
    })
}

pub unsafe extern "C" fn exit_process(cycle: *mut ngx_cycle_t) {
    // SAFETY: the process's requests are over.
    guard((), || unsafe { of_cycle(cycle).end_worker() })
}

impl MainConf {
    fn end_worker(&mut self) {
        if let Some(worker) = self.worker.take() {
            // SAFETY: nobody calls filters any more.
            unsafe { worker.end() };
        }
    }
}

impl Drop for MainConf {
    fn drop(&mut self) {
        self.end_worker();
    }
}

/// Workers serve; cache managers and loaders do not.
fn serves() -> bool {
    // SAFETY: set before processes are initialised.
    unsafe {
        ngx_process == NGX_PROCESS_WORKER as usize || ngx_process == NGX_PROCESS_SINGLE as usize
    }
}

unsafe fn start(cycle: *mut ngx_cycle_t) {
    // SAFETY: the main configuration lives as long as its cycle, and so does the worker.
    unsafe {
        let main: *mut MainConf = of_cycle(cycle);
        if (*main).vm.is_some() && (*main).worker.is_none() {
            let worker = Worker::start(&*main);
            (*main).worker = Some(worker);
        }
    }
}
