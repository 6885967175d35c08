//! What AssemblyScript's compiler imports by itself: `abort`, `seed`, `trace`.

use ngx::ffi::{NGX_LOG_CRIT, NGX_LOG_INFO};
use wasmtime::{Caller, Linker};

use super::guest::{Guest, range};
use super::runtime::print;
use super::state::Host;
use super::wasi::random_u64;

pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    linker.func_wrap("env", "abort", abort)?;
    linker.func_wrap("env", "seed", || random_u64() as f64)?;
    linker.func_wrap("env", "trace", trace)?;
    Ok(())
}

fn abort(
    caller: Caller<'_, Host>,
    message: i32,
    file: i32,
    line: i32,
    column: i32,
) -> wasmtime::Result<()> {
    let mut guest = Guest(caller);
    let (message, file) = (text(&mut guest, message), text(&mut guest, file));
    let line = format!("abort: {message} at {file}:{line}:{column}");
    print(guest.host(), NGX_LOG_CRIT, &line);
    Err(wasmtime::Error::msg(line))
}

#[allow(clippy::too_many_arguments)] // AssemblyScript's signature
fn trace(caller: Caller<'_, Host>, message: i32, n: i32, a: f64, b: f64, c: f64, d: f64, e: f64) {
    let mut guest = Guest(caller);
    let mut line = text(&mut guest, message);
    for value in [a, b, c, d, e].into_iter().take(n.clamp(0, 5) as usize) {
        line.push_str(&format!(" {value}"));
    }
    print(guest.host(), NGX_LOG_INFO, &line);
}

/// An AssemblyScript string: UTF-16, its length in bytes in the word before it.
fn text(guest: &mut Guest<'_>, at: i32) -> String {
    const MAX_BYTES: u32 = 1024;
    let Ok((memory, _)) = guest.split() else { return String::new() };
    let length = at.checked_sub(4).and_then(|at| range(memory, at, 4).ok());
    let length = length.and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes);
    let units = range(memory, at, length.min(MAX_BYTES) as i32).unwrap_or_default();
    let units = units.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit));
    char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect()
}
