//! TLS sessions with endpoints: with one the next handshake is a short one (`proxy_ssl_session_reuse`).

use std::cell::RefCell;
use std::ptr::NonNull;

use ngx::ffi::{
    SSL_SESSION, SSL_SESSION_free, ngx_connection_t, ngx_int_t, ngx_ssl_get_session,
    ngx_ssl_set_session,
};
use wick_native::code::OK;

use super::destination::Destination;
use super::table::Table;

/// A session takes some KiB. The one that was made or used longest ago makes room.
const MAX_SESSIONS: usize = 1024;

/// The latest session of each destination, in this worker.
#[derive(Default)]
pub struct Sessions(RefCell<Option<Table<Destination, Session>>>);

/// One reference to it.
type Session = NonNull<SSL_SESSION>;

impl Sessions {
    /// Lets the handshake of `c` begin with what the last one to the same destination left.
    ///
    /// # Safety
    /// A live connection with TLS, whose handshake has not begun.
    pub unsafe fn offer(&self, to: &Destination, c: *mut ngx_connection_t) -> ngx_int_t {
        let mut sessions = self.0.borrow_mut();
        let Some(sessions) = sessions.as_mut() else { return OK };
        let Some(session) = sessions.take(to) else { return OK };
        sessions.put(*to, session);
        // SAFETY: the caller's promise; OpenSSL takes a reference of its own.
        unsafe { ngx_ssl_set_session(c, session.as_ptr()) }
    }

    /// Keeps the session of `c` in the place of the one before.
    ///
    /// # Safety
    /// A live connection with TLS.
    pub unsafe fn save(&self, to: &Destination, c: *mut ngx_connection_t) {
        // SAFETY: the caller's promise; the reference is ours.
        let Some(session) = NonNull::new(unsafe { ngx_ssl_get_session(c) }) else { return };
        let mut sessions = self.0.borrow_mut();
        let sessions = sessions.get_or_insert_with(|| Table::new(MAX_SESSIONS));
        let before = sessions.take(to);
        let (_, displaced) = sessions.put(*to, session);
        before.into_iter().chain(displaced).for_each(free);
    }
}

impl Drop for Sessions {
    fn drop(&mut self) {
        let Some(sessions) = self.0.get_mut() else { return };
        while let Some(session) = sessions.take_oldest() {
            free(session);
        }
    }
}

fn free(session: Session) {
    // SAFETY: the reference that `save` got, given back once.
    unsafe { SSL_SESSION_free(session.as_ptr()) };
}
