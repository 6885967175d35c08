//! What workers remember by numbers: how these are hashed, and how many are kept.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A process that remembers more than so many times what there is room for forgets all: most are gone.
const MAX_KNOWN: usize = 2;

/// By a number of which nobody outside chooses all bits.
pub type Known<T> = HashMap<u64, T, BuildHasherDefault<Folding>>;

/// Remembers one more, of a table that has room for so many.
pub fn remember<T>(known: &mut Known<T>, series: usize, key: u64, what: T) {
    if known.len() >= MAX_KNOWN * series {
        known.clear();
    }
    known.insert(key, what);
}

#[derive(Default)]
pub struct Folding(u64);

impl Hasher for Folding {
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are numbers")
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = folded(word);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[inline]
pub fn folded(word: u64) -> u64 {
    let product = u128::from(word) * 0x9e37_79b9_7f4a_7c15_u128;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_has_a_bound() {
        let mut known = Known::default();
        for key in 0..100 {
            remember(&mut known, 8, key, key);
            assert_eq!(known.get(&key), Some(&key));
            assert!(known.len() <= 16);
        }
    }
}
