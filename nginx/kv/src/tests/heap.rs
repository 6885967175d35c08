use super::{Region, TINY};
use crate::heap::{Heap, MIN_BLOCK};

fn fresh() -> (Region, Heap) {
    let region = Region::new(TINY);
    let heap = region.create().heap();
    (region, heap)
}

fn free_bytes(heap: &Heap) -> u64 {
    heap.memory.load(crate::layout::header::BYTES_FREE)
}

#[test]
fn blocks_are_disjoint_and_come_back_as_one() {
    let (_region, heap) = fresh();
    let all = free_bytes(&heap);
    let mut blocks = Vec::new();
    while let Some(at) = heap.allocate(50) {
        blocks.push(at);
    }
    assert!(blocks.windows(2).all(|pair| pair[1] - pair[0] >= Heap::block_len(50)));
    // Every other one first: joining has to work towards both sides.
    let (even, odd): (Vec<_>, Vec<_>) = blocks.iter().enumerate().partition(|(i, _)| i % 2 == 0);
    for (_, at) in even.into_iter().chain(odd) {
        heap.free(*at);
    }
    assert_eq!(free_bytes(&heap), all);
    assert!(heap.allocate(all - 8).is_some(), "one block again");
    assert_eq!(free_bytes(&heap), 0);
}

#[test]
fn a_block_is_found_whenever_one_is_large_enough() {
    let (_region, heap) = fresh();
    let all = free_bytes(&heap);
    // The only free block is in the bin of the request, behind none that is larger.
    for odd in (16..256).step_by(16) {
        let wanted = all - odd;
        let at = heap.allocate(wanted - 8).unwrap();
        heap.free(at);
        assert_eq!(free_bytes(&heap), all);
    }
    assert!(heap.allocate(all).is_none());
}

#[test]
fn a_remainder_too_small_for_a_block_stays_with_its_neighbour() {
    let (_region, heap) = fresh();
    let all = free_bytes(&heap);
    let at = heap.allocate(all - MIN_BLOCK / 2 - 8).unwrap();
    assert_eq!(heap.len(at), all);
    heap.free(at);
    assert_eq!(free_bytes(&heap), all);
}

#[test]
fn rebuilding_finds_exactly_the_gaps() {
    let (_region, heap) = fresh();
    let blocks: Vec<u64> = (0..9).map(|i| heap.allocate(40 + i * 30).unwrap()).collect();
    for i in [0, 3, 4, 8] {
        heap.free(blocks[i]);
    }
    let before = free_bytes(&heap);
    let used: Vec<_> = [1, 2, 5, 6, 7].map(|i| (blocks[i], heap.len(blocks[i]))).to_vec();
    heap.rebuild(&used);
    assert_eq!(free_bytes(&heap), before);
    used.iter().for_each(|(at, _)| heap.free(*at));
    assert!(heap.allocate(free_bytes(&heap) - 8).is_some());
}

#[test]
fn a_block_behind_many_smaller_ones_of_its_bin_is_found() {
    let (_region, heap) = fresh();
    // 256 and 272 bytes share a bin; what lies between them keeps them apart, and nothing larger is left.
    let apart = |bytes| (heap.allocate(bytes).unwrap(), heap.allocate(1)).0;
    let fitting = apart(272 - 8);
    let smaller: Vec<u64> = (0..12).map(|_| apart(256 - 8)).collect();
    while heap.allocate(1).is_some() {}
    heap.free(fitting);
    smaller.iter().for_each(|at| heap.free(*at));
    assert_eq!(heap.allocate(272 - 8), Some(fitting));
    assert_eq!(heap.allocate(272 - 8), None);
}
