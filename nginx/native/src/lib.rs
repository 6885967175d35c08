//! The few safe wrappers over nginx that both modules need, and the place where most `unsafe` lives.
//!
//! What comes in are nginx's raw pointers, what goes out are small `Copy` handles and slices. The
//! crate knows neither Wasm nor routes. nginx runs one thread per worker: nothing here is `Sync`.

mod address;
pub mod allowance;
pub mod bits;
pub mod body;
pub mod captures;
pub mod chain;
pub mod code;
pub mod complex;
pub mod conf;
pub mod connection;
pub mod cpu;
pub mod crypt;
pub mod event;
pub mod ffi;
pub mod filter;
pub mod guard;
pub mod headers;
pub mod log;
pub mod mapped;
pub mod measure;
pub mod module;
pub mod names;
pub mod pattern;
mod pcre;
pub mod phase;
pub mod pool;
pub mod process;
pub mod regex;
pub mod request;
pub mod response;
pub mod settings;
mod slot_zone;
pub mod stream;
pub mod subrequest;
pub mod text;
pub mod threads;
pub mod timer;
pub mod tls;
pub mod udp;
pub mod upstream_headers;
pub mod variable;
pub mod wake;
pub mod word_zone;
pub mod zone;
