//! Backends that share a route's requests.

use proptest::prelude::*;
use wick_routes::{HostRoutes, PathMatch, RecordError, Split, Spread};

use crate::support::{CRITICAL, field, record, required, route};

fn backend(weight: u32) -> Vec<u8> {
    let fields = [field(1 | CRITICAL, &weight.to_le_bytes()), field(2 | CRITICAL, b"b")];
    field(25 | CRITICAL, &fields.concat())
}

fn decode(backends: &[Vec<u8>]) -> Result<Split, RecordError> {
    let mut fields = required("/", PathMatch::Prefix);
    fields.extend_from_slice(backends);
    let host = HostRoutes::decode(b"a.test", &record(&[route(&fields)]))?;
    Ok(*host.routes()[0].split.clone().expect("it has backends"))
}

fn split(weights: &[u32]) -> Split {
    decode(&weights.iter().map(|weight| backend(*weight)).collect::<Vec<_>>()).expect("a record")
}

#[test]
fn the_whole_is_divided_by_weight() {
    let split = split(&[1, 0, 3]);
    let quarter = 1u64 << 62;
    for (point, place) in [(0, 0), (quarter - 1, 0), (quarter, 2), (u64::MAX, 2)] {
        assert_eq!(split.at(point), Some(place), "{point}");
    }
    assert_eq!(
        (0..3).map(|place| split.weight(place)).collect::<Vec<_>>(),
        [(1, 4), (0, 4), (3, 4)]
    );
}

#[test]
fn without_any_weight_there_is_no_backend() {
    for weights in [&[0][..], &[0, 0]] {
        for point in [0, 1 << 63, u64::MAX] {
            assert_eq!(split(weights).at(point), None);
        }
    }
}

#[test]
fn the_largest_weights_have_their_shares() {
    let split = split(&[1_000_000; 16]);
    for place in 0..16 {
        assert_eq!(split.at((place as u64) << 60), Some(place));
    }
    assert_eq!(decode(&[backend(1_000_001)]), Err(RecordError::Field));
}

#[test]
fn a_backend_without_weight_or_name_is_none() {
    for fields in [field(1 | CRITICAL, &1u32.to_le_bytes()), field(2 | CRITICAL, b"b")] {
        assert_eq!(decode(&[field(25 | CRITICAL, &fields)]), Err(RecordError::Missing));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 2 } else { 500 }, failure_persistence: None, ..Default::default() })]

    /// Wherever it begins, and however many requests follow each other: by chance it would be many times as far off.
    #[test]
    fn each_backend_gets_its_share_of_any_requests(
        weights in proptest::collection::vec(0u32..100, 1..8),
        start in any::<u64>(),
        requests in 1usize..2000,
    ) {
        let total: u32 = weights.iter().sum();
        prop_assume!(total > 0);
        let (split, spread) = (split(&weights), Spread::new(start));
        let mut got = vec![0u32; weights.len()];
        for _ in 0..requests {
            got[split.at(spread.next()).expect("some weight is not 0")] += 1;
        }
        for (got, weight) in got.iter().zip(&weights) {
            let share = requests as f64 * f64::from(*weight) / f64::from(total);
            prop_assert!((f64::from(*got) - share).abs() < 4.0, "{} of {}", got, share);
            prop_assert!(*weight > 0 || *got == 0);
        }
    }
}
