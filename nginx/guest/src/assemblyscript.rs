//! What AssemblyScript's compiler imports by itself: `seed`, and the texts of `abort` and `trace`, whose hosts have their own.

use wasmtime::{Caller, Linker};

use crate::answer::status;
use crate::embedder::Embedder;
use crate::guest::{Guest, range};
use crate::system::fill_random;
use crate::wasi::RANDOM_COST;

/// # Errors
/// It is defined already.
pub fn link_seed<E: Embedder>(linker: &mut Linker<E>) -> wasmtime::Result<()> {
    linker.func_wrap("env", "seed", |caller: Caller<'_, E>| -> wasmtime::Result<f64> {
        status(Guest(caller).pay(RANDOM_COST))?;
        let mut word = [0; 8];
        fill_random(&mut word);
        Ok(u64::from_le_bytes(word) as f64)
    })?;
    Ok(())
}

/// The first bytes of an AssemblyScript string: UTF-16, its length in bytes in the word before it. Empty if there is none at `at`.
pub fn text<E: Embedder>(guest: &mut Guest<'_, E>, at: i32, max_bytes: u32) -> String {
    let Ok((memory, _)) = guest.split() else { return String::new() };
    let length = at.checked_sub(4).and_then(|at| range(memory, at, 4).ok());
    let length = length.and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes);
    let units = range(memory, at, length.min(max_bytes) as i32).unwrap_or_default();
    let units = units.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit));
    char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')).collect()
}
