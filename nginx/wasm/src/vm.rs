//! Compiling filters: once, in the master, so that a bad one fails `nginx -t` and workers share the code.

use std::fmt::Display;

use ngx::ffi::{NGX_LOG_WARN, ngx_log_t};
use wasmtime::{Config, Engine, ExternType, FuncType, InstancePre, Linker, Module};
use wick_guest::compiled::Cache;
use wick_guest::exports::{ALLOCATORS, MARKERS};
use wick_native::log;
use wick_policy::Code;
use wick_policy::engine::engine as policy_engine;

use crate::conf::{MainConf, ModuleConf};
use crate::exports::Exports;
use crate::host::link;
use crate::host::state::Host;

/// The engine of one cycle and its modules, in the order of `MainConf::modules`.
pub struct Vm {
    pub engine: Engine,
    pub modules: Vec<InstancePre<Host>>,
    /// What runs custom policies; absent without `policy_directory`.
    pub policies: Option<Code>,
}

/// A filter that cannot be used, in one sentence.
pub struct CompileError(String);

impl Display for CompileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Compiles and links all modules of a configuration. `log` hears what does not keep them from being used.
/// # Errors
/// The first module that cannot be read, is no Wasm, lacks what a filter must have or imports what no host has.
pub fn compile(conf: &MainConf, log: *mut ngx_log_t) -> Result<Vm, CompileError> {
    let failed = |error| CompileError(format!("Cannot start the Wasm engine: {error:#}"));
    let engine = Engine::new(&settings(conf.callback_deadline_ms > 0)).map_err(failed)?;
    let mut linker = Linker::new(&engine);
    link(&mut linker).map_err(failed)?;
    let cache = conf.compilation_cache.as_deref().map(|dir| Cache { dir });
    let source = Source { cache, log };
    let modules = conf.modules.iter().map(|module| compile_one(&linker, module, &source));
    let modules = modules.collect::<Result<_, _>>()?;
    let policies = conf.policies.counters.map(|_| Code::new(&policy_engine()?));
    let policies = policies.transpose().map_err(failed)?;
    Ok(Vm { engine, modules, policies })
}

/// Traps by explicit checks instead of signals: nginx's processes keep their own signal handlers, and a
/// filter of our size loses 1–2 ns per call. A balancer reads no secrets of others from its own memory,
/// so the mitigations against speculation inside it are left out.
fn settings(interruptible: bool) -> Config {
    let mut config = Config::new();
    config.epoch_interruption(interruptible);
    config.signals_based_traps(false);
    // SAFETY: both flags choose between two correct ways to compile a bounds check.
    unsafe {
        config.cranelift_flag_set("enable_heap_access_spectre_mitigation", "false");
        config.cranelift_flag_set("enable_table_access_spectre_mitigation", "false");
    }
    config
}

/// Where compiled modules may come from.
struct Source<'c> {
    cache: Option<Cache<'c>>,
    log: *mut ngx_log_t,
}

impl Source<'_> {
    fn module(&self, engine: &Engine, name: &str, bytes: &[u8]) -> wasmtime::Result<Module> {
        let Some(cache) = &self.cache else { return Module::from_binary(engine, bytes) };
        if let Some(module) = cache.load(engine, name, bytes) {
            return Ok(module);
        }
        let module = Module::from_binary(engine, bytes)?;
        if let Err(why) = cache.save(name, bytes, &module) {
            let line =
                format_args!("[wasm] Cannot keep filter \"{name}\" as it was compiled: {why}");
            log::write(self.log, NGX_LOG_WARN as usize, line);
        }
        Ok(module)
    }
}

fn compile_one(
    linker: &Linker<Host>,
    conf: &ModuleConf,
    source: &Source<'_>,
) -> Result<InstancePre<Host>, CompileError> {
    let refused = |why: &dyn Display| {
        CompileError(format!(
            "Cannot load filter \"{}\" from \"{}\": {why:#}",
            conf.name, conf.path
        ))
    };
    let bytes = std::fs::read(&conf.path).map_err(|error| refused(&error))?;
    let module = source.module(linker.engine(), &conf.name, &bytes);
    let module = module.map_err(|error| refused(&error))?;
    check_exports(&module).map_err(|why| refused(&why))?;
    linker.instantiate_pre(&module).map_err(|error| refused(&error))
}

fn check_exports(module: &Module) -> Result<(), String> {
    let has = |name| module.get_export(name).is_some();
    if !MARKERS.into_iter().any(has) {
        return Err("it exports neither proxy_abi_version_0_2_1 nor proxy_abi_version_0_2_0".into());
    }
    if !matches!(module.get_export("memory"), Some(ExternType::Memory(_))) {
        return Err("it exports no memory".into());
    }
    if !ALLOCATORS.into_iter().any(has) {
        return Err("it exports neither proxy_on_memory_allocate nor malloc".into());
    }
    // Of what is never called the type does not matter.
    let mut called = module.exports().filter(|export| export.name() != "proxy_on_response_body");
    called.try_for_each(|export| match (Exports::signature(export.name()), export.ty()) {
        (None, _) => Ok(()),
        (Some(wanted), ExternType::Func(found)) if matches(wanted, &found) => Ok(()),
        _ => Err(format!(
            "its export {} has another type than Proxy-Wasm 0.2.1 gives it",
            export.name()
        )),
    })
}

/// All parameters and the result, if any, are i32.
fn matches((parameters, results): (usize, usize), found: &FuncType) -> bool {
    found.params().len() == parameters
        && found.results().len() == results
        && found.params().chain(found.results()).all(|value| value.is_i32())
}
