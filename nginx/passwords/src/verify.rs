//! Whether a password is that of a hash. This is what takes long, and happens where nothing waits for it.

use std::hint::black_box;

use argon2::{Algorithm, Argon2, Block, Params, Version};

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

/// `$argon2id$v=19$m=KIB,t=PASSES,p=LANES$SALT$HASH`. `None`: another password, or none of these.
fn argon2id(password: &[u8], hash: &[u8]) -> Option<()> {
    let mut parts = std::str::from_utf8(hash).ok()?.strip_prefix("$argon2id$v=19$")?.split('$');
    let (costs, salt, wanted) = (parts.next()?, parts.next()?, parts.next()?);
    let (salt, wanted) = (base64(salt)?, base64(wanted)?);
    let params = params_in(costs, wanted.len()).filter(|_| parts.next().is_none())?;
    let mut made = vec![0; wanted.len()];
    let mut memory = vec![Block::default(); params.block_count()];
    let hasher = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    hasher.hash_password_into_with_memory(password, &salt, &mut made, &mut memory).ok()?;
    is_same(&made, &wanted).then_some(())
}

/// `None`: they are none, or ask for too much.
fn params_in(costs: &str, hash_bytes: usize) -> Option<Params> {
    let mut costs = costs.split(',');
    let mut cost =
        |name, max| Some(costs.next()?.strip_prefix(name)?.parse().ok()?).filter(|n| *n <= max);
    let (kib, passes, lanes) =
        (cost("m=", MAX_KIB)?, cost("t=", MAX_PASSES)?, cost("p=", MAX_LANES)?);
    if costs.next().is_some() {
        return None;
    }
    Params::new(kib, passes, lanes, Some(hash_bytes)).ok()
}

/// Of RFC 4648, without padding.
fn base64(text: &str) -> Option<Vec<u8>> {
    let (mut bits, mut count, mut bytes) = (0u32, 0, Vec::new());
    for digit in text.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        (bits, count) = (bits << 6 | u32::from(value), count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    (bits == 0).then_some(bytes)
}

/// Takes the same time wherever two texts of one length differ.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    let differing = a.iter().zip(b).fold(0, |sum, (a, b)| black_box(sum | (a ^ b)));
    a.len() == b.len() && differing == 0
}
