//! Writing: several keys in several stores, all or nothing.
//!
//! First everything that can be refused is checked and all new nodes are written, unseen; then they are linked in the order
//! given and the slots of deleted keys are released; then versions move, stripes before stores; then what was replaced is
//! freed. A writer that is killed leaves the first few of the writes in force, at most, and a mark that makes the next
//! holder repair the rest.
//!
//! Where old and new do not fit side by side, writes of which none takes more room than what it replaces are done one by one
//! in the room of the old ones (`in_turn`): they are never refused. The last of the room is for small values.

use crate::heap::Heap;
use crate::in_turn::{replace_in_turn, takes_no_more};
use crate::layout::{MAX_KEY_BYTES, MAX_VALUE_BYTES, SMALL_VALUE_BYTES, header};
use crate::lock::{Held, Lock};
use crate::step::{Step, link_node, next_cas};
use crate::store::{Store, stripe};
use crate::write::{Cas, Refusal, Write, WriteError};

/// Applies all writes or none. Each names its store by its place in `stores`. Readers see all of them at once: every
/// lock is held to the end. Only a kill can leave less, and then the first ones.
///
/// Locks are taken in the order of the stores' addresses, so all callers' mappings must agree on it (those of
/// nginx's workers do: they are inherited).
///
/// # Errors
/// The first write that is refused; the store is as before then.
///
/// # Panics
/// If a write names no store of `stores`; before anything is locked.
pub fn apply<L: Lock + ?Sized>(
    stores: &[(Store, &L)],
    writes: &[(usize, Write)],
) -> Result<(), WriteError> {
    let mut steps: Vec<Step> =
        writes.iter().map(|(at, write)| step(stores[*at].0, write)).collect();
    check_sizes(&steps)?;
    check_duplicates(&steps)?;
    let held = lock_all(stores, writes);
    check_cas(&steps)?;
    mark(&held, 1);
    let mut outcome = write_nodes(&mut steps);
    if outcome.is_ok() {
        steps.iter_mut().for_each(link_node);
    } else if steps.iter().all(takes_no_more) {
        steps.iter_mut().for_each(replace_in_turn);
        outcome = Ok(());
    }
    if outcome.is_ok() {
        release_slots(&steps);
        move_versions(&steps, &held);
        free_nodes(&steps);
    }
    mark(&held, 0);
    outcome
}

impl Store {
    /// Writes one key (`None` deletes it). The old value stays if this fails; a new one that takes more room needs it beside the old one.
    ///
    /// # Errors
    /// [`Refusal::Full`], [`Refusal::CasMismatch`], [`Refusal::TooLarge`].
    pub fn set<L: Lock + ?Sized>(
        &self,
        lock: &L,
        key: &[u8],
        value: Option<&[u8]>,
        cas: Cas,
    ) -> Result<(), WriteError> {
        apply(&[(*self, lock)], &[(0, Write { key, value, cas })])
    }
}

fn step<'a>(store: Store, write: &Write<'a>) -> Step<'a> {
    Step {
        store,
        key: store.key(write.key),
        value: write.value,
        cas: write.cas,
        node: 0,
        moved: false,
    }
}

fn refuse(index: usize, kind: Refusal) -> Result<(), WriteError> {
    Err(WriteError { index, kind })
}

fn check_sizes(steps: &[Step]) -> Result<(), WriteError> {
    let too_large = |step: &Step| {
        step.key.bytes.len() > MAX_KEY_BYTES
            || step.value.is_some_and(|value| value.len() > MAX_VALUE_BYTES)
    };
    steps.iter().position(too_large).map_or(Ok(()), |index| refuse(index, Refusal::TooLarge))
}

fn check_duplicates(steps: &[Step]) -> Result<(), WriteError> {
    let name = |index: &usize| {
        let step = &steps[*index];
        (step.store.memory.base(), step.key.hash, step.key.bytes)
    };
    let mut order: Vec<usize> = (0..steps.len()).collect();
    order.sort_by_key(name);
    let again = order.windows(2).filter(|pair| name(&pair[0]) == name(&pair[1]));
    again.map(|pair| pair[1]).min().map_or(Ok(()), |index| refuse(index, Refusal::Duplicate))
}

/// Locks the stores that are written to, each once, in the order of their addresses.
fn lock_all<'a, L: Lock + ?Sized>(
    stores: &[(Store, &'a L)],
    writes: &[(usize, Write)],
) -> Vec<Held<'a, L>> {
    let mut used: Vec<_> = writes.iter().map(|(at, _)| stores[*at]).collect();
    used.sort_by_key(|(store, _)| store.memory.base());
    used.dedup_by_key(|(store, _)| store.memory.base());
    used.into_iter().map(|(store, lock)| Held::new(store, lock)).collect()
}

fn check_cas(steps: &[Step]) -> Result<(), WriteError> {
    let mismatch = |step: &Step| {
        let found = || step.store.heap().place(&step.key).entry.map(|entry| entry.cas);
        match step.cas {
            Cas::Any => false,
            Cas::Absent => found().is_some(),
            Cas::Is(number) => found() != Some(number),
        }
    };
    steps.iter().position(mismatch).map_or(Ok(()), |index| refuse(index, Refusal::CasMismatch))
}

fn mark<L: Lock + ?Sized>(held: &[Held<L>], dirty: u64) {
    for held in held {
        held.store().mark(dirty);
    }
}

/// Writes the new nodes; if one finds no room, those before it are freed again.
fn write_nodes(steps: &mut [Step]) -> Result<(), WriteError> {
    for index in 0..steps.len() {
        let step = &mut steps[index];
        let Some(value) = step.value else { continue };
        let heap = step.store.heap();
        let may_write = leaves_reserve(&heap, step, value);
        let write = || heap.write(&step.key, value, next_cas(&step.store));
        match may_write.then(write).flatten() {
            Some(node) => step.node = node,
            None => {
                free_nodes(&steps[..index]);
                steps.iter_mut().for_each(|step| step.node = 0);
                return refuse(index, Refusal::Full);
            }
        }
    }
    Ok(())
}

/// Whether the last of the room stays for those that may take it.
fn leaves_reserve(heap: &Heap, step: &Step, value: &[u8]) -> bool {
    let needed = heap.node_len(&step.key, value) + heap.layout.reserve();
    value.len() <= SMALL_VALUE_BYTES
        || heap.memory.load(header::BYTES_FREE) >= needed
        || takes_no_more(step)
}

/// Slots go with their key; before its version moves, so that who sees it moved finds them released.
fn release_slots(steps: &[Step]) {
    for step in steps.iter().filter(|step| step.value.is_none() && step.moved) {
        if let Some(slots) = step.store.slots {
            slots.release(step.key.hash, |_| true);
        }
    }
}

/// Stripes before stores: who sees a store's version moved finds its keys' versions moved.
fn move_versions<L: Lock + ?Sized>(steps: &[Step], held: &[Held<L>]) {
    let moved = || steps.iter().filter(|step| step.moved);
    for step in moved() {
        step.store.memory.publish(stripe(step.key.hash));
    }
    for store in held.iter().map(Held::store) {
        if moved().any(|step| step.store.memory.base() == store.memory.base()) {
            store.memory.publish(header::VERSION);
        }
    }
}

fn free_nodes(steps: &[Step]) {
    for step in steps.iter().filter(|step| step.node != 0) {
        step.store.heap().free(step.node);
    }
}
