//! The module's place among nginx's.

use wick_native::module::ModuleIndex;

pub static MODULE: ModuleIndex = ModuleIndex::unset();
