//! A policy as it was compiled, on disk: machine code beside what it was made of (`wick_guest::kept` says whose files count).

use std::fs;
use std::io;
use std::path::Path;

use wick_guest::kept::{checksum, is_safe, read, write_beside};

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
