//! How policies are compiled. The program that compiles them and the workers that load them have the same settings: wasmtime
//! refuses code that was made with others.

use wasmtime::{Config, Engine};

/// What one millisecond of work is, as the engine counts it: an operator of Wasm is about one, calls into the host are more.
pub const FUEL_PER_MS: u64 = 1_000_000;

/// So much longer than a pick may take what is called once per change of the endpoints or the configuration: to make a hash ring
/// of a thousand endpoints, for instance. At least two operators pass in a nanosecond, so it is below the deadline by the clock
/// (`wick_guest::deadline`), which stops a call whatever fuel it has left: for what operators that move much memory take, which
/// the engine counts as one.
pub const CHANGE_TIMES: u64 = 5;

/// Linear memory of one instance, as far as nothing else is said.
pub const MEMORY_BYTES: usize = 16 << 20;

/// Of Wasm, in bytes: below the 8 MiB that a worker has, beside those of the filter that asks.
const STACK_BYTES: usize = 256 << 10;

/// # Errors
/// This machine cannot run compiled code.
pub fn engine() -> wasmtime::Result<Engine> {
    Engine::new(&settings())
}

/// Somebody else's code: unlike for our own filter, the mitigations against speculation stay on, what it takes is counted
/// operator by operator, and floats give the same bits on every worker. Bounds are checked explicitly, so that memories need no
/// guard pages (fifty policies are fifty times 16 MiB of addresses, not 4 GiB) and nginx's processes keep their signal handlers.
fn settings() -> Config {
    let mut config = Config::new();
    config
        .consume_fuel(true)
        .epoch_interruption(true)
        .signals_based_traps(false)
        .native_unwind_info(false)
        .generate_address_map(false)
        .cranelift_nan_canonicalization(true)
        .max_wasm_stack(STACK_BYTES)
        .memory_reservation(MEMORY_BYTES as u64)
        .memory_reservation_for_growth(1 << 20)
        .memory_guard_size(0)
        .memory_init_cow(false)
        .wasm_relaxed_simd(false)
        .wasm_memory64(false)
        .wasm_multi_memory(false)
        .wasm_wide_arithmetic(false)
        .wasm_custom_page_sizes(false);
    config
}
