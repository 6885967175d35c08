//! A 64-bit hash of a key: eight bytes per multiplication, mixed with a seed that outsiders do not know.

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
const LENGTH_MULTIPLIER: u64 = 0xd6e8_feb8_6659_fd93;

/// Hashes `key`. The same for all processes of one store, different between stores: the seed differs.
pub(crate) fn hash(seed: u64, key: &[u8]) -> u64 {
    let mut state = fold(seed ^ MULTIPLIER, (key.len() as u64 ^ LENGTH_MULTIPLIER) | 1);
    let mut words = key.chunks_exact(8);
    for word in &mut words {
        state = fold(state ^ u64::from_le_bytes(word.try_into().unwrap_or_default()), MULTIPLIER);
    }
    let rest = words.remainder();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    state = fold(state ^ u64::from_le_bytes(last), LENGTH_MULTIPLIER);
    fold(state, seed ^ MULTIPLIER)
}

/// Both halves of the 128-bit product: each input bit reaches all output bits.
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// A seed from the system's randomness.
pub(crate) fn random_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(MULTIPLIER)
}
