//! What a process may have.

/// Of the work.
#[derive(Clone, Copy)]
pub struct Limits {
    pub cpu_seconds: u64,
    pub memory_bytes: u64,
    /// Of a file that it writes.
    pub file_bytes: u64,
}

impl Limits {
    /// On this process, for good. False: it cannot be limited.
    pub(crate) fn put_in_force(self) -> bool {
        let all = [
            (libc::RLIMIT_CPU, self.cpu_seconds),
            (libc::RLIMIT_AS, self.memory_bytes),
            (libc::RLIMIT_FSIZE, self.file_bytes),
            (libc::RLIMIT_CORE, 0),
        ];
        // SAFETY: plain C structures, and numbers.
        unsafe {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
            all.into_iter().all(|(which, most)| {
                let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
                libc::setrlimit(which, &limit) == 0
            })
        }
    }
}
