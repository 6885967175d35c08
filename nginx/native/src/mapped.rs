//! A file as memory, which all processes that map it share.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::ptr::{NonNull, null_mut};
use std::slice;

/// Its bytes, until it is dropped; they stay when the file is replaced or removed meanwhile.
pub struct MappedFile {
    at: NonNull<u8>,
    len: usize,
}

/// Tells whether a path leads to what it led to before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FileIdentity {
    device: u64,
    inode: u64,
    len: u64,
    changed: (i64, i64),
}

impl FileIdentity {
    /// # Errors: there is nothing at the path, or it cannot be reached.
    pub fn at(path: &Path) -> io::Result<FileIdentity> {
        std::fs::metadata(path).map(|metadata| Self::of(&metadata))
    }

    fn of(metadata: &std::fs::Metadata) -> FileIdentity {
        FileIdentity {
            device: metadata.dev(),
            inode: metadata.ino(),
            len: metadata.len(),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

impl MappedFile {
    /// The file at a path, and which one it is.
    ///
    /// # Errors: it cannot be read, is empty, or is no file.
    ///
    /// # Safety
    /// Nobody writes or shortens the file as long as it is mapped: who has another one puts it in the place of this one by renaming it.
    pub unsafe fn open(path: &Path) -> io::Result<(MappedFile, FileIdentity)> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        let len = usize::try_from(metadata.len()).map_err(io::Error::other)?;
        if !metadata.is_file() || len == 0 {
            return Err(io::Error::other("it is empty, or no file"));
        }
        // SAFETY: a place that the kernel chooses, of a file that is open.
        let at = unsafe {
            libc::mmap(null_mut(), len, libc::PROT_READ, libc::MAP_SHARED, file.as_raw_fd(), 0)
        };
        if at == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let at = NonNull::new(at.cast()).ok_or_else(io::Error::last_os_error)?;
        Ok((MappedFile { at, len }, FileIdentity::of(&metadata)))
    }
}

impl AsRef<[u8]> for MappedFile {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        // SAFETY: so many bytes are mapped as long as this lives, and nobody writes them, as `open` was promised.
        unsafe { slice::from_raw_parts(self.at.as_ptr(), self.len) }
    }
}

impl Drop for MappedFile {
    fn drop(&mut self) {
        // SAFETY: what `open` has mapped, to which nobody refers any more.
        unsafe { libc::munmap(self.at.as_ptr().cast(), self.len) };
    }
}
