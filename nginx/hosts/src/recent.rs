//! A map that forgets what was not asked for lately, so that requests for made-up hosts cannot fill a worker's memory.

use std::collections::HashMap;
use std::mem::take;

use crate::seeded::Seeded;

/// Keeps at least the `capacity` and at most twice the `capacity` entries used last. Two generations instead of a list in order
/// of use: an entry that is used moves to the young one; when that is full it becomes the old one, which is dropped.
pub struct Recent<V> {
    young: Entries<V>,
    old: Entries<V>,
    capacity: usize,
}

type Entries<V> = HashMap<Box<[u8]>, V, Seeded>;

impl<V> Recent<V> {
    pub fn new(capacity: usize) -> Self {
        Self { young: Entries::default(), old: Entries::default(), capacity }
    }

    /// The entry, if it was used since the generations last changed: one look-up, for the common case.
    pub fn young(&self, key: &[u8]) -> Option<&V> {
        self.young.get(key)
    }

    /// The entry, which thereby counts as used.
    pub fn get(&mut self, key: &[u8]) -> Option<&mut V> {
        if let Some((key, value)) = self.old.remove_entry(key) {
            self.put(key, value);
        }
        self.young.get_mut(key)
    }

    pub fn insert(&mut self, key: &[u8], value: V) {
        self.old.remove(key);
        match self.young.get_mut(key) {
            Some(place) => *place = value,
            None => self.put(key.into(), value),
        }
    }

    pub fn remove(&mut self, key: &[u8]) {
        self.old.remove(key);
        self.young.remove(key);
    }

    fn put(&mut self, key: Box<[u8]>, value: V) {
        if self.young.len() >= self.capacity {
            self.old = take(&mut self.young);
        }
        self.young.insert(key, value);
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.young.len() + self.old.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: u32) -> [u8; 4] {
        n.to_le_bytes()
    }

    #[test]
    fn what_is_used_stays_however_much_else_comes() {
        let mut recent = Recent::new(8);
        recent.insert(b"used", 0);
        for n in 0..1000 {
            recent.insert(&key(n), n);
            assert_eq!(recent.get(b"used"), Some(&mut 0));
            assert!(recent.len() <= 16);
        }
        assert_eq!(recent.get(&key(0)), None);
    }

    #[test]
    fn the_latest_are_always_there() {
        let mut recent = Recent::new(8);
        for n in 0..1000 {
            recent.insert(&key(n), n);
            for latest in n.saturating_sub(7)..=n {
                let key = &key(latest)[..];
                assert_eq!(recent.young.get(key).or(recent.old.get(key)), Some(&latest));
            }
        }
    }

    #[test]
    fn an_entry_has_one_value() {
        let mut recent = Recent::new(2);
        for (n, name) in [b"a", b"b", b"c", b"a", b"a"].into_iter().enumerate() {
            recent.insert(name, n);
        }
        assert_eq!(recent.get(b"a"), Some(&mut 4));
        assert_eq!(recent.len(), 3);
    }
}
