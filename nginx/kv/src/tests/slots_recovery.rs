//! A process killed after any of its stores to slots: what is kept keeps number and content, nobody has another's slot,
//! none is lost, and all goes on.

use std::collections::BTreeSet;

use super::kill::at_every_store;
use super::slots::World;
use super::{Region, TestLock};
use crate::{Cas, OpenError, Slots, Store, Write, apply};

const COUNT: u32 = 8;

/// What the next process finds.
struct After {
    lock: TestLock,
    store: Store,
    slots: Slots,
}

impl After {
    fn of(moment: &[Region]) -> After {
        let slots = moment[1].attach_slots(COUNT).unwrap();
        let store = moment[0].attach().unwrap().with_slots(slots);
        let after = After { lock: TestLock::default(), store, slots };
        after.exists("a"); // whoever opens has read: a repair moves versions
        after
    }

    fn exists(&self, key: &str) -> bool {
        self.store.read(&self.lock, key.as_bytes(), |_, _| ()).is_some()
    }

    fn open(&self, key: &str, ids: &[u64]) -> Result<Vec<u64>, OpenError> {
        let mut numbers = ids.to_vec();
        let version = self.store.key_version(key.as_bytes());
        self.store.open_slots(&self.lock, key.as_bytes(), version, &mut numbers).map(|()| numbers)
    }

    /// Every slot can be had, once the others have none, and starts at 0.
    fn check_that_none_is_lost(&self, used_elsewhere: usize) {
        self.store.set(&self.lock, b"all", Some(b""), Cas::Any).unwrap();
        let ids: Vec<u64> = (0..COUNT as u64 - used_elsewhere as u64).collect();
        let numbers = self.open("all", &ids).unwrap();
        assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), ids.len());
        assert!(numbers.iter().all(|number| self.slots.get(*number, 0) == 0));
        let more: Vec<u64> = (0..=ids.len() as u64).collect();
        assert_eq!(self.open("all", &more), Err(OpenError::Full));
    }
}

/// Two keys with two slots each, whose cells hold 7.
fn world() -> (World, [Vec<u64>; 2]) {
    let world = World::new(COUNT);
    let numbers = ["a", "b"].map(|key| {
        world.put(key);
        world.open(key, &[1, 2]).unwrap()
    });
    let row = world.row(1);
    numbers.iter().flatten().for_each(|slot| assert_eq!(row.add(*slot, 0, 7), Some(7)));
    (world, numbers)
}

#[test]
fn a_kill_while_slots_are_opened_and_released() {
    let (world, [a, b]) = world();
    let moments = at_every_store(&[&world.store_region, &world.slots_region], || {
        world.open("a", &[2, 3, 4]).unwrap();
    });
    assert!(moments.len() > 25, "{}", moments.len());
    let mut repairs = 0;
    for moment in moments {
        let after = After::of(&moment);
        assert_eq!(after.open("b", &[1, 2]).unwrap(), b);
        assert_eq!(b.iter().map(|slot| after.slots.get(*slot, 0)).collect::<Vec<_>>(), [7, 7]);
        let again = after.open("a", &[2, 3, 4]).unwrap();
        assert_eq!((again[0], after.slots.get(again[0], 0)), (a[1], 7));
        assert_eq!([after.slots.get(again[1], 0), after.slots.get(again[2], 0)], [0, 0]);
        assert_eq!(after.slots.get(a[0], 0), 0, "1 was released");
        repairs += after.store.statistics().recoveries;
        after.check_that_none_is_lost(5);
    }
    assert!(repairs > 20, "{repairs}");
}

#[test]
fn a_kill_while_a_key_is_deleted_leaves_it_with_its_slots_or_neither() {
    let (world, [a, b]) = world();
    let moments = at_every_store(&[&world.store_region, &world.slots_region], || world.delete("a"));
    for moment in moments {
        let after = After::of(&moment);
        assert_eq!(after.open("b", &[1, 2]).unwrap(), b);
        let exists = after.exists("a");
        let left = a.iter().map(|slot| after.slots.get(*slot, 0)).collect::<Vec<_>>();
        assert_eq!(left, if exists { [7, 7] } else { [0, 0] });
        after.check_that_none_is_lost(if exists { 4 } else { 2 });
    }
}

/// Deleted and written anew, by whoever comes after the killed one: the slots do not come back with it.
#[test]
fn a_key_that_comes_back_has_new_slots() {
    let (world, [a, _]) = world();
    let delete = [(0, Write { key: b"a", value: None, cas: Cas::Any })];
    let moments = at_every_store(&[&world.store_region, &world.slots_region], || {
        apply(&[(world.store, &world.lock)], &delete).unwrap();
    });
    for moment in moments {
        let after = After::of(&moment);
        apply(&[(after.store, &after.lock)], &delete).unwrap();
        after.store.set(&after.lock, b"a", Some(b"again"), Cas::Any).unwrap();
        let again = after.open("a", &[1, 2]).unwrap();
        assert!(again.iter().all(|number| !a.contains(number)));
        assert!(again.iter().all(|number| after.slots.get(*number, 0) == 0));
    }
}

#[test]
fn a_kill_during_repair_is_repaired() {
    let (world, [a, b]) = world();
    world.slots.mark(1);
    let moments = at_every_store(&[&world.store_region, &world.slots_region], || {
        world.open("b", &[1, 2]).unwrap();
    });
    for moment in moments {
        let after = After::of(&moment);
        assert_eq!(after.open("a", &[1, 2]).unwrap(), a);
        assert_eq!(after.open("b", &[1, 2]).unwrap(), b);
        after.check_that_none_is_lost(4);
    }
}

/// A process that dies while it takes a row, drops it, or takes over another's: what it added does not count.
#[test]
fn a_kill_at_any_store_to_a_row_frees_it() {
    let (world, [a, _]) = world();
    let regions = [&world.store_region, &world.slots_region];
    std::mem::forget(world.row(1));
    let moments = at_every_store(&regions, || {
        let row = world.slots.register(2, |_| false).unwrap();
        assert_eq!(row.add_to_gauge(a[0], 5), Some(5));
        assert_eq!(row.add(a[1], 0, 1), Some(8));
        drop(row);
    });
    for moment in moments {
        let after = After::of(&moment);
        let row = after.slots.register(3, |_| false).unwrap();
        assert_eq!(after.slots.gauge(a[0], &after.slots.live()), 0);
        assert_eq!(row.add_to_gauge(a[0], 2), Some(2));
        assert_eq!(after.open("a", &[]).unwrap(), []);
        after.check_that_none_is_lost(2);
        let all = (4..=258).filter_map(|pid| after.slots.register(pid, |_| true));
        assert_eq!(all.map(std::mem::forget).count(), 255, "no row is lost");
    }
}
