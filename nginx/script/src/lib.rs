//! The directives of nginx's rewrite module as data: `set`, `if`, `rewrite`, `return`, `break`.

pub mod fastcgi;
pub mod level;

pub use level::Level;
