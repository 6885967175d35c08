//! Who has had how much of the threads' time. A share that comes back after a rest begins with what those have had who did not rest, so
//! that nobody saves up time, and nobody who has had more is forgotten by a pause.

use std::collections::HashMap;
use std::hash::Hash;

/// Microseconds that each has had, of one of several at a time.
#[derive(Default)]
pub struct Shares<K>(HashMap<K, u64>);

impl<K: Clone + Eq + Hash> Shares<K> {
    /// Somebody comes who had nothing to verify, beside those who have.
    pub fn enter<'k>(&mut self, key: &K, others: impl Iterator<Item = &'k K>)
    where
        K: 'k,
    {
        let least = others.map(|other| self.of(other)).min();
        // Who has had no more than that counts as everybody does.
        self.0.retain(|_, spent| least.is_some_and(|least| *spent > least));
        let floor = least.unwrap_or(0);
        let spent = self.0.entry(key.clone()).or_insert(floor);
        *spent = floor.max(*spent);
    }

    pub fn of(&self, key: &K) -> u64 {
        self.0.get(key).copied().unwrap_or(0)
    }

    pub fn charge(&mut self, key: &K, spent_us: u64) {
        let spent = self.0.entry(key.clone()).or_insert(0);
        *spent = spent.saturating_add(spent_us);
    }
}
