//! What follows a fault: a line in the log, and another instance, later and later.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ngx::ffi::{NGX_LOG_ERR, NGX_LOG_WARN};
use wick_abi::Callback;
use wick_native::log;

use super::Worker;
use crate::clock::now_ms;
use crate::host::current::Step;
use crate::instance::Instance;

impl Worker {
    /// Notes a fault and sees to the next instance. `why` is what `catch_unwind` returned: an error of the
    /// engine, or a panic in the host.
    #[cold]
    pub(super) fn fault(
        &'static self,
        module: usize,
        step: Step,
        why: std::thread::Result<Option<wasmtime::Error>>,
    ) {
        if let Some(counters) = self.environment.counters() {
            counters.fault();
        }
        let wait_ms = self.slots[module].backoff.borrow_mut().fault(now_ms());
        if let Some(more) = self.slots[module].lines.borrow_mut().pass(now_ms()) {
            let (name, step, why) =
                (self.environment.module_name(module), step.name(), reason(why));
            let what = format_args!("filter \"{name}\" failed in {step}: {why}");
            let then = format_args!(
                "next instance in {wait_ms} ms, {more} more faults since the last such line"
            );
            log::write(
                log::of_cycle(),
                NGX_LOG_ERR as usize,
                format_args!("[wasm] {what}; {then}"),
            );
        }
        self.environment.roots_of(module).for_each(|root| self.environment.ticks.cancel(root));
        self.slots[module].rebuild.as_ref().set(
            wait_ms,
            |(worker, module)| worker.build(module),
            (self, module),
        );
    }

    /// Builds the instance of `module`, now.
    pub(super) fn build(&'static self, module: usize) {
        let slot = &self.slots[module];
        if let Some(policies) = self.environment.policies() {
            policies.forget(&self.environment.slots, module);
        }
        slot.generation.set(slot.generation.get() + 1);
        match catch_unwind(AssertUnwindSafe(|| Instance::start(&self.environment, self.vm, module)))
        {
            Ok(Ok(instance)) => {
                *slot.instance.borrow_mut() = Some(instance);
                self.warn_of_unheard(module);
                if let Some(counters) = self.environment.counters() {
                    counters.instance();
                }
            }
            Ok(Err((step, error))) => self.fault(module, step, Ok(Some(error))),
            Err(panic) => self.fault(module, Step::Instantiate, Err(panic)),
        }
    }

    fn warn_of_unheard(&self, module: usize) {
        let wanted =
            |root: usize| self.environment.callbacks(root).contains(Callback::ResponseBody);
        if self.slots[module].generation.get() == 1 && self.environment.roots_of(module).any(wanted)
        {
            let name = self.environment.module_name(module);
            log::write(
                log::of_cycle(),
                NGX_LOG_WARN as usize,
                format_args!(
                    "[wasm] filter \"{name}\" wants proxy_on_response_body, which this host does not call"
                ),
            );
        }
    }
}

/// Why, then where: of the engine's messages, which have many lines, at most this much in one.
fn reason(why: std::thread::Result<Option<wasmtime::Error>>) -> String {
    let Ok(Some(error)) = why else { return "a panic in the host, see the line before".into() };
    let place = error.downcast_ref::<wasmtime::WasmBacktrace>().and_then(|backtrace| {
        let frame = backtrace.frames().first()?;
        Some(format!(" in function {} at {:#x}", frame.func_index(), frame.module_offset()?))
    });
    format!("{}{}", one_line(&error.root_cause().to_string()), place.unwrap_or_default())
}

fn one_line(text: &str) -> String {
    const MAX_CHARS: usize = 300;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
