//! The directives of nginx's rewrite module as data: `set`, `if`, `rewrite`, `return`, `break`.
//!
//! In comes a script (docs/wire.md, SCRIPT) and what it asks of a request; out goes how the request goes on. Each step is run once at most,
//! and jumps lead forward, so that a script ends. Everything is as nginx has it (`ngx_http_rewrite_module.c`, `ngx_http_script.c`); what a
//! variable is worth, whether a pattern matches and where texts are kept is asked. When a script is run is not known here.

pub mod cookie;
mod decode;
mod directive;
mod escape;
pub mod fastcgi;
pub mod level;
mod machine;
mod names;
mod rewrite;
mod run;
mod script;
mod text;

pub use directive::{Directive, Flag, Test};
pub use escape::escaped_args;
pub use level::Level;
pub use machine::{End, Machine};
pub use run::run;
pub use script::{PatternText, Script};
pub use text::MAX_BYTES;
