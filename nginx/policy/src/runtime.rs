//! What every program wants of its surroundings, by whichever name it calls it: a clock, and lines for the log.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::guest::{Answer, Guest};
use crate::world::Level;

const MAX_LINE_BYTES: usize = 1024;

/// A line for the log, cut where it becomes long. In start-up there is none.
pub(crate) fn print(guest: &mut Guest<'_>, level: Level, at: i32, len: i32) -> Answer {
    const COST: usize = 8 * 1000;
    guest.pay(COST)?;
    let world = guest.world()?;
    let text = guest.bytes(at, len)?;
    let text = String::from_utf8_lossy(&text[..text.len().min(MAX_LINE_BYTES)]);
    world.log(level, text.trim_end());
    Ok(())
}

/// Nanoseconds since 1970.
pub(crate) fn now_ns() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64)
}
