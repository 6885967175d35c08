//! Slots: who has which, what they hold, who counts.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

use super::{Region, TINY, TestLock, capacity};
use crate::{Capacity, Cas, LayoutError, OpenError, Row, SlotStatistics, Slots, Store, SwapError};

/// A store with slots, and the lock of both.
pub struct World {
    pub store_region: Region,
    pub slots_region: Region,
    pub lock: TestLock,
    pub store: Store,
    pub slots: Slots,
}

impl World {
    pub fn new(count: u32) -> World {
        let (store_region, slots_region) = (Region::new(TINY), slots_region(count));
        let slots = slots_region.create_slots(count);
        let store = store_region.create().with_slots(slots);
        World { store_region, slots_region, lock: TestLock::default(), store, slots }
    }

    pub fn put(&self, key: &str) {
        self.store.set(&self.lock, key.as_bytes(), Some(b"record"), Cas::Any).unwrap();
    }

    pub fn delete(&self, key: &str) {
        self.store.set(&self.lock, key.as_bytes(), None, Cas::Any).unwrap();
    }

    /// Opens as someone does who has read the latest value.
    pub fn open(&self, key: &str, ids: &[u64]) -> Result<Vec<u64>, OpenError> {
        let mut numbers = ids.to_vec();
        let version = self.store.key_version(key.as_bytes());
        self.store.open_slots(&self.lock, key.as_bytes(), version, &mut numbers)?;
        Ok(numbers)
    }

    pub fn row(&self, pid: u32) -> Row {
        self.slots.register(pid, |_| true).unwrap()
    }
}

pub fn slots_region(count: u32) -> Region {
    Region::new(Slots::bytes(capacity(count)))
}

fn distinct(numbers: &[u64]) -> usize {
    numbers.iter().collect::<BTreeSet<_>>().len()
}

#[test]
#[should_panic(expected = "free list without an end")]
fn a_ring_of_free_slots_that_are_being_written_ends() {
    let world = World::new(8);
    world.put("a");
    let id: u64 = 0x5107_5107_5107;
    world.open("a", &[id]).unwrap();
    let bytes = world.slots_region.bytes();
    let at = bytes.windows(8).position(|word| word == id.to_le_bytes()).unwrap();
    // The first free slot, and the link of the slot with this id, which is behind it: both lead to slot 0, by its index and 1.
    for at in [72, at + 8] {
        world.slots_region.overwrite(at, 1);
    }
    world.slots.take(&[0]);
}

#[test]
fn who_looks_for_slots_opens_none() {
    let world = World::new(8);
    world.put("a");
    world.put("b");
    let find = |key: &str| {
        let mut ids = [10, 20, 10, 30];
        world.store.find_slots(&world.lock, key.as_bytes(), &mut ids);
        ids
    };
    assert_eq!(find("a"), [0; 4]);
    let opened = world.open("a", &[10, 30]).unwrap();
    assert_eq!(find("a"), [opened[0], 0, opened[0], opened[1]]);
    assert_eq!(find("b"), [0; 4]);
    assert_eq!(find("none"), [0; 4]);
    assert_eq!(world.slots.statistics().slots_used, 2);
    world.delete("a");
    assert_eq!(find("a"), [0; 4]);
}

#[test]
fn without_slots_there_are_none() {
    let region = Region::new(TINY);
    let mut ids = [10, 20];
    region.create().find_slots(&TestLock::default(), b"a", &mut ids);
    assert_eq!(ids, [0, 0]);
}

#[test]
fn an_id_keeps_its_slot_as_long_as_it_is_listed() {
    let world = World::new(8);
    world.put("a");
    let first = world.open("a", &[10, 20, 30]).unwrap();
    assert_eq!(distinct(&first), 3);
    assert_eq!(world.open("a", &[10, 20, 30]).unwrap(), first);
    let second = world.open("a", &[40, 30, 10]).unwrap();
    assert_eq!((second[1], second[2]), (first[2], first[0]));
    assert!(!first.contains(&second[0]));
    let third = world.open("a", &[20]).unwrap();
    assert_ne!(third[0], first[1], "20 was not listed in between");
    assert_eq!(world.open("a", &[]).unwrap(), []);
}

#[test]
fn an_id_that_is_listed_twice_has_one_slot() {
    let world = World::new(3);
    world.put("a");
    let numbers = world.open("a", &[7, 8, 7]).unwrap();
    assert_eq!((numbers[0], distinct(&numbers)), (numbers[2], 2));
    assert_eq!(world.open("a", &[7, 8, 7, 8]), Err(OpenError::Full), "a list of more than all");
}

#[test]
fn keys_do_not_share_slots_even_in_one_chain() {
    let world = World::new(4); // one chain
    world.put("a");
    world.put("b");
    let a = world.open("a", &[1, 2]).unwrap();
    let b = world.open("b", &[1, 2]).unwrap();
    assert_eq!(distinct(&[a.clone(), b.clone()].concat()), 4);
    world.delete("a");
    assert_eq!(world.open("b", &[1, 2]).unwrap(), b);
    let row = world.row(1);
    assert_eq!((row.add(a[0], 0, 1), row.add(b[0], 0, 1)), (None, Some(1)));
}

#[test]
fn what_cannot_be_opened_is_said_and_changes_nothing() {
    let world = World::new(4);
    let mut ids = [1, 2];
    let open = |world: &World, version, ids: &mut [u64]| {
        world.store.open_slots(&world.lock, b"a", version, ids)
    };
    assert_eq!(open(&world, 0, &mut ids), Err(OpenError::NoKey));
    let before = world.store.key_version(b"a");
    world.put("a");
    assert_eq!(open(&world, before, &mut ids), Err(OpenError::Outdated));
    assert_eq!(ids, [1, 2]);
    let numbers = world.open("a", &[1, 2]).unwrap();
    assert_eq!(world.open("a", &[1, 3, 4, 5]), Err(OpenError::Full), "2 is freed only afterwards");
    assert_eq!(world.open("a", &[1, 2]).unwrap(), numbers);
    assert_eq!(world.open("a", &[1, 3, 4]).unwrap()[0], numbers[0]);
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let without = region.create();
    assert_eq!(without.open_slots(&lock, b"a", 1, &mut []), Err(OpenError::NoSlots));
}

#[test]
fn a_released_slot_reads_0_and_refuses_writes_whoever_has_it_next() {
    let world = World::new(1);
    let row = world.row(1);
    world.put("a");
    let old = world.open("a", &[1]).unwrap()[0];
    assert_eq!(row.add(old, 3, 5), Some(5));
    assert_eq!(row.add_to_gauge(old, 2), Some(2));
    let check = |new: Option<u64>| {
        assert_eq!((world.slots.get(old, 3), world.slots.gauge(old, &world.slots.live())), (0, 0));
        assert_eq!((row.add(old, 3, 1), row.add_to_gauge(old, 1)), (None, None));
        assert_eq!(row.swap(old, 3, 0, 1), Err(SwapError::Released));
        if let Some(new) = new {
            assert_eq!(
                (world.slots.get(new, 3), world.slots.gauge(new, &world.slots.live())),
                (0, 0)
            );
        }
    };
    world.delete("a");
    check(None);
    world.put("b");
    let new = world.open("b", &[1]).unwrap()[0];
    assert_ne!(new, old);
    check(Some(new));
}

#[test]
fn numbers_that_are_no_slots_are_as_released_ones() {
    let world = World::new(2);
    let row = world.row(1);
    world.put("a");
    let number = world.open("a", &[1]).unwrap()[0];
    let wrong = [0, 1, number + 1, number + 2, number | 0xffff_ffff, number + (1 << 32), u64::MAX];
    for number in wrong {
        assert_eq!(
            (world.slots.get(number, 0), world.slots.gauge(number, &world.slots.live())),
            (0, 0)
        );
        assert_eq!((row.add(number, 0, 1), row.add_to_gauge(number, 1)), (None, None));
        assert_eq!(row.swap(number, 0, 0, 1), Err(SwapError::Released));
    }
}

#[test]
fn cells_are_four_separate_numbers() {
    let world = World::new(2);
    let row = world.row(1);
    world.put("a");
    let numbers = world.open("a", &[1, 2]).unwrap();
    for cell in 0..4 {
        assert_eq!(row.add(numbers[0], cell, u64::from(cell)), Some(u64::from(cell)));
    }
    assert_eq!([0, 1, 2, 3].map(|cell| world.slots.get(numbers[0], cell)), [0, 1, 2, 3]);
    assert_eq!(row.add(numbers[0], 0, u64::MAX), Some(u64::MAX));
    assert_eq!(row.swap(numbers[0], 1, 1, 100), Ok(()));
    assert_eq!(row.swap(numbers[0], 1, 1, 200), Err(SwapError::Mismatch(100)));
    assert_eq!([0, 1, 2, 3].map(|cell| world.slots.get(numbers[0], cell)), [u64::MAX, 100, 2, 3]);
    assert_eq!([0, 1, 2, 3].map(|cell| world.slots.get(numbers[1], cell)), [0; 4]);
}

#[test]
fn a_gauge_sums_the_parts_of_live_processes() {
    let world = World::new(2);
    world.put("a");
    let slot = world.open("a", &[1]).unwrap()[0];
    let (one, other) = (world.row(1), world.row(2));
    assert_eq!(one.add_to_gauge(slot, 5), Some(5));
    assert_eq!(other.add_to_gauge(slot, 7), Some(12));
    assert_eq!(one.add_to_gauge(slot, -9), Some(7), "a part does not go below 0");
    assert_eq!(one.add_to_gauge(slot, i64::MIN), Some(7));
    assert_eq!(one.add_to_gauge(slot, i64::MAX), Some(7 + u64::from(u32::MAX)));
    drop(one);
    assert_eq!(world.slots.gauge(slot, &world.slots.live()), 7);
    std::mem::forget(other); // killed
    world.slots.reap(3, |pid| pid != 2);
    assert_eq!(world.slots.gauge(slot, &world.slots.live()), 0);
}

#[test]
fn who_takes_over_a_row_begins_at_0() {
    let world = World::new(3);
    world.put("a");
    let slots = world.open("a", &[1, 2, 3]).unwrap();
    let row = world.row(1);
    slots.iter().for_each(|slot| assert_eq!(row.add_to_gauge(*slot, 3), Some(3)));
    std::mem::forget(row);
    let again = world.slots.register(1, |_| true).unwrap();
    assert_eq!(
        slots.iter().map(|slot| world.slots.gauge(*slot, &world.slots.live())).sum::<u64>(),
        0
    );
    assert_eq!(again.add_to_gauge(slots[2], 1), Some(1));
}

#[test]
fn rows_are_as_many_as_said_and_come_back() {
    let world = World::new(1);
    let mut rows: Vec<Row> = (1..=256).map(|pid| world.row(pid)).collect();
    assert!(world.slots.register(300, |_| true).is_none());
    world.put("a");
    let slot = world.open("a", &[1]).unwrap()[0];
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(row.add_to_gauge(slot, 1), Some(i as u64 + 1));
    }
    rows.pop();
    assert!(world.slots.register(300, |_| true).is_some());
    rows.into_iter().for_each(std::mem::forget);
    assert!(world.slots.register(300, |pid| pid > 200).is_some());
    assert_eq!(world.slots.gauge(slot, &world.slots.live()), 55);
}

#[test]
fn there_are_rows_for_as_many_processes_as_wanted() {
    for (wanted, processes) in [(1, 64), (64, 64), (65, 128), (300, 320), (1024, 1024)] {
        let capacity = Capacity { slots: 2, processes: wanted };
        let (store_region, region) = (Region::new(TINY), Region::new(Slots::bytes(capacity)));
        // SAFETY: the region is new and outlives the slots.
        let slots = unsafe { Slots::create(region.base, region.layout.size(), capacity) }.unwrap();
        let (store, lock) = (store_region.create().with_slots(slots), TestLock::default());
        store.set(&lock, b"a", Some(b"record"), Cas::Any).unwrap();
        let mut numbers = [7];
        store.open_slots(&lock, b"a", store.key_version(b"a"), &mut numbers).unwrap();
        let rows: Vec<Row> =
            (1..=processes).map(|pid| slots.register(pid, |_| true).unwrap()).collect();
        assert!(slots.register(9999, |_| true).is_none());
        for (before, row) in (0..).zip(&rows) {
            assert_eq!(row.add_to_gauge(numbers[0], 1), Some(before + 1));
            assert_eq!(row.add(numbers[0], 0, 1), Some(before + 1));
        }
        let expected = SlotStatistics {
            slots: 2,
            slots_used: 1,
            processes: processes.into(),
            processes_alive: processes.into(),
        };
        assert_eq!(slots.statistics(), expected);
        drop(rows);
        assert_eq!(slots.statistics().processes_alive, 0);
        assert_eq!(slots.gauge(numbers[0], &slots.live()), 0);
    }
}

/// As by a process that is stopped between looking at a slot's generation and writing.
#[test]
fn a_slot_that_someone_is_writing_to_is_not_given_away() {
    let world = World::new(2);
    world.put("a");
    let slots = world.open("a", &[1, 2]).unwrap();
    let row = world.row(1);
    let written = row.writing(slots[0], |_| {
        world.open("a", &[]).unwrap();
        let next = world.open("a", &[3]).unwrap();
        assert_eq!(next[0] as u32, slots[1] as u32);
        assert_eq!(world.open("a", &[3, 4]), Err(OpenError::Full));
    });
    assert_eq!(written, Some(()));
    assert_eq!(world.open("a", &[3, 4]).unwrap()[1] as u32, slots[0] as u32);
}

/// As after the store was emptied by a process that knows of no slots.
#[test]
fn slots_whose_key_is_gone_are_found_when_there_are_no_others() {
    let world = World::new(4);
    for key in ["a", "b"] {
        world.put(key);
        world.open(key, &[1, 2]).unwrap();
    }
    let without = world.store_region.attach().unwrap();
    without.set(&world.lock, b"a", None, Cas::Any).unwrap();
    let (row, b) = (world.row(1), world.open("b", &[1, 2]).unwrap());
    row.add(b[0], 0, 9);
    assert_eq!(world.open("b", &[1, 2, 3, 4]).unwrap()[..2], b);
    assert_eq!(world.slots.get(b[0], 0), 9);
    assert_eq!(world.open("b", &[1, 2, 3, 4, 5]), Err(OpenError::Full));
    assert_eq!(world.store.statistics().recoveries, 0);
}

#[test]
fn foreign_memory_is_refused() {
    let region = slots_region(4);
    assert_eq!(region.attach_slots(4).err(), Some(LayoutError::Magic));
    region.create_slots(4);
    assert!(region.attach_slots(4).is_ok());
    let found = Slots::bytes(capacity(4)) as u64;
    assert_eq!(region.attach_slots(3).err(), Some(LayoutError::Length(found)));
    assert_eq!(region.attach_slots(5).err(), Some(LayoutError::TooSmall));
    assert_eq!(region.attach_slots(0).err(), Some(LayoutError::TooSmall));
    assert_eq!(region.attach_slots(crate::MAX_SLOTS + 1).err(), Some(LayoutError::TooLarge));
    region.overwrite(8, 9);
    assert_eq!(region.attach_slots(4).err(), Some(LayoutError::Version(9)));
}

/// Any word of the slots' memory overwritten: numbers may be wrong and slots lost, but nothing faults, loops or stays locked.
#[test]
fn a_foreign_write_is_survived() {
    let world = World::new(4);
    for key in ["a", "b"] {
        world.put(key);
        world.open(key, &[1]).unwrap();
    }
    let gauges = Slots::bytes(capacity(4)) - 4 * 256 * 8;
    let buckets_and_slots = gauges - 5 * 64..gauges;
    for at in (64..256).chain(buckets_and_slots).step_by(super::rounds(1, 37)) {
        for byte in [0x00, 0x01, 0x03, 0xff] {
            let broken = Region::copy_of(&world.slots_region.bytes());
            broken.overwrite(at, byte);
            let store =
                world.store_region.attach().unwrap().with_slots(broken.attach_slots(4).unwrap());
            let open = |ids: &mut [u64]| {
                let version = store.key_version(b"a");
                let open = || store.open_slots(&world.lock, b"a", version, ids);
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(open))
            };
            for _ in 0..3 {
                drop(open(&mut [1, 2]));
            }
            assert!(open(&mut [1, 2]).is_ok(), "repaired by now: byte {at} = {byte}");
        }
    }
}

/// What the model knows of a key: its slots by id, with number and the value of cell 0.
type Model = BTreeMap<u8, BTreeMap<u64, (u64, u64)>>;

#[derive(Clone, Debug)]
enum Step {
    Put(u8),
    Delete(u8),
    Open(u8, Vec<u64>),
    Add(u8, u64, u64),
}

fn step() -> impl Strategy<Value = Step> {
    let key = 0..4_u8;
    prop_oneof![
        2 => key.clone().prop_map(Step::Put),
        1 => key.clone().prop_map(Step::Delete),
        4 => (key.clone(), prop::collection::vec(0..12_u64, 0..10)).prop_map(|(key, ids)| Step::Open(key, ids)),
        4 => (key, 0..12_u64, 1..100_u64).prop_map(|(key, id, what)| Step::Add(key, id, what)),
    ]
}

const COUNT: u32 = 16;

fn open_in_model(world: &World, model: &mut Model, key: u8, ids: &[u64]) {
    let used: usize = model.values().map(BTreeMap::len).sum();
    let outcome = world.open(&key.to_string(), ids);
    let Some(known) = model.get_mut(&key) else {
        return assert_eq!(outcome, Err(OpenError::NoKey));
    };
    let distinct: BTreeSet<u64> = ids.iter().copied().collect();
    let joining = distinct.iter().filter(|id| !known.contains_key(id)).count();
    if used + joining > COUNT as usize {
        return assert_eq!(outcome, Err(OpenError::Full));
    }
    let numbers = outcome.unwrap();
    known.retain(|id, _| distinct.contains(id));
    for (id, number) in ids.iter().zip(numbers) {
        assert_eq!(known.entry(*id).or_insert((number, 0)).0, number);
    }
}

fn check(world: &World, model: &Model, released: &BTreeSet<u64>) {
    let slots: Vec<&(u64, u64)> = model.values().flat_map(BTreeMap::values).collect();
    for (number, value) in &slots {
        assert_eq!(
            (world.slots.get(*number, 0), world.slots.gauge(*number, &world.slots.live())),
            (*value, *value)
        );
    }
    let indices: BTreeSet<u32> = slots.iter().map(|(number, _)| *number as u32).collect();
    assert_eq!(indices.len(), slots.len(), "nobody shares a slot");
    for number in released {
        assert_eq!(
            (world.slots.get(*number, 0), world.slots.gauge(*number, &world.slots.live())),
            (0, 0)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: super::rounds(400, 4) as u32, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_history_leaves_what_the_model_says(steps in prop::collection::vec(step(), 1..super::rounds(150, 20))) {
        let (world, mut model) = (World::new(COUNT), Model::new());
        let row = world.row(1);
        let mut seen = BTreeSet::new();
        for step in steps {
            match step {
                Step::Put(key) => {
                    world.put(&key.to_string());
                    model.entry(key).or_default();
                }
                Step::Delete(key) => {
                    world.delete(&key.to_string());
                    model.remove(&key);
                }
                Step::Open(key, ids) => open_in_model(&world, &mut model, key, &ids),
                Step::Add(key, id, what) => {
                    if let Some((number, value)) = model.get_mut(&key).and_then(|key| key.get_mut(&id)) {
                        *value += what;
                        prop_assert_eq!(row.add(*number, 0, what), Some(*value));
                        prop_assert_eq!(row.add_to_gauge(*number, what as i64), Some(*value));
                    }
                }
            }
            let numbers: BTreeSet<u64> = model.values().flat_map(BTreeMap::values).map(|slot| slot.0).collect();
            seen.extend(&numbers);
            check(&world, &model, &(&seen - &numbers));
        }
        prop_assert_eq!(world.store.statistics().recoveries, 0);
    }
}
