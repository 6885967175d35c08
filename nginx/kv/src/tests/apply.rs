use super::{Region, TINY, TestLock};
use crate::{Cas, Refusal, Store, Write, apply};

struct Pair {
    _regions: [Region; 2],
    stores: [Store; 2],
    locks: [TestLock; 2],
}

impl Pair {
    fn new() -> Pair {
        let regions = [Region::new(TINY), Region::new(TINY)];
        let stores = [regions[0].create(), regions[1].create()];
        Pair { _regions: regions, stores, locks: Default::default() }
    }

    fn apply(&self, writes: &[(usize, Write)]) -> Result<(), (usize, Refusal)> {
        let stores = [(self.stores[0], &self.locks[0]), (self.stores[1], &self.locks[1])];
        apply(&stores, writes).map_err(|error| (error.index, error.kind))
    }

    fn value(&self, store: usize, key: &[u8]) -> Option<Vec<u8>> {
        self.stores[store].get(&self.locks[store], key).map(|(value, _)| value)
    }

    /// Everything that a refused change must leave alone.
    fn state(&self) -> impl PartialEq + std::fmt::Debug + use<> {
        self.stores.map(|store| (store.version(), store.statistics()))
    }
}

fn set<'a>(key: &'a [u8], value: &'a [u8]) -> Write<'a> {
    Write { key, value: Some(value), cas: Cas::Any }
}

fn delete(key: &[u8]) -> Write<'_> {
    Write { key, value: None, cas: Cas::Any }
}

#[test]
fn writes_to_two_stores_are_applied_together() {
    let pair = Pair::new();
    pair.apply(&[(0, set(b"old", b"1"))]).unwrap();
    let before = pair.stores.map(|store| store.version());
    pair.apply(&[(0, set(b"a", b"1")), (1, set(b"a", b"2")), (0, delete(b"old"))]).unwrap();
    assert_eq!(pair.value(0, b"a").unwrap(), b"1");
    assert_eq!(pair.value(1, b"a").unwrap(), b"2");
    assert_eq!(pair.value(0, b"old"), None);
    assert_eq!(pair.stores.map(|store| store.version()), before.map(|version| version + 1));
}

#[test]
fn a_store_that_is_not_written_to_keeps_its_version() {
    let pair = Pair::new();
    let before = pair.stores[1].version();
    pair.apply(&[(0, set(b"a", b"1")), (1, delete(b"absent"))]).unwrap();
    assert_eq!(pair.stores[1].version(), before);
}

#[test]
fn one_refused_write_refuses_all() {
    let pair = Pair::new();
    pair.apply(&[(0, set(b"a", b"1"))]).unwrap();
    let before = pair.state();
    let full = vec![0; TINY];
    let too_large = vec![0; crate::MAX_VALUE_BYTES + 1];
    let absent = Write { cas: Cas::Absent, ..set(b"a", b"2") };
    let wrong = Write { cas: Cas::Is(77), ..delete(b"a") };
    for (write, refusal) in [
        ((1, set(b"b", &full)), Refusal::Full),
        ((1, set(b"b", &too_large)), Refusal::TooLarge),
        ((0, absent), Refusal::CasMismatch),
        ((0, wrong), Refusal::CasMismatch),
        ((0, set(b"c", b"3")), Refusal::Duplicate),
    ] {
        let outcome = pair.apply(&[(0, set(b"c", b"3")), (1, set(b"c", b"3")), write]);
        assert_eq!(outcome, Err((2, refusal)));
        assert_eq!(pair.state(), before);
        assert_eq!(pair.value(0, b"c"), None);
    }
}

#[test]
fn the_same_key_in_two_stores_is_no_duplicate() {
    let pair = Pair::new();
    assert_eq!(pair.apply(&[(0, set(b"a", b"1")), (1, set(b"a", b"1"))]), Ok(()));
}

#[test]
fn one_store_named_twice_is_locked_once_and_checked_as_one() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    let stores = [(store, &lock), (region.attach().unwrap(), &lock)];
    apply(&stores, &[(0, set(b"a", b"1")), (1, set(b"b", b"1"))]).unwrap();
    assert_eq!(store.version(), 2);
    let error = apply(&stores, &[(0, set(b"a", b"1")), (1, set(b"a", b"2"))]).unwrap_err();
    assert_eq!(error.kind, Refusal::Duplicate);
}

#[test]
fn nothing_to_write_is_no_error() {
    assert_eq!(Pair::new().apply(&[]), Ok(()));
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn a_write_must_name_a_store() {
    let _ = Pair::new().apply(&[(2, set(b"a", b"1"))]);
}

/// Two callers that name the stores in different orders must not wait for each other.
#[test]
fn locks_are_taken_in_one_order() {
    struct Noted<'a>(usize, &'a std::cell::RefCell<Vec<usize>>);
    impl crate::Lock for Noted<'_> {
        fn lock(&self) {
            self.1.borrow_mut().push(self.0);
        }

        fn unlock(&self) {}
    }
    let regions = [Region::new(TINY), Region::new(TINY)];
    let orders = [[0, 1], [1, 0]].map(|named| {
        let taken = std::cell::RefCell::default();
        let locks = named.map(|i| Noted(i, &taken));
        let stores = [0, 1].map(|i| (regions[named[i]].create(), &locks[i]));
        apply(&stores, &[(0, set(b"a", b"1")), (1, set(b"a", b"1"))]).unwrap();
        taken.take()
    });
    assert_eq!(orders[0].len(), 2);
    assert_eq!(orders[0], orders[1]);
}

#[test]
fn cas_is_read_as_the_abi_numbers_it() {
    assert_eq!([0, 7, u32::MAX].map(Cas::from), [Cas::Any, Cas::Is(7), Cas::Absent]);
}
