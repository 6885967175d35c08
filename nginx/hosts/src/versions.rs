//! The versions of several keys as one number.

/// Of the first keys of a list: how many, and all their versions together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Versions {
    count: usize,
    mixed: u64,
}

impl Versions {
    pub fn count(self) -> usize {
        self.count
    }

    /// With that of the next key.
    pub fn and(self, version: u64) -> Versions {
        // Odd, with bits everywhere (2^64 divided by the golden ratio): what is multiplied by it stays apart.
        let mixed = (self.mixed.rotate_left(25) ^ version).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Versions { count: self.count + 1, mixed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(versions: &[u64]) -> Versions {
        versions.iter().fold(Versions::default(), |all, version| all.and(*version))
    }

    #[test]
    fn every_move_of_every_key_is_seen() {
        let before = of(&[3, 3, 3]);
        for moved in [[4, 3, 3], [3, 4, 3], [3, 3, 4], [2, 4, 3], [4, 4, 4]] {
            assert_ne!(of(&moved), before);
        }
        assert_ne!(of(&[3, 3]), before);
        assert_eq!(of(&[3, 3, 3]), before);
    }
}
