//! Where nginx keeps what our modules store: known to everything here, and knowing nothing itself.

use wick_native::module::ModuleIndex;

/// Of the core module that owns `wasm { }` and has [`crate::conf::MainConf`].
pub static CORE: ModuleIndex = ModuleIndex::unset();
/// Of the core module that has [`crate::runtime::Runtime`].
pub static RUNTIME: ModuleIndex = ModuleIndex::unset();
/// Of the HTTP module.
pub static HTTP: ModuleIndex = ModuleIndex::unset();
/// Of the module of `stream`.
pub static STREAM: ModuleIndex = ModuleIndex::unset();
