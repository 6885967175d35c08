//! Prices of the hot path, measured where it runs: `cargo build --release --features measure`. The first
//! attempts of a worker are then made many times over, and the nanoseconds of one go to the error log.

use std::cell::Cell;
use std::time::Instant;

use ngx::ffi::NGX_LOG_NOTICE;
use wick_native::log;

const ROUNDS: u32 = 1_000_000;
const TIMES: u32 = 5;

thread_local! {
    static LEFT: Cell<u32> = const { Cell::new(2 * TIMES) };
}

/// Runs `call` once as usual, or many times with a line in the log.
pub fn measured<R>(what: &str, mut call: impl FnMut() -> R) -> R {
    if LEFT.get() == 0 {
        return call();
    }
    LEFT.set(LEFT.get() - 1);
    let start = Instant::now();
    for _ in 0..ROUNDS {
        std::hint::black_box(call());
    }
    let ns = start.elapsed().as_nanos() as f64 / f64::from(ROUNDS);
    log::write(log::of_cycle(), NGX_LOG_NOTICE as usize, format_args!("[wasm] {what}: {ns:.1} ns"));
    call()
}
