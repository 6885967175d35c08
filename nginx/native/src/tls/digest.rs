//! SHA-256.

use std::ptr::null_mut;

use ngx::ffi::{EVP_Digest, EVP_sha256};

use super::failure::Failure;

pub type Digest = [u8; 32];

/// # Errors: out of memory.
pub fn sha256(bytes: &[u8]) -> Result<Digest, Failure> {
    let mut digest = [0; 32];
    // SAFETY: `bytes` has that many, and a digest of this kind has 32.
    let done = unsafe {
        EVP_Digest(
            bytes.as_ptr().cast(),
            bytes.len(),
            digest.as_mut_ptr(),
            null_mut(),
            EVP_sha256(),
            null_mut(),
        )
    };
    if done == 1 { Ok(digest) } else { Err(Failure::take()) }
}
