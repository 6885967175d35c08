//! Shared data: the zones of `shm_kv`. A key belongs to the zone named before its first `/`.

use wasmtime::Linker;
use wick_abi::Status;
use wick_abi::shared_data::{ListRequest, SharedWrite, encode_keys, parse_writes};
use wick_guest::{Answer, define};
use wick_kv::{Cas, Refusal, Store, Write, WriteError, apply};
use wick_native::zone::ZoneLock;

use super::guest::{Guest, range};
use super::state::Host;

pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    define!(linker: Host,
        "proxy_get_shared_data"(key, key_len, data_at, size_at, cas_at) => get;
        "proxy_set_shared_data"(key, key_len, value, value_len, cas) => set;
    );
    Ok(())
}

fn get(
    guest: &mut Guest<'_>,
    key: i32,
    key_len: i32,
    data_at: i32,
    size_at: i32,
    cas_at: i32,
) -> Answer {
    let (memory, host) = guest.split()?;
    let key = range(memory, key, key_len)?;
    let zone = host.watch(key)?;
    let mut value = std::mem::take(&mut host.scratch);
    value.clear();
    let copied = zone.store().read(&zone.lock(), key, |bytes, cas| {
        value.extend_from_slice(bytes);
        cas
    });
    let answer = match copied {
        Some(cas) => {
            guest.give(&value, data_at, size_at).and_then(|()| Ok(guest.write_u32(cas_at, cas)?))
        }
        None => Err(Status::NotFound.into()),
    };
    guest.host().reuse(value);
    answer
}

/// A value pointer of 0 deletes; cas 0 means: no check.
fn set(
    guest: &mut Guest<'_>,
    key: i32,
    key_len: i32,
    value: i32,
    value_len: i32,
    cas: i32,
) -> Answer {
    let (memory, host) = guest.split()?;
    let memory = &*memory;
    let key = range(memory, key, key_len)?;
    let value = match value {
        0 => None,
        at => Some(range(memory, at, value_len)?),
    };
    let zone = host.zone(key)?;
    let cas = if cas == 0 { Cas::Any } else { Cas::Is(cas as u32) };
    zone.store().set(&zone.lock(), key, value, cas).map_err(status)?;
    Ok(())
}

fn status(error: WriteError) -> Status {
    match error.kind {
        Refusal::CasMismatch => Status::CasMismatch,
        Refusal::Full => Status::InternalFailure,
        Refusal::Duplicate | Refusal::TooLarge => Status::BadArgument,
    }
}

/// `wick_set_shared_data_many`: on failure also the index of the write that failed.
pub fn set_many(host: &Host, arguments: &[u8]) -> Result<(), (Status, Option<u32>)> {
    let writes = parse_writes(arguments).map_err(|_| (Status::BadArgument, None))?;
    let zones = &host.environment.zones();
    let locks: Vec<(Store, ZoneLock)> =
        zones.iter().map(|zone| (zone.store(), zone.lock())).collect();
    let stores: Vec<(Store, &ZoneLock)> =
        locks.iter().map(|(store, lock)| (*store, lock)).collect();
    let located = writes.iter().enumerate().map(|(i, write)| {
        let zone = host.environment.zone_of(write.key).ok_or((Status::NotFound, Some(i as u32)))?;
        Ok((zone, to_write(write)))
    });
    let located = located.collect::<Result<Vec<_>, _>>()?;
    apply(&stores, &located).map_err(|error| (status(error), Some(error.index as u32)))
}

fn to_write<'a>(write: &SharedWrite<'a>) -> Write<'a> {
    let cas = match write.cas {
        0 => Cas::Any,
        u32::MAX => Cas::Absent,
        number => Cas::Is(number),
    };
    Write { key: write.key, value: write.value, cas }
}

/// `wick_shared_data_version`
pub fn version(host: &mut Host, key: &[u8]) -> Result<u64, Status> {
    Ok(host.watch(key)?.store().key_version(key))
}

/// `wick_list_shared_data`
pub fn list(host: &mut Host, arguments: &[u8]) -> Result<Vec<u8>, Status> {
    let list = ListRequest::parse(arguments).map_err(|_| Status::BadArgument)?;
    let zone = host.watch(list.prefix)?;
    let max = list.max as usize;
    let (keys, next) = zone.store().keys(&zone.lock(), list.prefix, list.cursor, max);
    encode_keys(next, &keys).map_err(|_| Status::InternalFailure)
}
