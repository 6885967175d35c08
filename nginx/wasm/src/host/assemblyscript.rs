//! What AssemblyScript's compiler imports by itself: `abort`, `seed`, `trace`.

use wasmtime::{Caller, Linker};
use wick_abi::LogLevel;
use wick_guest::assemblyscript::{link_seed, text};

use super::state::Host;

const MAX_TEXT_BYTES: u32 = 1024;

pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    link_seed(linker)?;
    linker.func_wrap("env", "abort", abort)?;
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
    let mut guest = wick_guest::Guest(caller);
    let [message, file] = [message, file].map(|at| text(&mut guest, at, MAX_TEXT_BYTES));
    let line = format!("abort: {message} at {file}:{line}:{column}");
    guest.host().write_line(LogLevel::Critical, &line);
    Err(wasmtime::Error::msg(line))
}

#[allow(clippy::too_many_arguments)] // AssemblyScript's signature
fn trace(caller: Caller<'_, Host>, message: i32, n: i32, a: f64, b: f64, c: f64, d: f64, e: f64) {
    let mut guest = wick_guest::Guest(caller);
    let mut line = text(&mut guest, message, MAX_TEXT_BYTES);
    for value in [a, b, c, d, e].into_iter().take(n.clamp(0, 5) as usize) {
        line.push_str(&format!(" {value}"));
    }
    guest.host().write_line(LogLevel::Info, &line);
}
