//! Log, clock and tick.

use std::time::{SystemTime, UNIX_EPOCH};

use ngx::ffi::{NGX_LOG_CRIT, NGX_LOG_DEBUG, NGX_LOG_ERR, NGX_LOG_INFO, NGX_LOG_WARN, ngx_uint_t};
use wasmtime::Linker;
use wick_abi::Status;
use wick_native::log;

use super::define::define;
use super::failure::Answer;
use super::guest::Guest;
use super::state::Host;

pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    define!(linker,
        "proxy_log"(level, message, len) => write_log;
        "proxy_get_log_level"(level_at) => log_level;
        "proxy_get_current_time_nanoseconds"(time_at) => current_time;
        "proxy_set_tick_period_milliseconds"(period) => set_tick_period;
    );
    Ok(())
}

/// nginx's levels of Proxy-Wasm's TRACE to CRITICAL.
const LEVELS: [u32; 6] =
    [NGX_LOG_DEBUG, NGX_LOG_DEBUG, NGX_LOG_INFO, NGX_LOG_WARN, NGX_LOG_ERR, NGX_LOG_CRIT];

/// nginx cuts its lines there.
const MAX_LINE_BYTES: usize = 2048;

fn write_log(guest: &mut Guest<'_>, level: i32, message: i32, len: i32) -> Answer {
    let level = usize::try_from(level).ok().and_then(|level| LEVELS.get(level));
    let level = *level.ok_or(Status::BadArgument)?;
    let message = guest.bytes(message, len)?;
    let message = &message[..message.len().min(MAX_LINE_BYTES)];
    let text = String::from_utf8_lossy(message).into_owned();
    print(guest.host(), level, &text);
    Ok(())
}

/// Writes a line of the filter's to the log of the request it runs for, else to the cycle's.
pub fn print(host: &Host, level: u32, text: &str) {
    let to = host.current.log();
    let name = host.environment.module_name(host.module);
    let context = host.current.context;
    log::write(to, level as ngx_uint_t, format_args!("[wasm] [\"{name}\" #{context}] {text}"));
}

fn log_level(guest: &mut Guest<'_>, level_at: i32) -> Answer {
    let to = guest.host().current.log();
    let enabled = (1..LEVELS.len()).find(|level| log::enabled(to, LEVELS[*level] as ngx_uint_t));
    guest.write_u32(level_at, enabled.unwrap_or(LEVELS.len() - 1) as u32)?;
    Ok(())
}

fn current_time(guest: &mut Guest<'_>, time_at: i32) -> Answer {
    guest.write(time_at, &now_ns().to_le_bytes())?;
    Ok(())
}

/// Nanoseconds since 1970.
pub fn now_ns() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64)
}

/// The root of the running context is called every `period` milliseconds; 0 stops that.
fn set_tick_period(guest: &mut Guest<'_>, period: i32) -> Answer {
    let host = guest.host();
    host.environment.ticks.set(host.current.root, period as u32);
    Ok(())
}
