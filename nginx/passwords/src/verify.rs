//! Whether a password is that of a hash. This is what takes long, and happens where nothing waits for it.

use std::hint::black_box;

use argon2::password_hash::PasswordHash;
use argon2::{Argon2, Params, PasswordVerifier};

/// crypt(3) and what nginx has besides: a password and a hash, whose settings are to be used, give a hash. `None`: these settings
/// are not supported, or there is no memory.
pub type Crypt<'c> = &'c dyn Fn(&[u8], &[u8]) -> Option<Vec<u8>>;

/// How much one verification by argon2 may take. The controller leaves users out whose hash asks for more.
const MAX_KIB: u32 = 64 * 1024;
const MAX_PASSES: u32 = 10;
const MAX_LANES: u32 = 4;

/// A hash that cannot be used is nobody's.
pub fn is_right(password: &[u8], hash: &[u8], crypt: Crypt) -> bool {
    // Both end a text at a zero; what stands behind must not count for nothing.
    if password.contains(&0) {
        return false;
    }
    if hash.starts_with(b"$argon2id$") {
        return argon2id(password, hash).is_some();
    }
    crypt(password, hash).is_some_and(|made| is_same(&made, hash))
}

fn argon2id(password: &[u8], hash: &[u8]) -> Option<()> {
    let hash = PasswordHash::new(std::str::from_utf8(hash).ok()?).ok()?;
    let params = Params::try_from(&hash).ok()?;
    let fits =
        params.m_cost() <= MAX_KIB && params.t_cost() <= MAX_PASSES && params.p_cost() <= MAX_LANES;
    if !fits {
        return None;
    }
    Argon2::default().verify_password(password, &hash).ok()
}

/// Takes the same time wherever two texts of one length differ.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    let differing = a.iter().zip(b).fold(0, |sum, (a, b)| black_box(sum | (a ^ b)));
    a.len() == b.len() && differing == 0
}
