//! `ingress_accept off`: the workers take no connections at ports, only at unix sockets.
//!
//! For an nginx that takes the place of another one: it gets the other's listening sockets at its start (`USR2`), but must not
//! answer anybody before its zones are filled.

use std::ffi::c_int;

use ngx::ffi::{NGX_CONF_TAKE1, NGX_MAIN_CONF, ngx_cycle_t, ngx_listening_t};
use wick_native::conf::{Answer, CONF_OK, Conf};
use wick_native::module::{ModuleIndex, core_conf};
use wick_native::{bits, core_module, event};

use crate::http_listeners::all;

static MODULE: ModuleIndex = ModuleIndex::unset();

core_module! {
    pub static TABLE: "ingress_accept";
    directives {
        "ingress_accept": NGX_MAIN_CONF | NGX_CONF_TAKE1 => set;
    }
    conf: Accept => MODULE,
    init_process: start,
}

struct Accept {
    at_ports: bool,
}

impl Default for Accept {
    fn default() -> Accept {
        Accept { at_ports: true }
    }
}

fn set(cf: Conf) -> Answer {
    let at_ports = match cf.words().nth(1) {
        Some(b"on") => true,
        Some(b"off") => false,
        _ => return cf.error(format_args!("\"ingress_accept\" must be \"on\" or \"off\"")),
    };
    // SAFETY: the core module made it; nobody else uses it while the configuration is read.
    unsafe { (*core_conf::<Accept>(cf.cycle(), MODULE.get())).at_ports = at_ports };
    CONF_OK
}

/// Behind the event module, which has the worker listen. A worker that would accept nevertheless must not run: it panics.
///
/// # Safety
/// `cycle` is the one of this process.
unsafe fn start(cycle: *mut ngx_cycle_t) {
    // SAFETY: the caller's promise; a cycle has `nelts` listeners.
    unsafe {
        if (*core_conf::<Accept>(cycle, MODULE.get())).at_ports {
            return;
        }
        for ls in all(cycle) {
            ignore(ls);
        }
    }
}

/// # Safety
/// `ls` is a listener of this process's cycle.
unsafe fn ignore(ls: *mut ngx_listening_t) {
    // SAFETY: the caller's promise. One without a connection belongs to another worker.
    unsafe {
        let is_unix = c_int::from((*(*ls).sockaddr).sa_family) == libc::AF_UNIX;
        let connection = (*ls).connection;
        if is_unix || connection.is_null() || !bits::event::ACTIVE.is_set((*connection).read) {
            return;
        }
        assert!(event::unwatch((*connection).read), "a listening socket is watched still");
    }
}
