//! Writes in the room of what they replace, for stores that have none beside it.
//!
//! One after the other goes by way of the spare place: the new node is written there and linked, the old one is freed, and
//! the new one is copied into the room that this leaves. Each link is one store, as ever, so a key has its old or its new value
//! whenever the writer is killed; `recover` brings a node that was left in the spare place into the heap.

use crate::step::{Step, link_node, next_cas};

/// Whether the write frees at least as much as it takes, and fits into the spare place meanwhile. A deletion always does.
pub(crate) fn takes_no_more(step: &Step) -> bool {
    let Some(value) = step.value else { return true };
    let heap = step.store.heap();
    let needed = heap.node_len(&step.key, value);
    let former = heap.place(&step.key).entry.filter(|entry| entry.at != heap.layout.spare);
    needed <= heap.layout.spare_bytes() && former.is_some_and(|entry| heap.len(entry.at) >= needed)
}

/// Carries out such a write; nothing is left to be freed.
pub(crate) fn replace_in_turn(step: &mut Step) {
    let heap = step.store.heap();
    let Some(value) = step.value else {
        link_node(step);
        return free_former(step);
    };
    let cas = next_cas(&step.store);
    step.node = heap.write_spare(&step.key, value, cas);
    link_node(step);
    free_former(step);
    step.node = heap.write(&step.key, value, cas).expect("the room of the one before");
    link_node(step);
    step.node = 0;
}

fn free_former(step: &mut Step) {
    let former = std::mem::take(&mut step.node);
    if former != 0 {
        step.store.heap().free(former);
    }
}
