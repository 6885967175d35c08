//! What the files of this module find their own with.

use wick_native::module::ModuleIndex;

/// A client's request has its `Asking` there, one for an authentication service its `Question`.
pub static MODULE: ModuleIndex = ModuleIndex::unset();
