//! The directives of nginx's rewrite module as data: `set`, `if`, `rewrite`, `return`, `break`.

pub mod level;

pub use level::Level;
