//! What the configuration says, per cycle: modules, zones, limits (`wasm { }`), filter chains
//! (`proxy_wasm`) and upstreams whose peers filters choose (`wasm_upstream_select`), whatever they serve.

pub mod chain;
pub mod upstream;

use std::path::PathBuf;

use ngx::ffi::ngx_cycle_t;
use wick_native::module::core_conf;
use wick_native::zone::SharedZone;

use crate::counters::Counters;
use crate::module;
use crate::policy::counters::PolicyCounters;

/// Everything that a cycle knows about filters. Written while the configuration is parsed, read only afterwards.
pub struct MainConf {
    /// There is a `wasm { }`.
    pub declared: bool,
    pub modules: Vec<ModuleConf>,
    pub roots: Vec<RootConf>,
    pub zones: Vec<ZoneConf>,
    pub counters: Option<Counters>,
    /// CPU time that one callback may take; 0: no limit.
    pub callback_deadline_ms: u64,
    /// Linear memory that one instance may have.
    pub memory_limit_bytes: usize,
    pub policies: PolicyConf,
    /// Where compiled modules are kept. `None`: nowhere.
    pub compilation_cache: Option<PathBuf>,
}

/// `module NAME PATH [CONFIG]`
pub struct ModuleConf {
    pub name: String,
    pub path: String,
    /// What the filter reads as VM configuration.
    pub config: Vec<u8>,
}

/// A module with one configuration: what Proxy-Wasm calls a plugin and gives a root context.
pub struct RootConf {
    /// Index in `modules`.
    pub module: usize,
    /// What the filter reads as plugin configuration.
    pub config: Vec<u8>,
}

/// `shm_kv NAME SIZE`
pub struct ZoneConf {
    pub name: Box<[u8]>,
    pub zone: SharedZone,
}

/// Custom balancing policies.
pub struct PolicyConf {
    /// Where they lie compiled.
    pub directory: PathBuf,
    /// There with the directory: without them there are no policies.
    pub counters: Option<PolicyCounters>,
    /// Whose files are trusted: the user who starts nginx. Workers may be another one.
    pub owner: u32,
    pub memory_bytes: usize,
    /// Per call, about.
    pub deadline_ms: u64,
    /// Of requests and responses, whatever their case.
    pub readable_headers: Vec<Box<[u8]>>,
}

impl Default for PolicyConf {
    fn default() -> PolicyConf {
        PolicyConf {
            directory: PathBuf::new(),
            counters: None,
            owner: wick_guest::kept::user(),
            memory_bytes: wick_policy::engine::MEMORY_BYTES,
            deadline_ms: 1,
            readable_headers: Vec::new(),
        }
    }
}

impl Default for MainConf {
    fn default() -> MainConf {
        MainConf {
            declared: false,
            modules: Vec::new(),
            roots: Vec::new(),
            zones: Vec::new(),
            counters: None,
            callback_deadline_ms: 20,
            memory_limit_bytes: 64 << 20,
            policies: PolicyConf::default(),
            compilation_cache: None,
        }
    }
}

impl MainConf {
    /// The index of the root of `module` with this configuration; equal ones are one.
    pub fn root(&mut self, module: usize, config: &[u8]) -> usize {
        let same = |root: &RootConf| root.module == module && root.config == config;
        self.roots.iter().position(same).unwrap_or_else(|| {
            self.roots.push(RootConf { module, config: config.to_vec() });
            self.roots.len() - 1
        })
    }

    /// The zone that a key belongs to: the one named before its first `/`, else the one named `*`.
    pub fn zone_of(&self, key: &[u8]) -> Option<usize> {
        let named = |name: &[u8]| self.zones.iter().position(|zone| *zone.name == *name);
        let prefix = key.iter().position(|b| *b == b'/').map(|end| &key[..end]);
        prefix.and_then(named).or_else(|| named(b"*"))
    }
}

/// The cycle's configuration.
///
/// # Safety
/// `cycle` is a cycle whose core configurations were created. What is returned is good as long as the cycle; it is changed
/// only by the directive at hand while the configuration is parsed, and shared afterwards.
pub unsafe fn of_cycle(cycle: *mut ngx_cycle_t) -> *mut MainConf {
    // SAFETY: the caller's promise; the core module made it.
    unsafe { core_conf::<MainConf>(cycle, module::CORE.get()) }
}
