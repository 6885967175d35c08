//! The numbers of one series in one plane.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::inspections::Outcome;
use crate::retries::Cause;
use crate::shape::{Family, RETRIES, Shape};

/// Where samples go. Additions are atomic and alone: a process that is killed between two of them leaves each number as it is.
#[derive(Clone, Copy)]
pub struct Cells<'m, 's> {
    pub(crate) words: &'m [AtomicU64],
    pub(crate) native: &'m [AtomicU64],
    pub(crate) shape: &'s Shape,
}

impl Cells<'_, '_> {
    /// One more request.
    #[inline]
    pub fn request(&self) {
        self.add(0, 1);
    }

    /// An attempt failed; of requests, one after which another one was made.
    #[inline]
    pub fn failed(&self, cause: Cause) {
        self.add(RETRIES + cause as usize, 1);
    }

    /// A request had a firewall. Nothing happens where that is not counted.
    #[inline]
    pub fn inspected(&self, outcome: Outcome) {
        if let Some(at) = self.shape.inspections {
            self.add(at + outcome as usize, 1);
        }
    }

    /// A value in milliseconds or bytes. Nothing happens where the histogram is left out.
    #[inline(always)]
    pub fn observe(&self, family: Family, value: u64) {
        if let Some(histogram) = &self.shape.histograms[family as usize] {
            self.add(histogram.at + histogram.bucket(value), 1);
            self.add(histogram.sum, value);
        }
    }

    /// The same for its native histogram, which is counted apart so that nothing is looked up where there is none.
    #[inline]
    pub fn observe_native(&self, family: Family, value: u64) {
        let histogram = &self.shape.histograms[family as usize];
        if let Some(buckets) = histogram.as_ref().and_then(|histogram| histogram.native.as_ref())
            && let Some(word) = self.native.get(buckets.at + buckets.place(value))
        {
            word.fetch_add(1, Relaxed);
        }
    }

    #[inline(always)]
    fn add(&self, at: usize, what: u64) {
        if let Some(word) = self.words.get(at) {
            word.fetch_add(what, Relaxed);
        }
    }
}
