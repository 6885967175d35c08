//! The upstream block's own method, round robin over its servers: for attempts that no filter chooses a peer for.

use std::ffi::c_void;
use std::ptr::null_mut;

use ngx::ffi::{
    ngx_event_free_peer_pt, ngx_event_get_peer_pt, ngx_event_save_peer_session_pt,
    ngx_event_set_peer_session_pt,
};
use wick_native::code::OK;
use wick_native::request::Request;

use crate::http::conf::SrvConf;

/// What the method would have put into the request's connection.
#[derive(Clone, Copy)]
pub struct Original {
    pub data: *mut c_void,
    pub get: ngx_event_get_peer_pt,
    pub free: ngx_event_free_peer_pt,
    pub set_session: ngx_event_set_peer_session_pt,
    pub save_session: ngx_event_save_peer_session_pt,
}

impl Original {
    /// Lets the method prepare for a request whose connection is ours already, and stays so. `None`: out of memory.
    #[cold]
    pub fn begin(r: Request, conf: &SrvConf) -> Option<Original> {
        // SAFETY: the live request's upstream; nobody else refers to its connection meanwhile.
        unsafe {
            let connection = &raw mut (*r.upstream()?.as_ptr()).peer;
            let ours = *connection;
            // What stands there it would take for its own.
            (*connection).data = null_mut();
            let rc = conf.init?(r.as_ptr(), conf.block);
            let theirs = std::mem::replace(&mut *connection, ours);
            (rc == OK).then_some(Original {
                data: theirs.data,
                get: theirs.get,
                free: theirs.free,
                set_session: theirs.set_session,
                save_session: theirs.save_session,
            })
        }
    }
}
