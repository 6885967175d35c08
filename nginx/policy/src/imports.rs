//! The functions that a policy may import: log, clock, its configuration, what the operator lets it read of a request, and the
//! foreign functions of docs/abi.md. Whatever else Proxy-Wasm has is there to link, and does nothing.

use wasmtime::{Caller, Engine, Linker};
use wick_abi::{Buffer, Map, Status};
use wick_guest::assemblyscript::{link_seed, text};
use wick_guest::{Answer, define, log, wasi};

use crate::guest::{Guest, world};
use crate::state::State;
use crate::world::Side;
use crate::{foreign, unimplemented};

pub(crate) fn linker(engine: &Engine) -> wasmtime::Result<Linker<State>> {
    let mut linker = Linker::new(engine);
    define!(linker: State,
        "proxy_get_buffer_bytes"(buffer, start, max, data_at, size_at) => get_buffer;
        "proxy_get_buffer_status"(buffer, size_at, unused_at) => buffer_status;
        "proxy_get_header_map_value"(map, key, key_len, data_at, size_at) => header;
        "proxy_call_foreign_function"(name, name_len, arguments, arguments_len, data_at, size_at) => foreign::call;
    );
    linker.func_wrap("env", "abort", abort)?;
    linker.func_wrap(
        "env",
        "trace",
        |_: i32, _: i32, _: f64, _: f64, _: f64, _: f64, _: f64| {},
    )?;
    link_seed(&mut linker)?;
    log::link(&mut linker)?;
    wasi::link(&mut linker)?;
    wasi::link_no_files(&mut linker)?;
    unimplemented::link(&mut linker)?;
    Ok(linker)
}

fn configuration<'a>(guest: &Guest<'a>, buffer: i32) -> Result<&'a [u8], Status> {
    match Buffer::try_from(buffer) {
        Ok(Buffer::VmConfiguration) => Ok(&[]),
        Ok(Buffer::PluginConfiguration) => world(guest).map(|world| world.configuration()),
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
    guest.give_part(text, (start, max), data_at, size_at)
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
    let side = match Map::try_from(map) {
        Ok(Map::HttpRequestHeaders) => Side::Request,
        Ok(Map::HttpResponseHeaders) => Side::Response,
        _ => return Err(Status::NotFound.into()),
    };
    guest.pay(0)?;
    let world = world(guest)?;
    let name = guest.bytes(key, key_len)?;
    let value = world.header(side, name).ok_or(Status::NotFound)?;
    guest.give(&value, data_at, size_at)
}

/// AssemblyScript's end of all.
fn abort(
    caller: Caller<'_, State>,
    message: i32,
    _file: i32,
    line: i32,
    column: i32,
) -> wasmtime::Result<()> {
    let text = text(&mut wick_guest::Guest(caller), message, 400);
    Err(wasmtime::Error::msg(format!("abort: {text} at {line}:{column}")))
}
