//! What an instance has compiled lately, by its text. A place holds one; a later text takes it over, so nothing grows.

pub struct Cache<V> {
    places: Vec<Option<(Box<[u8]>, V)>>,
    count: usize,
}

/// Longer texts share one place: few are that long, and what is made of them takes room.
const MAX_BYTES: usize = 512;
const LONG: usize = 0;

impl<V> Cache<V> {
    /// For so many texts, at least two.
    pub fn new(count: usize) -> Cache<V> {
        Cache { places: Vec::new(), count }
    }

    /// What `make` makes of `text`, now or earlier.
    #[inline]
    pub fn get(&mut self, text: &[u8], make: impl FnOnce() -> V) -> &V {
        if self.places.is_empty() {
            self.places.resize_with(self.count, || None);
        }
        let place = self.place(text);
        let place = &mut self.places[place];
        if place.as_ref().is_none_or(|(known, _)| **known != *text) {
            *place = None; // what was there goes before its successor is made
        }
        &place.get_or_insert_with(|| (text.into(), make())).1
    }

    #[inline]
    fn place(&self, text: &[u8]) -> usize {
        if text.len() > MAX_BYTES { LONG } else { 1 + hash(text) % (self.count - 1) }
    }
}

/// The texts come from the configuration, not from clients: nobody gains by two in one place.
#[inline]
fn hash(text: &[u8]) -> usize {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |state: u64, word: u64| {
        let product = (state ^ word).wrapping_mul(FACTOR);
        product ^ product >> 32
    };
    let (words, rest) = text.as_chunks::<8>();
    let state = words.iter().fold(text.len() as u64, |state, w| mix(state, u64::from_le_bytes(*w)));
    rest.iter().fold(state, |state, byte| mix(state, u64::from(*byte))) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_gets_its_own_however_many_share_a_place() {
        let mut cache = Cache::new(16);
        let mut made = 0;
        for _ in 0..2 {
            for i in 0..200_usize {
                let text = "x".repeat(i * 7);
                let get = |cache: &mut Cache<usize>, made: &mut i32| {
                    *cache.get(text.as_bytes(), || {
                        *made += 1;
                        text.len()
                    })
                };
                assert_eq!(get(&mut cache, &mut made), text.len());
                let before = made;
                assert_eq!((get(&mut cache, &mut made), made), (text.len(), before));
            }
        }
        assert!(made > 200);
        assert_eq!(cache.places.len(), 16);
    }

    #[test]
    fn texts_go_to_all_places() {
        let cache = Cache::<()>::new(64);
        let mut places: Vec<usize> =
            (0..2000).map(|i| cache.place(format!("$arg_{i}").as_bytes())).collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 63);
    }
}
