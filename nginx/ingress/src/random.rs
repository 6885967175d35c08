//! Random words that need not be hard to guess, only different: a generator that takes a few instructions, seeded by the kernel when a worker
//! first needs it.

use std::cell::RefCell;

use rand::rngs::{SmallRng, SysRng};
use rand::{Rng, SeedableRng};

thread_local! {
    /// Not made before the worker is: a copy of the master's would give the same ids in all workers.
    static GENERATOR: RefCell<Option<SmallRng>> = const { RefCell::new(None) };
}

/// `None`: the kernel has no randomness to give.
#[inline]
pub fn words<const N: usize>() -> Option<[u64; N]> {
    GENERATOR.with_borrow_mut(|generator| {
        if generator.is_none() {
            *generator = SmallRng::try_from_rng(&mut SysRng).ok();
        }
        let generator = generator.as_mut()?;
        Some(std::array::from_fn(|_| generator.next_u64()))
    })
}

/// From 0 on, and below 1. `None`: as above.
pub fn fraction() -> Option<f64> {
    words().map(|[word]| (word >> 11) as f64 / (1u64 << 53) as f64)
}
