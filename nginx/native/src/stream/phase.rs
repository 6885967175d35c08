//! nginx's phases of a session.

use std::ptr::NonNull;

use ngx::ffi::{
    ngx_array_push, ngx_int_t, ngx_stream_core_main_conf_t, ngx_stream_handler_pt,
    ngx_stream_phases_NGX_STREAM_LOG_PHASE, ngx_stream_session_t,
};

use super::core_ctx_index;
use crate::conf::Conf;

pub type Handler = unsafe extern "C" fn(*mut ngx_stream_session_t) -> ngx_int_t;

/// Has `handler` called when a session's log line would be written, from a postconfiguration hook. `None`: out of memory.
pub fn add_log_handler(conf: Conf, handler: Handler) -> Option<()> {
    // SAFETY: the parser is inside `stream`; the core module's arrays of handlers exist when it calls postconfiguration hooks.
    unsafe {
        let core = conf.stream_main::<ngx_stream_core_main_conf_t>(core_ctx_index());
        let phase = &raw mut (*core).phases[ngx_stream_phases_NGX_STREAM_LOG_PHASE as usize];
        let place = ngx_array_push(&raw mut (*phase).handlers);
        NonNull::new(place.cast::<ngx_stream_handler_pt>())?.write(Some(handler));
    }
    Some(())
}
