//! Compiled filters on disk (`compilation_cache`): what one process has compiled, the next one only loads.
//!
//! A file has the filter's own bytes beside what was made of them, so it is never taken for that of another filter. What
//! another version of wasmtime made, or an engine with other settings or for another processor, wasmtime refuses.
//!
//! It is machine code: who can write it decides what nginx's master executes. So it counts only if nobody but this process's
//! user can write it and its folder. The checksum is for files that a crash of the machine has damaged.

use std::fs;
use std::path::{Path, PathBuf};

use wasmtime::{Engine, Module};

use crate::kept;

/// The first bytes of a file: what it is, and how it is laid out.
const MAGIC: &[u8; 16] = b"wick compiled 1\n";

/// A directory of compiled filters.
pub struct Cache<'c> {
    pub dir: &'c Path,
}

impl Cache<'_> {
    /// The filter `name` with these bytes, if it was kept here and may be used.
    pub fn load(&self, engine: &Engine, name: &str, wasm: &[u8]) -> Option<Module> {
        if !kept::is_safe(&fs::symlink_metadata(self.dir).ok()?, kept::user()) {
            return None;
        }
        let content = kept::read(&self.path(name)?, kept::user()).ok()??;
        let code = code_of(&content, wasm)?;
        // SAFETY: a process of this user wrote it, by `save`; nobody else can have changed it, and it is whole.
        unsafe { Module::deserialize(engine, code) }.ok()
    }

    /// Keeps a filter for the next process. The directory is made if there is none.
    /// # Errors
    /// What the system or wasmtime says; nothing was kept then.
    pub fn save(&self, name: &str, wasm: &[u8], module: &Module) -> Result<(), String> {
        let Some(path) = self.path(name) else { return Ok(()) };
        let code = module.serialize().map_err(|error| format!("{error:#}"))?;
        let parts = [MAGIC, &head(wasm, &code)[..], wasm, &code];
        kept::own_folder(self.dir)
            .and_then(|()| kept::write_beside(&path, 0o600, &parts))
            .map_err(|error| format!("{}: {error}", self.dir.display()))
    }

    /// `None`: no file can be called so.
    fn path(&self, name: &str) -> Option<PathBuf> {
        let is_plain =
            name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        is_plain.then(|| self.dir.join(format!("{name}.cwasm")))
    }
}

/// The checksum of both, and the length of the filter.
fn head(wasm: &[u8], code: &[u8]) -> [u8; 16] {
    let mut head = [0; 16];
    head[..8].copy_from_slice(&kept::checksum(&[wasm, code]).to_le_bytes());
    head[8..].copy_from_slice(&(wasm.len() as u64).to_le_bytes());
    head
}

/// What was made of `wasm`, if that is what the file is about.
fn code_of<'f>(file: &'f [u8], wasm: &[u8]) -> Option<&'f [u8]> {
    let (head_found, rest) = file.strip_prefix(MAGIC)?.split_first_chunk::<16>()?;
    let code = rest.strip_prefix(wasm)?;
    (*head_found == head(wasm, code)).then_some(code)
}
