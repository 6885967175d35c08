//! Work with what a stranger wrote, in a process of its own with limits: whatever becomes of that, this one tells.

mod limits;

use std::io::{self, Write};

pub use limits::Limits;

pub enum Ended {
    /// With this code.
    Itself(u8),
    OutOfTime,
    /// Or a crash of the compiler, which looks the same.
    OutOfMemory,
    NotBegun(String),
}

/// Runs `work` in a child with limits. There is one thread so far, so the child is a whole process.
pub fn confined(limits: Limits, work: impl FnOnce() -> u8) -> Ended {
    // SAFETY: no other thread holds anything; the child ends without returning.
    match unsafe { libc::fork() } {
        -1 => Ended::NotBegun(format!("fork: {}", io::Error::last_os_error())),
        0 => {
            let code = if limits.put_in_force() { work() } else { 1 };
            let _ = io::stdout().flush();
            // SAFETY: ends the child at once, without what the parent has registered.
            unsafe { libc::_exit(i32::from(code)) }
        }
        child => wait(child),
    }
}

fn wait(child: libc::pid_t) -> Ended {
    let mut status = 0;
    // SAFETY: writes the status.
    while unsafe { libc::waitpid(child, &mut status, 0) } == -1 {
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Ended::NotBegun(format!("waitpid: {error}"));
        }
    }
    match (libc::WIFEXITED(status), libc::WTERMSIG(status)) {
        // What a panic leaves.
        (true, _) if libc::WEXITSTATUS(status) == 101 => Ended::OutOfMemory,
        (true, _) => Ended::Itself(libc::WEXITSTATUS(status) as u8),
        // Where both limits are one, the kernel kills.
        (false, libc::SIGXCPU | libc::SIGKILL) => Ended::OutOfTime,
        _ => Ended::OutOfMemory,
    }
}
