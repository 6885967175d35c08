//! The slots of a zone as this worker uses them: with its row, and an eye on the rows of processes that died.

use std::cell::{Cell, OnceCell};

use ngx::ffi::{NGX_LOG_ERR, NGX_LOG_WARN};
use wick_kv::{Live, Row, SlotStatistics, Slots};
use wick_native::log;
use wick_native::process::is_alive;
use wick_native::zone::SharedZone;

use crate::clock::now_ms;

/// A slot's number says which zone it is of: in so many bits, above those of the index.
const ZONE_BITS: u64 = 8;
const INDEX_BITS: u64 = 24;
const ZONE_MASK: u64 = ((1 << ZONE_BITS) - 1) << INDEX_BITS;
const _: () = assert!(wick_kv::MAX_SLOTS as u64 <= 1 << INDEX_BITS);

pub const MAX_ZONES_WITH_SLOTS: usize = 1 << ZONE_BITS;

/// How often it is looked who died.
const LOOK_MS: u64 = 1000;

/// Those of all zones, in the order of the zones.
pub struct AllSlots(Vec<Option<ZoneSlots>>);

impl AllSlots {
    pub fn of(zones: &[SharedZone]) -> AllSlots {
        AllSlots(zones.iter().map(|zone| ZoneSlots::of(*zone)).collect())
    }

    /// The zone of a slot that filters know by `number`, and its number there.
    #[inline]
    pub fn find(&self, number: u64) -> (Option<&ZoneSlots>, u64) {
        let (zone, number) = split(number);
        (self.0.get(zone).and_then(Option::as_ref), number)
    }
}

pub struct ZoneSlots {
    zone: SharedZone,
    slots: Slots,
    row: OnceCell<Row>,
    looked_ms: Cell<u64>,
    warned: Cell<bool>,
}

impl ZoneSlots {
    /// Takes a row, if one is free; `None`: the zone has no slots.
    pub fn of(zone: SharedZone) -> Option<ZoneSlots> {
        let slots = zone.store().slots()?;
        let (row, looked_ms, warned) = (OnceCell::new(), Cell::new(0), Cell::new(false));
        let this = ZoneSlots { zone, slots, row, looked_ms, warned };
        this.look();
        this.warn_when_scarce();
        Some(this)
    }

    pub fn slots(&self) -> &Slots {
        &self.slots
    }

    /// The right to write. `None`: more processes use the zone than there are rows.
    #[inline]
    pub fn row(&self) -> Option<&Row> {
        self.look_now_and_then();
        self.row.get()
    }

    /// The processes whose parts of gauges count. One that was killed may be among them for a second.
    #[inline]
    pub fn live(&self) -> Live {
        self.look_now_and_then();
        self.slots.live()
    }

    #[inline]
    fn look_now_and_then(&self) {
        if now_ms().wrapping_sub(self.looked_ms.get()) >= LOOK_MS {
            self.look();
        }
    }

    #[cold]
    fn look(&self) {
        self.looked_ms.set(now_ms());
        let pid = std::process::id();
        if self.row.get().is_some() {
            self.slots.reap(pid, is_alive);
        } else if let Some(row) = self.slots.register(pid, is_alive) {
            self.row.get_or_init(|| row);
        } else if !self.warned.replace(true) {
            self.log(
                NGX_LOG_ERR,
                "all of them are taken: this worker learns nothing until others end",
            );
        }
    }

    /// Every worker that starts looks at this: so it is told before there are none.
    fn warn_when_scarce(&self) {
        let SlotStatistics { processes, processes_alive, .. } = self.slots.statistics();
        if self.row.get().is_some() && processes_alive * 4 > processes * 3 {
            self.log(
                NGX_LOG_WARN,
                "few are left: workers of earlier configurations take long to end",
            );
        }
    }

    #[cold]
    fn log(&self, level: u32, what: &str) {
        let SlotStatistics { processes, processes_alive, .. } = self.slots.statistics();
        let name = self.zone.name().escape_ascii();
        let line = format_args!(
            "zone \"{name}\" has places for {processes} workers, {processes_alive} are taken; {what}"
        );
        log::write(log::of_cycle(), level as usize, line);
    }
}

#[inline]
fn split(number: u64) -> (usize, u64) {
    (((number & ZONE_MASK) >> INDEX_BITS) as usize, number & !ZONE_MASK)
}

/// The number by which filters know a slot of a zone.
pub fn join(zone: usize, number: u64) -> u64 {
    number | (zone as u64) << INDEX_BITS
}
