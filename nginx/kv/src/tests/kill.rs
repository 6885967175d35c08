//! Kills without dying: after every store of an operation, the memory is copied as a killed process would leave it.

use std::cell::RefCell;

use super::{Region, rounds};
use crate::memory::AFTER_STORE;

#[derive(Default)]
struct Recorder {
    regions: Vec<*const Region>,
    moments: Vec<Vec<Vec<u8>>>,
}

thread_local! {
    static RECORDER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
}

/// Called after each store.
fn stored() {
    RECORDER.with_borrow_mut(|recorder| {
        if let Some(recorder) = recorder {
            // SAFETY: `at_every_store` holds the regions borrowed while it records.
            let moment =
                recorder.regions.iter().map(|region| unsafe { &**region }.bytes()).collect();
            recorder.moments.push(moment);
        }
    });
}

/// Runs `operation`; returns for each of its stores (under Miri for some) what the regions held just after it.
pub fn at_every_store(regions: &[&Region], operation: impl FnOnce()) -> Vec<Vec<Region>> {
    let regions = regions.iter().map(|region| std::ptr::from_ref(*region)).collect();
    RECORDER.set(Some(Recorder { regions, moments: Vec::new() }));
    AFTER_STORE.set(stored);
    operation();
    AFTER_STORE.set(|| ());
    let mut moments = RECORDER.take().unwrap().moments;
    let last = moments.len().saturating_sub(1);
    let mut nth = 0..;
    moments.retain(|_| nth.next().is_some_and(|nth| nth == last || nth % rounds(1, 29) == 0));
    moments
        .iter()
        .map(|moment| moment.iter().map(|bytes| Region::copy_of(bytes)).collect())
        .collect()
}
