//! nginx's phases of a request: where a module's handlers are called.

use std::ptr::NonNull;

use ngx::ffi::{
    ngx_array_push, ngx_http_core_main_conf_t, ngx_http_core_module, ngx_http_handler_pt,
    ngx_http_phases, ngx_http_request_t, ngx_int_t,
};

use crate::conf::Conf;

pub type Handler = unsafe extern "C" fn(*mut ngx_http_request_t) -> ngx_int_t;

/// Has `handler` called in a phase (`ngx_http_phases_NGX_HTTP_…_PHASE`) of every request, from a postconfiguration hook. Of
/// one phase's handlers those of modules later in nginx's list are called first. `None`: out of memory.
pub fn add_handler(conf: Conf, phase: ngx_http_phases, handler: Handler) -> Option<()> {
    // SAFETY: the parser is inside `http`; the core module's arrays of handlers exist when it calls postconfiguration hooks.
    unsafe {
        let core = conf.http_main::<ngx_http_core_main_conf_t>(ngx_http_core_module.ctx_index);
        let place = ngx_array_push(&raw mut (*core).phases[phase as usize].handlers);
        NonNull::new(place.cast::<ngx_http_handler_pt>())?.write(Some(handler));
    }
    Some(())
}
