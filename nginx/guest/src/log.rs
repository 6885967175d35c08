//! Log and clock.

use wasmtime::Linker;
use wick_abi::{LogLevel, Status};

use crate::answer::Answer;
use crate::define::define;
use crate::embedder::Embedder;
use crate::guest::{Guest, range};
use crate::system::now_ns;

/// # Errors
/// One of the functions is defined already.
pub fn link<E: Embedder>(linker: &mut Linker<E>) -> wasmtime::Result<()> {
    define!(linker: E,
        "proxy_log"(level, message, len) => log;
        "proxy_get_log_level"(level_at) => log_level;
        "proxy_get_current_time_nanoseconds"(time_at) => current_time;
    );
    Ok(())
}

/// What a line counts for, in bytes that are copied.
pub(crate) const LINE_COST: usize = 8 * 1000;

fn log<E: Embedder>(guest: &mut Guest<'_, E>, level: i32, message: i32, len: i32) -> Answer {
    let level = LogLevel::try_from(level).map_err(|_| Status::BadArgument)?;
    guest.pay(LINE_COST)?;
    let (memory, host) = guest.split()?;
    let text = range(memory, message, len)?;
    let text = String::from_utf8_lossy(&text[..text.len().min(E::TAKEN.line_bytes)]);
    Ok(host.print(level, &text)?)
}

fn log_level<E: Embedder>(guest: &mut Guest<'_, E>, level_at: i32) -> Answer {
    let level = guest.host().log_level();
    Ok(guest.write_u32(level_at, level as u32)?)
}

fn current_time<E: Embedder>(guest: &mut Guest<'_, E>, time_at: i32) -> Answer {
    guest.pay(0)?;
    Ok(guest.write(time_at, &now_ns().to_le_bytes())?)
}
