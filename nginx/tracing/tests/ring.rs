//! Where finished spans wait.

use std::sync::atomic::AtomicU64;

use proptest::prelude::*;
use wick_tracing::Ring;

fn memory(bytes: usize) -> Vec<AtomicU64> {
    (0..Ring::words(bytes)).map(|_| AtomicU64::new(0)).collect()
}

/// The records of a page.
fn records(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut records = Vec::new();
    let mut rest = bytes;
    while let Some((len, behind)) = rest.split_first_chunk::<8>() {
        let len = u64::from_le_bytes(*len) as usize;
        records.push(behind[..len].to_vec());
        rest = &behind[len.next_multiple_of(8)..];
    }
    records
}

#[test]
fn records_come_out_as_they_went_in_until_they_are_freed() {
    let memory = memory(1024);
    let ring = Ring::open(&memory, || 7);
    assert_eq!(records(&ring.page(1024).records), Vec::<Vec<u8>>::new());
    for record in [&b"one"[..], b"eight by", b""] {
        assert!(ring.push(record));
    }
    let page = ring.page(1024);
    assert_eq!(records(&page.records), [&b"one"[..], b"eight by", b""]);
    assert_eq!((page.recorded, page.dropped, page.waiting), (3, 0, 3));
    assert_eq!(ring.page(1024), page);
    ring.free(page.seed, page.end);
    let page = ring.page(1024);
    assert_eq!((&page.records[..], page.recorded, page.waiting), (&b""[..], 3, 0));
}

#[test]
fn a_page_has_one_record_at_least_and_no_more_than_fit() {
    let memory = memory(1024);
    let ring = Ring::open(&memory, || 7);
    (0..4).for_each(|n| assert!(ring.push(&[n; 24])));
    for (bytes, count) in [(0, 1), (63, 1), (64, 2), (96, 3), (1000, 4)] {
        let page = ring.page(bytes);
        assert_eq!((records(&page.records).len(), page.waiting), (count, 4), "{bytes}");
    }
}

#[test]
fn what_finds_no_room_is_counted() {
    let memory = memory(64);
    let ring = Ring::open(&memory, || 7);
    assert!(ring.push(&[1; 40]));
    assert!(!ring.push(&[2; 16]) && !ring.push(&[3; 1000]));
    assert!(ring.push(&[4; 8]));
    let page = ring.page(1024);
    assert_eq!((records(&page.records).len(), page.recorded, page.dropped), (2, 2, 2));
}

#[test]
fn another_process_finds_the_ring_as_it_is() {
    let memory = memory(256);
    Ring::open(&memory, || 7).push(b"kept");
    let page = Ring::open(&memory, || 8).page(256);
    assert_eq!((records(&page.records), page.seed), (vec![b"kept".to_vec()], 7));
}

#[test]
fn positions_of_another_ring_free_nothing() {
    let memory = memory(256);
    let ring = Ring::open(&memory, || 7);
    ring.push(b"kept");
    let page = ring.page(256);
    ring.free(page.seed + 1, page.end);
    ring.free(page.seed, page.end + 1);
    assert_eq!(ring.page(256), page);
    ring.free(page.seed, page.end);
    ring.push(b"next");
    ring.free(page.seed, page.end); // said twice
    assert_eq!(records(&ring.page(256).records), [b"next"]);
}

proptest! {
    #[test]
    fn nothing_is_lost_or_mixed_up(
        steps in proptest::collection::vec((0usize..90, 0usize..200, any::<bool>()), 1..200),
        bytes in 64usize..600,
    ) {
        let memory = memory(bytes);
        let ring = Ring::open(&memory, || 1);
        let (mut expected, mut read) = (Vec::new(), Vec::new());
        for (nth, (len, page_bytes, reads)) in steps.into_iter().enumerate() {
            let record = vec![nth as u8; len];
            if ring.push(&record) {
                expected.push(record);
            }
            if reads {
                let page = ring.page(page_bytes);
                read.extend(records(&page.records));
                ring.free(page.seed, page.end);
            }
        }
        read.extend(records(&ring.page(usize::MAX).records));
        prop_assert_eq!(read, expected);
    }
}
