//! Values by key, each key several times, as many as there is room for; the one that waits longest makes room.
//!
//! Everything takes the same time however many values there are, and nothing is allocated after the start.

/// Where a value lies, from [`Table::put`] until it is taken or removed.
pub type Place = u32;

const NONE: Place = Place::MAX;

/// A key says by itself in which bucket it belongs; keys of endpoints need no secret hash.
pub trait Key: Copy + Eq {
    fn hash(&self) -> u32;
}

pub struct Table<K, V> {
    /// The latest value of each bucket.
    buckets: Box<[Place]>,
    entries: Vec<Entry<K, V>>,
    capacity: usize,
    /// Entries that are free hang together by `next`.
    free: Place,
    newest: Place,
    oldest: Place,
}

struct Entry<K, V> {
    key: K,
    value: V,
    /// The one before it in its bucket.
    next: Place,
    newer: Place,
    older: Place,
}

impl<K: Key, V: Copy> Table<K, V> {
    /// For `capacity` values, at least 1.
    pub fn new(capacity: usize) -> Self {
        let buckets = vec![NONE; (2 * capacity).next_power_of_two()].into();
        let entries = Vec::with_capacity(capacity);
        Self { buckets, entries, capacity, free: NONE, newest: NONE, oldest: NONE }
    }

    /// Adds a value. If there was no room, the oldest of all is gone and returned.
    pub fn put(&mut self, key: K, value: V) -> (Place, Option<V>) {
        let full = self.free == NONE && self.entries.len() == self.capacity;
        let displaced = full.then(|| self.remove(self.oldest));
        let bucket = self.bucket(&key);
        let entry =
            Entry { key, value, next: self.buckets[bucket], newer: NONE, older: self.newest };
        let place = self.fill(entry);
        self.buckets[bucket] = place;
        match self.newest {
            NONE => self.oldest = place,
            newest => self.entry(newest).newer = place,
        }
        self.newest = place;
        (place, displaced)
    }

    /// Takes the latest value of `key` out.
    #[inline]
    pub fn take(&mut self, key: &K) -> Option<V> {
        let mut place = self.buckets[self.bucket(key)];
        while place != NONE {
            let entry = &self.entries[place as usize];
            if entry.key == *key {
                return Some(self.remove(place));
            }
            place = entry.next;
        }
        None
    }

    /// Takes the value out that is there longest.
    pub fn take_oldest(&mut self) -> Option<V> {
        (self.oldest != NONE).then(|| self.remove(self.oldest))
    }

    /// Takes the value at `place` out.
    pub fn remove(&mut self, place: Place) -> V {
        let &mut Entry { key, value, next, newer, older } = self.entry(place);
        let bucket = self.bucket(&key);
        match self.buckets[bucket] {
            first if first == place => self.buckets[bucket] = next,
            first => self.skip(first, place, next),
        }
        match newer {
            NONE => self.newest = older,
            newer => self.entry(newer).older = older,
        }
        match older {
            NONE => self.oldest = newer,
            older => self.entry(older).newer = newer,
        }
        self.entry(place).next = std::mem::replace(&mut self.free, place);
        value
    }

    /// Leaves `place` out of the bucket that begins with `at`.
    fn skip(&mut self, mut at: Place, place: Place, next: Place) {
        while self.entry(at).next != place {
            at = self.entry(at).next;
        }
        self.entry(at).next = next;
    }

    fn fill(&mut self, entry: Entry<K, V>) -> Place {
        if self.free == NONE {
            self.entries.push(entry);
            return (self.entries.len() - 1) as Place;
        }
        let place = self.free;
        self.free = self.entry(place).next;
        *self.entry(place) = entry;
        place
    }

    fn entry(&mut self, place: Place) -> &mut Entry<K, V> {
        &mut self.entries[place as usize]
    }

    fn bucket(&self, key: &K) -> usize {
        key.hash() as usize & (self.buckets.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two of three keys share a bucket.
    impl Key for u32 {
        fn hash(&self) -> u32 {
            self % 2
        }
    }

    /// What a table shall do, in the plainest way: a list, the latest value last.
    #[derive(Default)]
    struct List(Vec<(u32, u64, Place)>);

    impl List {
        fn take(&mut self, key: u32) -> Option<u64> {
            let at = self.0.iter().rposition(|(its, ..)| *its == key)?;
            Some(self.0.remove(at).1)
        }
    }

    #[test]
    fn a_table_gives_the_oldest_back_first() {
        let mut table = Table::new(3);
        let displaced: Vec<_> = (0..4_u32).map(|value| table.put(value, value).1).collect();
        assert_eq!(displaced, [None, None, None, Some(0)]);
        let rest: Vec<_> = std::iter::from_fn(|| table.take_oldest()).collect();
        assert_eq!(rest, [1, 2, 3]);
        assert_eq!((table.put(7, 7).1, table.take(&7)), (None, Some(7)));
    }

    fn steps(seed: u64) -> impl Iterator<Item = u64> {
        std::iter::successors(Some(seed), |x| {
            Some(x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407))
        })
        .map(|x| x >> 33)
    }

    #[test]
    fn a_table_does_what_a_list_would() {
        for (seed, capacity) in [(1, 1), (2, 2), (3, 5), (4, 32)] {
            let (mut table, mut list) = (Table::new(capacity), List::default());
            for (value, step) in (0..).zip(steps(seed).take(20_000)) {
                let key = (step / 8 % 3) as u32;
                match step % 8 {
                    0..4 => {
                        let oldest = (list.0.len() == capacity).then(|| list.0.remove(0).1);
                        let (place, displaced) = table.put(key, value);
                        assert_eq!(displaced, oldest);
                        list.0.push((key, value, place));
                    }
                    4..7 => assert_eq!(table.take(&key), list.take(key)),
                    _ if list.0.is_empty() => {}
                    _ => {
                        let (_, value, place) = list.0.remove(step as usize / 8 % list.0.len());
                        assert_eq!(table.remove(place), value);
                    }
                }
            }
        }
    }
}
