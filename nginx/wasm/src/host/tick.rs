//! The tick of a root context.

use wasmtime::Linker;
use wick_guest::{Answer, define};

use super::guest::Guest;
use super::state::Host;

pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    define!(linker: Host,
        "proxy_set_tick_period_milliseconds"(period) => set_tick_period;
    );
    Ok(())
}

/// The root of the running context is called every `period` milliseconds; 0 stops that.
fn set_tick_period(guest: &mut Guest<'_>, period: i32) -> Answer {
    let host = guest.host();
    host.environment.ticks.set(host.current.root, period as u32);
    Ok(())
}
