//! Where the module finds what it keeps.

use wick_native::module::ModuleIndex;

pub static MODULE: ModuleIndex = ModuleIndex::unset();
/// Of the module of `stream`.
pub static STREAM: ModuleIndex = ModuleIndex::unset();
