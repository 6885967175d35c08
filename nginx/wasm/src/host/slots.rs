//! Shared slots: foreign functions that find their arguments in the filter's memory and leave results in their places.

use wick_abi::Status;
use wick_abi::slots::{ChangeSlot, FindSlots, GetSlots, Malformed, OpenSlots, Place, Word};
use wick_abi::table::foreign;
use wick_kv::{OpenError, Row, SwapError};

use super::state::Host;
use crate::clock;
use crate::environment::Environment;
use crate::environment::zone_slots::join;

type Function = fn(&mut Host, &mut [u8]) -> Result<(), Status>;

/// The function of this name; it takes its arguments and replaces some of them.
#[inline]
pub fn function(name: &[u8]) -> Option<Function> {
    match name {
        foreign::GET_SLOTS => Some(get),
        foreign::ADD_SLOT => Some(add),
        foreign::SWAP_SLOT => Some(swap),
        foreign::OPEN_SLOTS => Some(open),
        foreign::FIND_SLOTS => Some(find),
        _ => None,
    }
}

fn malformed(_: Malformed) -> Status {
    Status::BadArgument
}

fn open(host: &mut Host, arguments: &mut [u8]) -> Result<(), Status> {
    let OpenSlots { version, ids, key } = OpenSlots::parse(arguments).map_err(malformed)?;
    let zone = host.environment.zone_of(key).ok_or(Status::NotFound)?;
    let shared = host.environment.zones()[zone];
    let mut numbers: Vec<u64> = ids.iter().map(|id| u64::from_le_bytes(*id)).collect();
    shared.store().open_slots(&shared.lock(), key, version, &mut numbers).map_err(status)?;
    for (id, number) in ids.iter_mut().zip(numbers) {
        *id = join(zone, number).to_le_bytes();
    }
    Ok(())
}

fn find(host: &mut Host, arguments: &mut [u8]) -> Result<(), Status> {
    let FindSlots { now, ids, key } = FindSlots::parse(arguments).map_err(malformed)?;
    let zone = host.environment.zone_of(key).ok_or(Status::NotFound)?;
    let shared = host.environment.zones()[zone];
    let mut numbers: Vec<u64> = ids.iter().map(|id| u64::from_le_bytes(*id)).collect();
    shared.store().find_slots(&shared.lock(), key, &mut numbers);
    for (id, number) in ids.iter_mut().zip(numbers) {
        *id = if number == 0 { 0 } else { join(zone, number) }.to_le_bytes();
    }
    *now = clock::now().to_le_bytes();
    Ok(())
}

fn status(error: OpenError) -> Status {
    match error {
        OpenError::NoSlots | OpenError::NoKey => Status::NotFound,
        OpenError::Outdated => Status::CasMismatch,
        OpenError::Full => Status::InternalFailure,
    }
}

fn get(host: &mut Host, arguments: &mut [u8]) -> Result<(), Status> {
    let GetSlots { place, entries } = GetSlots::parse(arguments).map_err(malformed)?;
    match place {
        Place::Cell(cell) => fill(entries, |number| get_cell(host.environment, number, cell)),
        Place::Gauge => fill_gauges(host.environment, entries),
    }
    Ok(())
}

#[inline]
fn fill(entries: &mut [[Word; 2]], mut get: impl FnMut(u64) -> u64) {
    for [number, value] in entries {
        *value = get(u64::from_le_bytes(*number)).to_le_bytes();
    }
}

#[inline]
fn get_cell(environment: &Environment, number: u64, cell: u32) -> u64 {
    let (zone, number) = environment.slot(number);
    zone.map_or(0, |zone| zone.slots().get(number, cell))
}

/// Who is alive is looked up once as long as the slots are of one zone.
fn fill_gauges(environment: &Environment, entries: &mut [[Word; 2]]) {
    let mut last = None;
    fill(entries, |number| {
        let (Some(zone), number) = environment.slot(number) else { return 0 };
        let known = last.filter(|(known, _)| std::ptr::eq(*known, zone));
        let (_, live) = known.unwrap_or_else(|| *last.insert((zone, zone.live())));
        zone.slots().gauge(number, &live)
    });
}

fn add(host: &mut Host, arguments: &mut [u8]) -> Result<(), Status> {
    let ChangeSlot { place, number: slot, words: [word] } =
        ChangeSlot::parse(arguments).map_err(malformed)?;
    let what = u64::from_le_bytes(*word);
    let (row, number) = row(host.environment, slot)?;
    let sum = match place {
        Place::Cell(cell) => row.add(number, cell, what),
        Place::Gauge => row.change_gauge(number, what as i64).map(|(sum, change)| {
            host.counted.note(slot, change);
            sum
        }),
    };
    *word = sum.ok_or(Status::NotFound)?.to_le_bytes();
    Ok(())
}

fn swap(host: &mut Host, arguments: &mut [u8]) -> Result<(), Status> {
    let ChangeSlot { place, number, words: [expected, wanted] } =
        ChangeSlot::parse(arguments).map_err(malformed)?;
    let Place::Cell(cell) = place else { return Err(Status::BadArgument) };
    let (row, number) = row(host.environment, number)?;
    match row.swap(number, cell, u64::from_le_bytes(*expected), u64::from_le_bytes(*wanted)) {
        Ok(()) => Ok(()),
        Err(SwapError::Released) => Err(Status::NotFound),
        Err(SwapError::Mismatch(found)) => {
            *expected = found.to_le_bytes();
            Err(Status::CasMismatch)
        }
    }
}

/// The right to write to the zone of the slot `number`, and the slot's number there.
#[inline]
fn row(environment: &Environment, number: u64) -> Result<(&Row, u64), Status> {
    let (zone, number) = environment.slot(number);
    let row = zone.ok_or(Status::NotFound)?.row().ok_or(Status::InternalFailure)?;
    Ok((row, number))
}
