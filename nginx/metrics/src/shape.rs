//! Which metrics there are, with which buckets, and where each lies among the cells of a series.

use crate::inspections::OUTCOMES;
use crate::native::{Buckets, Resolution};
use crate::retries::CAUSES;

/// A metric. The discriminant of a histogram is its place in [`HISTOGRAMS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    ConnectDuration,
    HeaderDuration,
    ResponseDuration,
    RequestDuration,
    RequestSize,
    ResponseSize,
    BytesSent,
}

/// All histograms in the order of exposition.
pub const HISTOGRAMS: [Family; 7] = [
    Family::ConnectDuration,
    Family::HeaderDuration,
    Family::ResponseDuration,
    Family::RequestDuration,
    Family::RequestSize,
    Family::ResponseSize,
    Family::BytesSent,
];

impl Family {
    /// Behind `nginx_ingress_controller_`, as ingress-nginx has it.
    pub fn name(self) -> &'static str {
        match self {
            Family::ConnectDuration => "connect_duration_seconds",
            Family::HeaderDuration => "header_duration_seconds",
            Family::ResponseDuration => "response_duration_seconds",
            Family::RequestDuration => "request_duration_seconds",
            Family::RequestSize => "request_size",
            Family::ResponseSize => "response_size",
            Family::BytesSent => "bytes_sent",
        }
    }

    pub fn help(self) -> &'static str {
        match self {
            Family::ConnectDuration => "Seconds to connect to the backend, of each attempt",
            Family::HeaderDuration => "Seconds until the backend's response began, of each attempt",
            Family::ResponseDuration => {
                "Seconds until the backend's response was read, of each attempt"
            }
            Family::RequestDuration => "Seconds from the request's first byte to its end",
            Family::RequestSize => "Bytes of requests: line, headers and body",
            Family::ResponseSize => "Bytes sent to clients, headers too",
            Family::BytesSent => "Bytes sent to clients, headers too (deprecated)",
        }
    }

    /// Observed in milliseconds, printed in seconds.
    pub fn is_time(self) -> bool {
        (self as usize) <= Family::RequestDuration as usize
    }

    fn units(self) -> f64 {
        if self.is_time() { 1000.0 } else { 1.0 }
    }
}

/// Where the counters of retries begin among the cells of a series.
pub const RETRIES: usize = 1;

/// An upper bound as the configuration has it, which becomes the label `le`.
#[derive(Clone, Debug, PartialEq)]
pub struct Bucket {
    pub text: Box<str>,
    pub bound: f64,
}

/// A histogram of every series.
#[derive(Debug)]
pub struct Histogram {
    pub family: Family,
    pub buckets: Box<[Bucket]>,
    /// In milliseconds or bytes, ascending; what is observed are whole numbers.
    bounds: Box<[u64]>,
    first: u64,
    last: u64,
    /// The bucket of the smallest number with so many leading zeros: that of the others is the same, or one behind it.
    starts: [u8; 64],
    /// Its first word among a series' cells: a word for each bucket, one for what is beyond, one for the sum.
    pub at: usize,
    /// The word of the sum.
    pub sum: usize,
    /// `None`: it is not counted natively.
    pub native: Option<Buckets>,
}

impl Histogram {
    /// The bucket of a value; the number of bounds is that of values beyond all.
    #[inline(always)]
    pub fn bucket(&self, value: u64) -> usize {
        // Most times are in the first of the default buckets, most sizes beyond all.
        if value <= self.first {
            0
        } else if value > self.last {
            self.sum - self.at - 1
        } else {
            let from = usize::from(self.starts[value.leading_zeros() as usize & 63]);
            let rest = self.bounds.get(from..).unwrap_or_default();
            from + rest.iter().position(|bound| value <= *bound).unwrap_or(0)
        }
    }
}

/// The cells of a series: the number of requests, that of retries by cause, the histograms, then what became of inspected requests.
#[derive(Debug)]
pub struct Shape {
    pub has_requests: bool,
    /// In the order of [`HISTOGRAMS`]; `None`: it is left out.
    pub histograms: [Option<Histogram>; 7],
    /// Where the counters of what became of inspected requests begin; `None`: there are none.
    pub inspections: Option<usize>,
    /// A multiple of a cache line.
    pub words: usize,
    /// The same of the words for native histograms, which lie elsewhere; 0 where there are none.
    pub native_words: usize,
}

impl Shape {
    /// `buckets` are asked for the buckets of each histogram; `None` leaves it out.
    pub fn new(has_requests: bool, buckets: impl Fn(Family) -> Option<Vec<Bucket>>) -> Shape {
        let mut at = RETRIES + CAUSES.len();
        let histograms = HISTOGRAMS.map(|family| {
            let histogram = histogram(family, buckets(family)?, at);
            at = histogram.sum + 1;
            Some(histogram)
        });
        let words = at.next_multiple_of(8);
        Shape { has_requests, histograms, inspections: None, words, native_words: 0 }
    }

    /// Counts what becomes of requests that a firewall looks at, too.
    pub fn with_inspections(mut self) -> Shape {
        let last = self.histograms.iter().flatten().next_back();
        let at = last.map_or(RETRIES + CAUSES.len(), |histogram| histogram.sum + 1);
        self.inspections = Some(at);
        self.words = (at + OUTCOMES.len()).next_multiple_of(8);
        self
    }

    /// Counts the histograms natively, too, but for that which ingress-nginx never had so.
    pub fn with_native(mut self, resolution: Resolution) -> Shape {
        let mut at = 0;
        let histograms = self.histograms.iter_mut().flatten();
        for histogram in histograms.filter(|histogram| histogram.family != Family::BytesSent) {
            let buckets = Buckets::new(resolution, histogram.family.is_time(), at);
            at += buckets.words;
            histogram.native = Some(buckets);
        }
        self.native_words = at.next_multiple_of(8);
        self
    }
}

fn histogram(family: Family, mut buckets: Vec<Bucket>, at: usize) -> Histogram {
    buckets.sort_by(|a, b| a.bound.total_cmp(&b.bound));
    buckets.dedup_by(|a, b| a.bound == b.bound);
    // A bound that is no whole number holds the whole numbers below it. The rest is for 0.57 s, of which a product makes less than 570 ms.
    let whole = |bucket: &Bucket| (bucket.bound * family.units() + 1e-6).floor();
    let bounds: Box<[u64]> = buckets.iter().map(|bucket| whole(bucket).max(0.0) as u64).collect();
    let first = bounds.first().copied().unwrap_or(u64::MAX);
    let last = bounds.last().copied().unwrap_or(u64::MAX);
    let sum = at + bounds.len() + 1;
    let starts = starts(&bounds);
    let buckets = buckets.into();
    Histogram { family, buckets, bounds, first, last, starts, at, sum, native: None }
}

fn starts(bounds: &[u64]) -> [u8; 64] {
    std::array::from_fn(|zeros| {
        let smallest = 1 << 63 >> zeros;
        bounds.partition_point(|bound| *bound < smallest).min(u8::MAX.into()) as u8
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_value_is_in_the_first_bucket_that_holds_it(
            bounds in proptest::collection::vec(prop_oneof![0..300u32, any::<u32>()], 0..70),
            value in prop_oneof![0..400u64, 0..=u64::from(u32::MAX) + 1, any::<u64>()],
        ) {
            let bucket = |bound: &u32| Bucket { text: bound.to_string().into(), bound: f64::from(*bound) };
            let histogram = histogram(Family::BytesSent, bounds.iter().map(bucket).collect(), 7);
            let held = histogram.buckets.iter().filter(|bucket| bucket.bound < value as f64);
            prop_assert_eq!(histogram.bucket(value), held.count());
        }
    }
}
