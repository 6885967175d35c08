//! The functions that a policy may import: log, clock, its configuration, what the operator lets it read of a request, and the
//! foreign functions of docs/abi.md. Whatever else Proxy-Wasm has is there to link, and does nothing.

use wasmtime::{Caller, Engine, Linker};
use wick_abi::Status;

use crate::guest::{Answer, Guest, range, status};
use crate::runtime::{now_ns, print};
use crate::state::State;
use crate::world::{Level, Side, World};
use crate::{foreign, unimplemented, wasi};

/// Defines host functions that take i32s and return a status: `"name"(argument, …) => function`.
macro_rules! define {
    ($linker:ident, $($name:literal ( $($argument:ident),* ) => $function:path;)+) => {
        $(
            $linker.func_wrap("env", $name, |caller: Caller<'_, State> $(, $argument: i32)*| {
                status($function(&mut Guest(caller) $(, $argument)*))
            })?;
        )+
    };
}

pub(crate) fn linker(engine: &Engine) -> wasmtime::Result<Linker<State>> {
    let mut linker = Linker::new(engine);
    define!(linker,
        "proxy_log"(level, message, len) => log;
        "proxy_get_log_level"(level_at) => log_level;
        "proxy_get_current_time_nanoseconds"(time_at) => current_time;
        "proxy_get_buffer_bytes"(buffer, start, max, data_at, size_at) => get_buffer;
        "proxy_get_buffer_status"(buffer, size_at, unused_at) => buffer_status;
        "proxy_get_header_map_value"(map, key, key_len, data_at, size_at) => header;
        "proxy_call_foreign_function"(name, name_len, arguments, arguments_len, data_at, size_at) => foreign::call;
    );
    linker.func_wrap("env", "abort", abort)?;
    linker.func_wrap("env", "seed", |caller: Caller<'_, State>| -> wasmtime::Result<f64> {
        status(Guest(caller).pay(wasi::RANDOM_COST))?;
        Ok(wasi::random_u64() as f64)
    })?;
    linker.func_wrap(
        "env",
        "trace",
        |_: i32, _: i32, _: f64, _: f64, _: f64, _: f64, _: f64| {},
    )?;
    wasi::link(&mut linker)?;
    unimplemented::link(&mut linker)?;
    Ok(linker)
}

fn log(guest: &mut Guest<'_>, level: i32, message: i32, len: i32) -> Answer {
    let level = match level {
        0 | 1 => Level::Debug,
        2 => Level::Info,
        3 => Level::Warn,
        4 | 5 => Level::Error,
        _ => return Err(Status::BadArgument.into()),
    };
    print(guest, level, message, len)
}

/// Whatever the log's level is: no policy needs to know.
fn log_level(guest: &mut Guest<'_>, level_at: i32) -> Answer {
    Ok(guest.write_u32(level_at, 2)?)
}

fn current_time(guest: &mut Guest<'_>, time_at: i32) -> Answer {
    guest.pay(0)?;
    Ok(guest.write(time_at, &now_ns().to_le_bytes())?)
}

const VM_CONFIGURATION: i32 = 6;
const PLUGIN_CONFIGURATION: i32 = 7;

fn configuration<'a>(guest: &Guest<'a>, buffer: i32) -> Result<&'a [u8], Status> {
    match buffer {
        VM_CONFIGURATION => Ok(&[]),
        PLUGIN_CONFIGURATION => guest.world().map(|world| world.configuration()),
        _ => Err(Status::NotFound),
    }
}

fn get_buffer(
    guest: &mut Guest<'_>,
    buffer: i32,
    start: i32,
    max: i32,
    data_at: i32,
    size_at: i32,
) -> Answer {
    let text = configuration(guest, buffer)?;
    let start = (start as u32 as usize).min(text.len());
    let end = start.saturating_add(max as u32 as usize).min(text.len());
    guest.give(&[&text[start..end]], data_at, size_at)
}

fn buffer_status(guest: &mut Guest<'_>, buffer: i32, size_at: i32, unused_at: i32) -> Answer {
    let text = configuration(guest, buffer)?;
    guest.write_u32(size_at, text.len() as u32)?;
    Ok(guest.write_u32(unused_at, 0)?)
}

fn header(
    guest: &mut Guest<'_>,
    map: i32,
    key: i32,
    key_len: i32,
    data_at: i32,
    size_at: i32,
) -> Answer {
    let side = match map {
        0 => Side::Request,
        2 => Side::Response,
        _ => return Err(Status::NotFound.into()),
    };
    guest.pay(0)?;
    let world: &dyn World = guest.world()?;
    let name = guest.bytes(key, key_len)?;
    let value = world.header(side, name).ok_or(Status::NotFound)?;
    guest.give(&[&value], data_at, size_at)
}

/// AssemblyScript's end of all: its text is UTF-16, with its length in bytes in the word before it.
fn abort(
    caller: Caller<'_, State>,
    message: i32,
    _file: i32,
    line: i32,
    column: i32,
) -> wasmtime::Result<()> {
    const MAX_BYTES: u32 = 400;
    let mut guest = Guest(caller);
    let text = guest.split().ok().and_then(|(memory, _)| {
        let length = range(memory, message.checked_sub(4)?, 4)
            .ok()?
            .try_into()
            .map(u32::from_le_bytes)
            .ok()?;
        let units = range(memory, message, length.min(MAX_BYTES) as i32).ok()?.as_chunks::<2>().0;
        let units = units.iter().map(|unit| u16::from_le_bytes(*unit));
        Some(char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect::<String>())
    });
    let text = text.unwrap_or_default();
    Err(wasmtime::Error::msg(format!("abort: {text} at {line}:{column}")))
}
