//! An endpoint that was chosen for one attempt, in the form nginx connects with.

use std::ptr::NonNull;

use ngx::ffi::{ngx_peer_connection_t, ngx_str_t};
use wick_abi::attempt::Chosen;
use wick_native::pool::Pool;
use wick_native::text::{EMPTY, borrowed};

use super::target::Target;
use crate::environment::counted::Counted;

/// Lives in the subject's pool, because nginx keeps address and name until the log phase. The choices
/// of a subject hang together, the latest first.
pub struct Choice {
    pub previous: Option<NonNull<Choice>>,
    pub target: Target,
    /// What the filter left in the attempt record.
    pub said: Chosen,
    /// What the filter added to a gauge for it, if it did.
    pub counted: Option<NonNull<Counted>>,
    name: ngx_str_t,
}

impl Choice {
    /// Prepares a connection to `target`; `None`: out of memory.
    pub fn put(
        pool: Pool<'_>,
        target: &Target,
        previous: Option<NonNull<Choice>>,
    ) -> Option<NonNull<Choice>> {
        let (said, counted) = (Chosen::UNSAID, None);
        let choice = pool.put(Choice { previous, target: *target, said, counted, name: EMPTY })?;
        // SAFETY: just made; the text does not move any more.
        unsafe { (*choice.as_ptr()).name = borrowed((*choice.as_ptr()).name()) };
        Some(choice)
    }

    /// `ip:port`
    pub fn name(&self) -> &[u8] {
        self.target.text.as_bytes()
    }

    /// Lets nginx connect to `choice`.
    pub fn fill(choice: NonNull<Choice>, connection: &mut ngx_peer_connection_t) {
        // SAFETY: the choice lives as long as the subject, so these pointers do.
        unsafe {
            connection.sockaddr = (&raw mut (*choice.as_ptr()).target.sockaddr).cast();
            connection.socklen = choice.as_ref().target.socklen;
            connection.name = &raw mut (*choice.as_ptr()).name;
        }
    }
}
