//! nginx's phases of a session.

use std::ptr::NonNull;

use ngx::ffi::{
    ngx_array_push, ngx_int_t, ngx_stream_core_main_conf_t, ngx_stream_handler_pt,
    ngx_stream_phases_NGX_STREAM_LOG_PHASE, ngx_stream_phases_NGX_STREAM_POST_ACCEPT_PHASE,
    ngx_stream_phases_NGX_STREAM_PREACCESS_PHASE, ngx_stream_session_t,
};

use super::core_ctx_index;
use crate::conf::Conf;

pub type Handler = unsafe extern "C" fn(*mut ngx_stream_session_t) -> ngx_int_t;

#[derive(Clone, Copy)]
pub enum Phase {
    /// Here nginx takes the client's address from a PROXY header.
    PostAccept,
    PreAccess,
    /// When the session's log line would be written.
    Log,
}

impl Phase {
    fn number(self) -> usize {
        let number = match self {
            Phase::PostAccept => ngx_stream_phases_NGX_STREAM_POST_ACCEPT_PHASE,
            Phase::PreAccess => ngx_stream_phases_NGX_STREAM_PREACCESS_PHASE,
            Phase::Log => ngx_stream_phases_NGX_STREAM_LOG_PHASE,
        };
        number as usize
    }
}

/// Has `handler` called in a phase, from a postconfiguration hook. `None`: out of memory.
pub fn add_handler(conf: Conf, phase: Phase, handler: Handler) -> Option<()> {
    // SAFETY: the parser is inside `stream`; the core module's arrays of handlers exist when it calls postconfiguration hooks.
    unsafe {
        let core = conf.stream_main::<ngx_stream_core_main_conf_t>(core_ctx_index());
        let phase = &raw mut (*core).phases[phase.number()];
        let place = ngx_array_push(&raw mut (*phase).handlers);
        NonNull::new(place.cast::<ngx_stream_handler_pt>())?.write(Some(handler));
    }
    Some(())
}
