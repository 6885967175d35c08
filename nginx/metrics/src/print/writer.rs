//! What a format has to write.

use crate::names::Name;
use crate::shape::Histogram;

/// A histogram of one series, read once.
pub struct Counted<'c> {
    pub of: &'c Histogram,
    /// For each bound and for what is beyond: what is not above it.
    pub cumulative: &'c [u64],
    /// In milliseconds or bytes.
    pub sum: u64,
    /// By word of the series; `None`: it is not counted natively. Read only by who prints them.
    pub native: Option<&'c dyn Fn(usize) -> u64>,
}

impl Counted<'_> {
    pub fn count(&self) -> u64 {
        self.cumulative.last().copied().unwrap_or(0)
    }
}

/// Appends samples of one metric after the other. Labels are as the text format has them, without braces.
pub trait Writer {
    /// Samples of this metric come. `is_new`: for the first time, not after those of a page before.
    fn open(&mut self, name: &Name, histogram: Option<&Histogram>, is_new: bool);
    fn number(&mut self, labels: &[u8], value: u64);
    fn histogram(&mut self, labels: &[u8], counted: &Counted);
    /// No more of the metric that was opened.
    fn close(&mut self);
    /// Bytes so far.
    fn len(&self) -> usize;
}
