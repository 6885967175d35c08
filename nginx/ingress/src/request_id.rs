//! `$request_id`, made by a generator of the worker's own in the place of nginx's.
//!
//! nginx asks OpenSSL for each one, which asks the kernel for the process's id each time and mixes in more than an id needs:
//! 3 % of a proxied request. The generator here is a ChaCha with 12 rounds as well, seeded by the kernel when a worker first
//! needs it, so ids are as hard to guess and never those of another worker.

use std::cell::RefCell;

use ngx::ffi::{ngx_http_request_t, ngx_http_variable_value_t, ngx_int_t};
use rand::rngs::{StdRng, SysRng};
use rand::{Rng, SeedableRng};
use wick_native::conf::Conf;
use wick_native::http_module;
use wick_native::module::ModuleIndex;
use wick_native::variable::{self, NoAnswer};

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    pub static TABLE at MODULE;
    preconfiguration: declare,
}

thread_local! {
    /// Not made before the worker is: a copy of the master's would give the same ids in all workers.
    static GENERATOR: RefCell<Option<StdRng>> = const { RefCell::new(None) };
}

/// Takes the place of nginx's own. `None`: nginx has none, and the log says so.
fn declare(conf: Conf) -> Option<()> {
    variable::replace(conf, b"request_id", request_id)
}

unsafe extern "C" fn request_id(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request and the place for the value.
    unsafe {
        variable::answer(r, value, |r| {
            let id = hex(random().ok_or(NoAnswer)?);
            r.pool().copy(&id).map(|id| Some(&*id)).ok_or(NoAnswer)
        })
    }
}

/// `None`: the kernel has no randomness to give.
fn random() -> Option<[u8; 16]> {
    GENERATOR.with_borrow_mut(|generator| {
        if generator.is_none() {
            *generator = StdRng::try_from_rng(&mut SysRng).ok();
        }
        let mut bytes = [0; 16];
        generator.as_mut()?.fill_bytes(&mut bytes);
        Some(bytes)
    })
}

/// In lower case, as nginx writes it.
fn hex(bytes: [u8; 16]) -> [u8; 32] {
    let mut text = [0; 32];
    for (digits, word) in text.as_chunks_mut().0.iter_mut().zip(bytes.as_chunks().0) {
        *digits = wick_tracing::digits(u32::from_be_bytes(*word));
    }
    text
}
