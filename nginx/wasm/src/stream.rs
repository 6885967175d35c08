//! Sessions of nginx's `stream`: upstreams whose endpoints filters choose. Filters see nothing of what passes.

pub mod conf;
pub mod directives;
mod ending;
mod selection;
mod transport;
pub mod upstream;
