//! Hashing of short names: a few multiplications with secret factors.
//!
//! The standard library's hash takes longer than all the rest of a host's look-up. This one is not cryptographic; but
//! without the factors, which are random in every worker, a client cannot choose hosts that collide.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Makes hashers with the same secret.
#[derive(Clone, Copy)]
pub struct Seeded {
    secret: [u64; 2],
}

impl Default for Seeded {
    fn default() -> Self {
        let random = RandomState::new();
        Self { secret: [random.hash_one(0), random.hash_one(1)] }
    }
}

impl BuildHasher for Seeded {
    type Hasher = Folding;

    #[inline]
    fn build_hasher(&self) -> Folding {
        Folding { state: self.secret[0], factor: self.secret[1] | 1 }
    }
}

pub struct Folding {
    state: u64,
    factor: u64,
}

impl Folding {
    /// The two halves of the 128-bit product, folded into one.
    #[inline]
    fn mix(&mut self, low: u64, high: u64) {
        let product = u128::from(self.state ^ low) * u128::from(self.factor ^ high);
        self.state = product as u64 ^ (product >> 64) as u64;
    }
}

impl Hasher for Folding {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (blocks, rest) = bytes.as_chunks::<16>();
        for block in blocks {
            let block = u128::from_le_bytes(*block);
            self.mix(block as u64, (block >> 64) as u64);
        }
        if !rest.is_empty() {
            let mut last = [0; 16];
            last[..rest.len()].copy_from_slice(rest);
            let block = u128::from_le_bytes(last);
            self.mix(block as u64, (block >> 64) as u64);
        }
    }

    /// The length, which slices hash first: names that differ by zeros at the end differ by it.
    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.state ^= n as u64;
    }

    #[inline]
    fn finish(&self) -> u64 {
        let product = u128::from(self.state) * u128::from(self.factor);
        product as u64 ^ (product >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn many_names_of_one_kind_hash_to_different_numbers() {
        let seeded = Seeded::default();
        let hashes: Vec<u64> =
            (0..100_000).map(|n| seeded.hash_one(format!("host-{n}.test").as_bytes())).collect();
        assert_eq!(hashes.iter().collect::<HashSet<_>>().len(), 100_000);
        // The parts that a hash table uses, the low bits and the high seven, are as even as chance: 100,000 names in
        // 1,024 bins are 98 in each, give or take six times the deviation.
        for part in [|hash: &u64| hash & 1023, |hash: &u64| hash >> 54] {
            let mut bins = [0; 1024];
            hashes.iter().for_each(|hash| bins[part(hash) as usize] += 1);
            assert!(bins.iter().all(|n| (38..158).contains(n)), "{bins:?}");
        }
    }

    #[test]
    fn the_secret_decides() {
        let name = b"shop.test";
        assert_ne!(Seeded::default().hash_one(name), Seeded::default().hash_one(name));
    }

    #[test]
    fn names_that_differ_by_zeros_differ() {
        let seeded = Seeded::default();
        let hashes: HashSet<u64> = (0..40).map(|len| seeded.hash_one(&[0u8; 40][..len])).collect();
        assert_eq!(hashes.len(), 40);
    }
}
