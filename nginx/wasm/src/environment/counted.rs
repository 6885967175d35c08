//! What a callback has added to a gauge, so that the host can take it back when the filter cannot.

use super::Environment;

/// By how much a callback changed a gauge: the first one that it changed, which is that of an endpoint as a rule. Others are
/// not taken back.
#[derive(Clone, Copy)]
pub struct Counted {
    /// As filters number slots; 0, which no slot has: nothing was added.
    slot: u64,
    change: i64,
}

impl Counted {
    pub const NOTHING: Counted = Counted { slot: 0, change: 0 };

    #[inline]
    pub fn is_something(&self) -> bool {
        self.slot != 0
    }

    /// Notes what was added to the gauge of a slot.
    #[inline]
    pub fn note(&mut self, slot: u64, change: i64) {
        if self.slot == 0 {
            *self = Counted { slot, change };
        } else if self.slot == slot {
            self.change = self.change.saturating_add(change);
        }
    }

    /// Takes it back, if there is something, and its slot is still in use.
    #[cold]
    pub fn take_back(&self, environment: &Environment) {
        let (zone, number) = environment.slot(self.slot);
        if let Some(row) = zone.and_then(|zone| zone.row()) {
            row.add_to_gauge(number, self.change.saturating_neg());
        }
    }
}
