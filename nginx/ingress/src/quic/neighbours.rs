//! Workers that have the same sockets: those of an earlier or later configuration, or of another nginx that takes a place over.

use std::cell::RefCell;
use std::fs::{read_dir, remove_file};
use std::io::{self, ErrorKind};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process;

use ngx::ffi::ngx_current_msec;

/// So long nobody looks for new ones.
const FRESH_MS: usize = 100;

pub struct Neighbours {
    socket: UnixDatagram,
    own: PathBuf,
    directory: PathBuf,
    /// That all of them have in front of their names, and who has another number has not.
    prefix: String,
    known: RefCell<Known>,
}

#[derive(Default)]
struct Known {
    /// On nginx's clock.
    looked_at: Option<usize>,
    paths: Vec<PathBuf>,
}

impl Neighbours {
    /// # Errors: there can be no socket in the directory.
    pub fn join(directory: &Path, worker: usize) -> io::Result<Neighbours> {
        let prefix = format!("{worker}.");
        let own = directory.join(format!("{prefix}{}", process::id()));
        // Of a process that had the same number, and is gone.
        drop(remove_file(&own));
        let socket = UnixDatagram::bind(&own)?;
        socket.set_nonblocking(true)?;
        let directory = directory.to_owned();
        Ok(Neighbours { socket, own, directory, prefix, known: RefCell::default() })
    }

    pub fn descriptor(&self) -> RawFd {
        self.socket.as_raw_fd()
    }

    pub fn leave(&self) {
        drop(remove_file(&self.own));
    }

    pub fn are_any(&self) -> bool {
        self.look();
        !self.known.borrow().paths.is_empty()
    }

    /// To all of them. Those that are gone are forgotten.
    pub fn send(&self, message: &[u8]) {
        self.known.borrow_mut().paths.retain(|path| match self.socket.send_to(message, path) {
            Err(error) if is_gone(&error) => {
                drop(remove_file(path));
                false
            }
            // One that is too busy to take it: as if the network had lost it.
            _ => true,
        });
    }

    /// Bytes of what was sent to this one; `None`: there is nothing more.
    pub fn receive(&self, buffer: &mut [u8]) -> Option<usize> {
        self.socket.recv(buffer).ok()
    }

    fn look(&self) {
        // SAFETY: a plain number of nginx's, which changes in this very thread.
        let now = unsafe { ngx_current_msec };
        let mut known = self.known.borrow_mut();
        if known.looked_at.is_some_and(|at| now.wrapping_sub(at) < FRESH_MS) {
            return;
        }
        known.looked_at = Some(now);
        known.paths = self.others();
    }

    fn others(&self) -> Vec<PathBuf> {
        let entries = read_dir(&self.directory).into_iter().flatten().flatten();
        let has_prefix = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with(&self.prefix)) && *path != self.own
        };
        entries.map(|entry| entry.path()).filter(has_prefix).collect()
    }
}

fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::ConnectionRefused | ErrorKind::NotFound)
}
