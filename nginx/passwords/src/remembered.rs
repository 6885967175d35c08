//! Claims that were found right lately. A wrong one is never among them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::mem::take;

use crate::claim::Claim;

/// How long a claim is remembered at most, in milliseconds.
const MAX_MS: u64 = 60_000;

/// Of each half: when one is full the older half goes.
const HALF: usize = 4096;

/// At most twice `HALF` claims, of the last minute. Times are milliseconds of a clock that does not go back.
#[derive(Default)]
pub struct Remembered {
    newer: Times,
    older: Times,
}

type Times = HashMap<Claim, u64, BuildHasherDefault<Taken>>;

impl Remembered {
    pub fn note(&mut self, claim: Claim, now_ms: u64) {
        if self.newer.len() >= HALF {
            self.older = take(&mut self.newer);
        }
        self.newer.insert(claim, now_ms);
    }

    #[inline]
    pub fn has(&self, claim: Claim, now_ms: u64) -> bool {
        let at = self.newer.get(&claim).or_else(|| self.older.get(&claim));
        at.is_some_and(|at| now_ms.wrapping_sub(*at) < MAX_MS)
    }
}

/// A claim is a keyed digest already.
#[derive(Default)]
struct Taken(u64);

impl Hasher for Taken {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
