//! What makes a file of Rust a module of nginx: its tables, written by macros.
//!
//! [`http_module!`](crate::http_module), [`stream_module!`](crate::stream_module) and [`core_module!`](crate::core_module) list a module's directives and hooks as safe
//! functions; [`loadable_modules!`](crate::loadable_modules) lists the modules of a shared object. The tables name the
//! handlers, and handlers look for their configurations by the module's place in nginx's arrays: so that these are no
//! circle, the place is a static of its own, a [`ModuleIndex`], in a file that knows no handler.

mod core_module;
mod directives;
mod http_module;
mod index;
mod loadable;
mod stream_module;
pub mod tables;

pub use core_module::{core_conf, http_main_of_cycle};
pub use index::ModuleIndex;
