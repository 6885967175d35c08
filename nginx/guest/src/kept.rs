//! Compiled code on disk. It is machine code: who can write it decides what nginx executes. So a file counts only if nobody but
//! its owner, whom the reader names, can write it and its folder. Checksums are for files that a crash of the machine has damaged.

use std::fs::{self, DirBuilder, File, Metadata};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

#[must_use]
pub fn checksum(parts: &[&[u8]]) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.iter().for_each(|part| hasher.write(part));
    hasher.finish()
}

/// The user of this process.
#[must_use]
pub fn user() -> u32 {
    // SAFETY: a system call without arguments, which cannot fail.
    unsafe { libc::geteuid() }
}

/// Whether nobody but `owner` can write it.
#[must_use]
pub fn is_safe(metadata: &Metadata, owner: u32) -> bool {
    metadata.uid() == owner && metadata.mode() & 0o022 == 0
}

/// `None`: somebody else can write it, or it is no file.
/// # Errors
/// What the system says.
pub fn read(path: &Path, owner: u32) -> io::Result<Option<Vec<u8>>> {
    let mut file = File::options().read(true).custom_flags(libc::O_NOFOLLOW).open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || !is_safe(&metadata, owner) {
        return Ok(None);
    }
    let mut content = Vec::with_capacity(metadata.len() as usize);
    file.read_to_end(&mut content)?;
    Ok(Some(content))
}

/// Makes a folder that is for this user alone, unless it is there.
/// # Errors
/// What the system says, or others can write to it.
pub fn own_folder(dir: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).recursive(true).create(dir)?;
    match is_safe(&fs::symlink_metadata(dir)?, user()) {
        true => Ok(()),
        false => Err(io::Error::other("another user owns it or may write to it")),
    }
}

/// Written beside and renamed: nobody ever reads half of one.
/// # Errors
/// What the system says; nothing is left then.
pub fn write_beside(path: &Path, mode: u32, parts: &[&[u8]]) -> io::Result<()> {
    let part = path.with_extension(format!("{}.part", std::process::id()));
    let written = create(&part, mode).and_then(|file| write_all(file, parts));
    written.and_then(|()| fs::rename(&part, path)).inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}

fn create(path: &Path, mode: u32) -> io::Result<File> {
    File::options().write(true).create_new(true).mode(mode).open(path)
}

fn write_all(mut file: File, parts: &[&[u8]]) -> io::Result<()> {
    parts.iter().try_for_each(|part| file.write_all(part))
}
