//! Buckets that grow by a constant factor: those of Prometheus' native histograms.
//!
//! Of schema s the bucket i ends at 2^(i/2^s), inclusive. Values are whole numbers of milliseconds or bytes, bounds are in seconds or
//! bytes. Each octave (from one power of two to the next) has the same bounds but for their exponent, so a value's bucket is its octave and
//! how many of the bounds are below its leading bits. That is exact: of a bound that is no whole number the whole part says the same.

/// The finest that is counted: 16 buckets per octave, a factor of 1.044. A finer one would show no more, unless a histogram may have
/// hundreds of buckets.
const MAX_SCHEMA: i32 = 4;
/// The coarsest that Prometheus knows: a factor of 65,536.
const MIN_SCHEMA: i32 = -4;
const FINEST: usize = 1 << MAX_SCHEMA;

/// 2^(i/16) of i from 0 to 15, of which 2^63 are 1.
const BYTES: [u64; FINEST] = [
    0x8000_0000_0000_0000,
    0x85aa_c367_cc48_7b14,
    0x8b95_c1e3_ea8b_d6e6,
    0x91c3_d373_ab11_c336,
    0x9837_f051_8db8_a96f,
    0x9ef5_3260_91a1_11ad,
    0xa5fe_d6a9_b151_38ea,
    0xad58_3eea_42a1_4ac6,
    0xb504_f333_f9de_6484,
    0xbd08_a39f_580c_36be,
    0xc567_2a11_5506_dadd,
    0xce24_8c15_1f84_80e3,
    0xd744_fcca_d69d_6af4,
    0xe0cc_deec_2a94_e111,
    0xeac0_c6e7_dd24_392e,
    0xf525_7d15_2486_cc2c,
];

/// 1000 · 2^(i/16) of i from 1 to 16, each divided by the power of two that leaves 1 to 2, of which 2^63 are 1.
const MS: [u64; FINEST] = [
    0x8288_c2d3_5d7e_c832,
    0x8850_3f58_930c_8fdd,
    0x8e59_3c7e_f50f_58a2,
    0x94a6_a0af_a466_5576,
    0x9b3b_7332_4e37_4b43,
    0xa21a_dda1_b729_5194,
    0xa948_2d70_c511_8305,
    0xb0c6_d580_c203_2e29,
    0xb89a_6fc9_9bfb_ed76,
    0xc0c6_bf14_ed08_b1bc,
    0xc94f_b0cc_a0c7_65de,
    0xd239_5ede_1595_ba72,
    0xdb88_11b2_a195_63ca,
    0xe540_423e_6df5_5fd7,
    0xef66_9c26_a5ab_a363,
    0xfa00_0000_0000_0000,
];

/// Octaves that are told apart, of milliseconds (49 days) and of bytes (a TiB). What is beyond counts as the largest within.
const OCTAVES_OF_MS: u32 = 32;
const OCTAVES_OF_BYTES: u32 = 40;

/// How fine native histograms are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// What is shown at most.
    schema: i32,
    /// Buckets that are shown; 0: all.
    max_buckets: usize,
}

impl Resolution {
    /// The coarsest schema whose buckets grow by no more than `factor`, as Go's client library chooses it, as far as it is counted.
    /// `None`: a factor by which nothing grows.
    pub fn of(factor: f64, max_buckets: usize) -> Option<Resolution> {
        let is_one = factor.is_finite() && factor > 1.0;
        let schema = -(factor.log2().log2().floor().max(-64.0) as i32);
        let schema = schema.clamp(MIN_SCHEMA, MAX_SCHEMA);
        is_one.then_some(Resolution { schema, max_buckets })
    }

    /// What is counted.
    fn counted(self) -> u32 {
        self.schema.max(0) as u32
    }
}

/// Of one histogram: which word counts a value. The first is for 0, the next ones for buckets in their order.
#[derive(Debug)]
pub struct Buckets {
    /// Its first word among those of a series.
    pub at: usize,
    pub words: usize,
    resolution: Resolution,
    /// Bounds of an octave, ascending, as the leading bits of values have them.
    bounds: [u64; FINEST],
    octaves: u32,
    /// The bucket of the second word.
    first: i32,
}

impl Buckets {
    pub fn new(resolution: Resolution, is_time: bool, at: usize) -> Buckets {
        let (finest, octaves) =
            if is_time { (MS, OCTAVES_OF_MS) } else { (BYTES, OCTAVES_OF_BYTES) };
        let per_octave = 1 << resolution.counted();
        let step = FINEST / per_octave;
        let skipped = if is_time { step - 1 } else { 0 };
        let mut bounds = [u64::MAX; FINEST];
        for (bound, of_all) in bounds.iter_mut().zip(finest.iter().skip(skipped).step_by(step)) {
            *bound = *of_all;
        }
        // The first bound that is not below 1 ms is 1000 · 2^(-10) · 2^(1/2^s) ms.
        let first = if is_time { 1 - 10 * per_octave as i32 } else { 0 };
        let words = 2 + octaves as usize * per_octave;
        Buckets { at, words, resolution, bounds, octaves, first }
    }

    /// The word of a value, from `at` on.
    #[inline]
    pub fn place(&self, value: u64) -> usize {
        if value == 0 {
            return 0;
        }
        let value = value.min((1 << self.octaves) - 1);
        let zeros = value.leading_zeros();
        let (octave, leading) = (63 - zeros as usize, value << zeros);
        let schema = self.resolution.counted();
        let bounds = &self.bounds[..1 << schema];
        1 + (octave << schema) + bounds.partition_point(|bound| *bound < leading)
    }

    /// What a scrape shows of so many counts, one for each word.
    pub fn shown(&self, counts: impl Iterator<Item = u64>) -> Native {
        let mut counts = counts.take(self.words);
        let zero = counts.next().unwrap_or(0);
        let all = (self.first..).zip(counts).filter(|(_, count)| *count > 0).collect();
        let mut native = Native { schema: self.resolution.counted() as i32, zero, buckets: all };
        let most = match self.resolution.max_buckets {
            0 => usize::MAX,
            most => most,
        };
        while native.schema > self.resolution.schema
            || native.buckets.len() > most && native.schema > MIN_SCHEMA
        {
            native.halve();
        }
        native
    }
}

/// The counts of a histogram. Not cumulative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Native {
    pub schema: i32,
    /// Of the value 0.
    pub zero: u64,
    /// By their numbers, ascending; none of them is 0.
    pub buckets: Vec<(i32, u64)>,
}

impl Native {
    /// Two buckets become one.
    fn halve(&mut self) {
        self.schema -= 1;
        for (bucket, _) in &mut self.buckets {
            *bucket = (*bucket + 1) >> 1;
        }
        self.buckets.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            kept.1 += if is_same { next.1 } else { 0 };
            is_same
        });
    }

    pub fn count(&self) -> u64 {
        self.zero + self.buckets.iter().map(|(_, count)| count).sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering;

    /// A whole number of any size, its lowest digit first.
    type Digits = Vec<u32>;

    fn times(a: &Digits, b: &Digits) -> Digits {
        let mut product = vec![0_u32; a.len() + b.len()];
        for (i, x) in a.iter().enumerate() {
            let mut carry = 0_u64;
            for (j, y) in b.iter().enumerate() {
                let sum = u64::from(product[i + j]) + u64::from(*x) * u64::from(*y) + carry;
                (product[i + j], carry) = (sum as u32, sum >> 32);
            }
            product[i + b.len()] = carry as u32;
        }
        let digits = product.iter().rposition(|digit| *digit != 0).map_or(1, |last| last + 1);
        product.truncate(digits);
        product
    }

    /// `exponent`: a power of two.
    fn power(base: u64, exponent: u32) -> Digits {
        let base = vec![base as u32, (base >> 32) as u32];
        (0..exponent.trailing_zeros()).fold(base, |square, _| times(&square, &square))
    }

    fn power_of_two(exponent: u32) -> Digits {
        let mut digits = vec![0; exponent as usize / 32];
        digits.push(1 << (exponent % 32));
        digits
    }

    fn compare(a: &Digits, b: &Digits) -> Ordering {
        let digit = |of: &Digits, nth: usize| of.get(nth).copied().unwrap_or(0);
        let highest_first = (0..a.len().max(b.len())).rev();
        highest_first
            .map(|nth| digit(a, nth).cmp(&digit(b, nth)))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }

    /// The definition: value / unit ≤ 2^(bucket / n), both to the power of n.
    fn is_within(value: u64, unit: u64, bucket: i32, n: u32) -> bool {
        let (mut value, mut bound) = (power(value, n), power(unit, n));
        let shift = power_of_two(bucket.unsigned_abs());
        let smaller = if bucket < 0 { &mut value } else { &mut bound };
        *smaller = times(smaller, &shift);
        compare(&value, &bound).is_le()
    }

    fn check(buckets: &Buckets, value: u64, is_time: bool) {
        let (unit, n) = (if is_time { 1000 } else { 1 }, 1 << buckets.resolution.counted());
        let place = buckets.place(value);
        assert!(place < buckets.words);
        let bucket = buckets.first + place as i32 - 1;
        let is = |bucket| is_within(value, unit, bucket, n);
        assert!(is(bucket) && !is(bucket - 1), "{value} in {bucket} of {n}");
    }

    /// The largest value of the same bucket.
    fn last(buckets: &Buckets, value: u64, most: u64) -> u64 {
        let place = buckets.place(value);
        let (mut within, mut beyond) = (value, most + 1);
        while beyond - within > 1 {
            let middle = within + (beyond - within) / 2;
            if middle <= most && buckets.place(middle) == place {
                within = middle;
            } else {
                beyond = middle;
            }
        }
        within
    }

    #[test]
    fn values_on_both_sides_of_every_bound_are_in_the_buckets_of_the_definition() {
        for (schema, is_time) in
            (0..=MAX_SCHEMA).flat_map(|schema| [(schema, true), (schema, false)])
        {
            let buckets = Buckets::new(Resolution { schema, max_buckets: 0 }, is_time, 0);
            let most = (1_u64 << buckets.octaves) - 1;
            let mut value = 1;
            let step = if cfg!(miri) { 1000 } else { 1 };
            while value < most {
                check(&buckets, value, is_time);
                let last = last(&buckets, value, most);
                check(&buckets, last, is_time);
                value = last + step;
            }
            assert_eq!(buckets.place(0), 0);
            assert_eq!(buckets.place(u64::MAX), buckets.place(most));
        }
    }

    #[test]
    fn the_factor_chooses_the_schema_as_gos_library_does() {
        let schema = |factor| Resolution::of(factor, 100).map(|resolution| resolution.schema);
        for (factor, expected) in [
            (65536.0, -4),
            (1e300, -4),
            (4.0, -1),
            (3.9, 0),
            (2.0, 0),
            (1.99, 1),
            (1.5, 1),
            (1.2, 2),
            (1.1, 3),
            (1.05, 4),
            (1.001, 4),
        ] {
            assert_eq!(schema(factor), Some(expected), "{factor}");
        }
        for factor in [0.0, 1.0, -3.0, f64::NAN, f64::INFINITY] {
            assert_eq!(schema(factor), None, "{factor}");
        }
    }

    fn shown(schema: i32, max_buckets: usize, values: &[u64]) -> Native {
        let buckets = Buckets::new(Resolution { schema, max_buckets }, false, 0);
        let mut counts = vec![0; buckets.words];
        values.iter().for_each(|value| counts[buckets.place(*value)] += 1);
        buckets.shown(counts.into_iter())
    }

    #[test]
    fn as_many_buckets_are_shown_as_may_be_and_none_is_lost() {
        let values: Vec<u64> = (0..1000).map(|nth| nth * nth).collect();
        for (max_buckets, schema) in [(0, 4), (300, 4), (100, 2), (10, -2), (2, -4), (1, -4)] {
            let native = shown(4, max_buckets, &values);
            assert_eq!(
                (native.schema, native.zero, native.count()),
                (schema, 1, 1000),
                "{max_buckets}"
            );
            assert!(native.buckets.is_sorted_by(|a, b| a.0 < b.0));
        }
    }

    #[test]
    fn coarser_buckets_hold_what_their_bounds_say() {
        let values = [1, 2, 3, 4, 5, 16, 17, 255, 256, 257, 65536, 65537];
        assert_eq!(shown(0, 0, &values).buckets[..4], [(0, 1), (1, 1), (2, 2), (3, 1)]);
        assert_eq!(shown(-1, 0, &[1, 2, 4, 5, 16, 17]).buckets, [(0, 1), (1, 2), (2, 2), (3, 1)]);
        assert_eq!(shown(-4, 0, &values).buckets, [(0, 1), (1, 10), (2, 1)]);
    }
}
