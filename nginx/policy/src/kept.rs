//! Compiled code on disk. It is machine code: who can write it decides what nginx executes. So a file counts only if nobody but
//! its owner, whom the reader names, can write it and its folder. Checksums are for files that a crash of the machine has damaged.

use std::fs::{self, DirBuilder, File, Metadata};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

/// SHA-256 of a module.
pub type Digest = [u8; 32];

/// The first bytes of a policy's file: what it is, and how it is laid out.
const MAGIC: &[u8; 16] = b"wick policy 1\n\0\0";
/// Magic · digest of the module · u64 checksum of the code · u32 what it needs · u32 0 · code.
const HEAD_BYTES: usize = 64;

/// A policy as it was compiled.
pub struct Kept {
    /// See [`crate::needs`].
    pub needs: u32,
    content: Vec<u8>,
}

impl Kept {
    #[must_use]
    pub fn code(&self) -> &[u8] {
        &self.content[HEAD_BYTES..]
    }
}

/// Reads the policy of this digest.
/// # Errors
/// Why it cannot be used, in a few words.
pub fn read_policy(path: &Path, owner: u32, digest: &Digest) -> Result<Kept, String> {
    let folder = path.parent().map(fs::symlink_metadata);
    if !matches!(folder, Some(Ok(folder)) if is_safe(&folder, owner)) {
        return Err("others can write to its folder".into());
    }
    let content = read(path, owner).map_err(|error| error.to_string())?;
    let content = content.ok_or("others can write to it")?;
    let (head, code) = content.split_first_chunk::<HEAD_BYTES>().ok_or("it is damaged")?;
    let needs = head[56..60].try_into().map_or(0, u32::from_le_bytes);
    if *head != self::head(digest, needs, code) {
        return Err("it is damaged, or of another module or version".into());
    }
    Ok(Kept { needs, content })
}

/// Writes it, for everybody to read.
/// # Errors
/// What the system says.
pub fn write_policy(path: &Path, digest: &Digest, needs: u32, code: &[u8]) -> io::Result<()> {
    write_beside(path, 0o644, &[&head(digest, needs, code), code])
}

fn head(digest: &Digest, needs: u32, code: &[u8]) -> [u8; HEAD_BYTES] {
    let mut head = [0; HEAD_BYTES];
    head[..16].copy_from_slice(MAGIC);
    head[16..48].copy_from_slice(digest);
    head[48..56].copy_from_slice(&checksum(&[code]).to_le_bytes());
    head[56..60].copy_from_slice(&needs.to_le_bytes());
    head
}

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
