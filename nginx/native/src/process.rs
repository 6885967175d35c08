//! Processes of nginx.

use std::io::Error;

/// Whether there is a process of this number. Another one that got the number of one that died passes for it, until it ends too.
pub fn is_alive(pid: u32) -> bool {
    // SAFETY: signal 0 is not sent, only whether it could be.
    let could = unsafe { libc::kill(pid as libc::pid_t, 0) } == 0;
    could || Error::last_os_error().raw_os_error() != Some(libc::ESRCH)
}
