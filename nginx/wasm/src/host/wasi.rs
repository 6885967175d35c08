//! The few WASI functions that compilers' start-up code imports: clock, randomness, standard output, an empty environment.

use ngx::ffi::{NGX_LOG_ERR, NGX_LOG_INFO};
use wasmtime::{Caller, Linker};
use wick_abi::Status;

use super::failure::Failure;
use super::guest::{Guest, range_mut};
use super::runtime::{now_ns, print};
use super::state::Host;

const SUCCESS: i32 = 0;
const BADF: i32 = 8;
const FAULT: i32 = 21;
const INVAL: i32 = 28;
const MAX_OUTPUT_BYTES: u32 = 2048;

pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    const WASI: &str = "wasi_snapshot_preview1";
    linker.func_wrap(
        WASI,
        "fd_write",
        |c: Caller<'_, Host>, fd: i32, vectors: i32, n: i32, written_at: i32| {
            fd_write(&mut Guest(c), fd, vectors, n, written_at)
        },
    )?;
    linker.func_wrap(
        WASI,
        "clock_time_get",
        |c: Caller<'_, Host>, _clock: i32, _precision: i64, at: i32| {
            errno(Guest(c).write(at, &now_ns().to_le_bytes()))
        },
    )?;
    linker.func_wrap(WASI, "random_get", |c: Caller<'_, Host>, at: i32, len: i32| {
        random_get(&mut Guest(c), at, len)
    })?;
    for name in ["environ_sizes_get", "args_sizes_get"] {
        linker.func_wrap(WASI, name, |c: Caller<'_, Host>, count_at: i32, bytes_at: i32| {
            let mut guest = Guest(c);
            errno(guest.write_u32(count_at, 0).and_then(|()| guest.write_u32(bytes_at, 0)))
        })?;
    }
    for name in ["environ_get", "args_get"] {
        linker.func_wrap(WASI, name, |_: i32, _: i32| SUCCESS)?;
    }
    linker.func_wrap(WASI, "proc_exit", |code: i32| -> wasmtime::Result<()> {
        Err(wasmtime::Error::msg(format!("proc_exit({code})")))
    })?;
    Ok(())
}

fn errno(written: Result<(), Status>) -> i32 {
    if written.is_ok() { SUCCESS } else { FAULT }
}

/// Standard output and error become log lines.
fn fd_write(guest: &mut Guest<'_>, fd: i32, vectors: i32, n: i32, written_at: i32) -> i32 {
    let level = match fd {
        1 => NGX_LOG_INFO,
        2 => NGX_LOG_ERR,
        _ => return BADF,
    };
    let Ok((text, written)) = gather(guest, vectors, n) else { return FAULT };
    print(guest.host(), level, String::from_utf8_lossy(&text).trim_end());
    errno(guest.write_u32(written_at, written))
}

/// The first bytes of all vectors, and how many there are altogether.
fn gather(guest: &mut Guest<'_>, vectors: i32, n: i32) -> Result<(Vec<u8>, u32), Failure> {
    let (mut text, mut total) = (Vec::new(), 0_u32);
    for i in 0..n.clamp(0, 1024) {
        let vector = guest.bytes(vectors.wrapping_add(i * 8), 8)?;
        let (at, len) = (word(&vector[..4]), word(&vector[4..]));
        let bytes = guest.bytes(at as i32, len as i32)?;
        let room = (MAX_OUTPUT_BYTES as usize).saturating_sub(text.len());
        text.extend_from_slice(&bytes[..bytes.len().min(room)]);
        total = total.saturating_add(len);
    }
    Ok((text, total))
}

fn word(bytes: &[u8]) -> u32 {
    bytes.try_into().map_or(0, u32::from_le_bytes)
}

/// No program needs more at once, and the time is not counted against the filter's deadline until it returns.
fn random_get(guest: &mut Guest<'_>, at: i32, len: i32) -> i32 {
    const MAX_BYTES: u32 = 64 << 10;
    let Ok((memory, _)) = guest.split() else { return FAULT };
    let Ok(to) = range_mut(memory, at, len) else { return FAULT };
    if len as u32 > MAX_BYTES {
        return INVAL;
    }
    for chunk in to.chunks_mut(256) {
        fill_random(chunk);
    }
    SUCCESS
}

/// At most 256 bytes, which the kernel gives as a whole; the clock's if it should not.
fn fill_random(to: &mut [u8]) {
    // SAFETY: writes at most the bytes of `to`.
    let n = unsafe { libc::getrandom(to.as_mut_ptr().cast(), to.len(), 0) };
    if usize::try_from(n) != Ok(to.len()) {
        to.chunks_mut(8)
            .for_each(|word| word.copy_from_slice(&now_ns().to_le_bytes()[..word.len()]));
    }
}

pub fn random_u64() -> u64 {
    let mut word = [0; 8];
    fill_random(&mut word);
    u64::from_le_bytes(word)
}
