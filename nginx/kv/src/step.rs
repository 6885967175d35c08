//! One write on its way: checked, written, linked.

use crate::entries::Key;
use crate::layout::header;
use crate::store::Store;
use crate::write::Cas;

/// A write with its store and hash.
pub(crate) struct Step<'a> {
    pub store: Store,
    pub key: Key<'a>,
    pub value: Option<&'a [u8]>,
    pub cas: Cas,
    /// The node it brings; once linked, the one it replaced. 0: none.
    pub node: u64,
    /// Whether linking changed anything: deleting what is absent does not.
    pub moved: bool,
}

pub(crate) fn next_cas(store: &Store) -> u32 {
    let last = store.memory.load(header::CAS);
    let next = if last >= u64::from(u32::MAX - 1) { 1 } else { last + 1 };
    store.memory.store(header::CAS, next);
    next as u32
}

/// Links the new node and leaves in its place the one it replaced.
pub(crate) fn link_node(step: &mut Step) {
    let heap = step.store.heap();
    let new = step.node;
    step.node = heap.link(&heap.place(&step.key), new);
    step.moved = new != 0 || step.node != 0;
    let added = u64::from(new != 0).wrapping_sub(u64::from(step.node != 0));
    let keys = heap.memory.load(header::KEYS);
    heap.memory.store(header::KEYS, keys.wrapping_add(added));
}
