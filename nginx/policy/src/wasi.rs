//! The few WASI functions that compilers' start-up code and libraries import: a clock, randomness, standard output that becomes
//! log lines, an empty environment, and no files.

use wasmtime::{Caller, Linker};
use wick_abi::Status;

use crate::guest::{Answer, Failure, Guest, range_mut};
use crate::runtime::{now_ns, print};
use crate::state::State;
use crate::world::Level;

const WASI: &str = "wasi_snapshot_preview1";

const SUCCESS: i32 = 0;
const BADF: i32 = 8;
const FAULT: i32 = 21;
const INVAL: i32 = 28;
const NOTSUP: i32 = 58;

/// What a system call for random bytes counts for, in bytes that are copied.
pub(crate) const RANDOM_COST: usize = 8 * 500;

type Result<T> = wasmtime::Result<T>;

pub(crate) fn link(linker: &mut Linker<State>) -> Result<()> {
    linker.func_wrap(
        WASI,
        "fd_write",
        |c: Caller<'_, State>, fd: i32, vectors: i32, n: i32, written_at: i32| {
            errno(fd_write(&mut Guest(c), fd, vectors, n, written_at))
        },
    )?;
    linker.func_wrap(WASI, "clock_time_get", |c: Caller<'_, State>, _: i32, _: i64, at: i32| {
        let mut guest = Guest(c);
        errno(guest.pay(0).and_then(|()| Ok(guest.write(at, &now_ns().to_le_bytes())?)))
    })?;
    linker.func_wrap(WASI, "random_get", |c: Caller<'_, State>, at: i32, len: i32| {
        random_get(&mut Guest(c), at, len)
    })?;
    for name in ["environ_sizes_get", "args_sizes_get"] {
        linker.func_wrap(WASI, name, |c: Caller<'_, State>, count_at: i32, bytes_at: i32| {
            let mut guest = Guest(c);
            let written = guest.write_u32(count_at, 0).and_then(|()| guest.write_u32(bytes_at, 0));
            errno(written.map_err(Failure::from))
        })?;
    }
    for name in ["environ_get", "args_get"] {
        linker.func_wrap(WASI, name, |_: i32, _: i32| SUCCESS)?;
    }
    linker.func_wrap(WASI, "proc_exit", |code: i32| -> Result<()> {
        Err(wasmtime::Error::msg(format!("proc_exit({code})")))
    })?;
    no_files(linker)
}

fn no_files(linker: &mut Linker<State>) -> Result<()> {
    linker.func_wrap(WASI, "fd_close", |_: i32| BADF)?;
    linker.func_wrap(WASI, "fd_seek", |_: i32, _: i64, _: i32, _: i32| BADF)?;
    linker.func_wrap(WASI, "fd_read", |_: i32, _: i32, _: i32, _: i32| BADF)?;
    linker.func_wrap(WASI, "fd_fdstat_get", |_: i32, _: i32| BADF)?;
    linker.func_wrap(WASI, "fd_fdstat_set_flags", |_: i32, _: i32| BADF)?;
    linker.func_wrap(WASI, "fd_prestat_get", |_: i32, _: i32| BADF)?;
    linker.func_wrap(WASI, "fd_prestat_dir_name", |_: i32, _: i32, _: i32| BADF)?;
    linker.func_wrap(WASI, "poll_oneoff", |_: i32, _: i32, _: i32, _: i32| NOTSUP)?;
    linker.func_wrap(WASI, "sched_yield", || SUCCESS)?;
    Ok(())
}

fn errno(answer: Answer) -> Result<i32> {
    match answer {
        Ok(()) => Ok(SUCCESS),
        Err(Failure::Status(Status::InvalidMemoryAccess)) => Ok(FAULT),
        Err(Failure::Status(_)) => Ok(BADF),
        Err(Failure::Trap(error)) => Err(error),
    }
}

/// Standard output and error become log lines, one per part.
fn fd_write(guest: &mut Guest<'_>, fd: i32, vectors: i32, n: i32, written_at: i32) -> Answer {
    let level = match fd {
        1 => Level::Info,
        2 => Level::Error,
        _ => return Err(Status::BadArgument.into()),
    };
    let mut total = 0_u32;
    for i in 0..n.clamp(0, 16) {
        let vector = guest.bytes(vectors.wrapping_add(i * 8), 8)?;
        let word = |at| vector[at..at + 4].try_into().map_or(0, u32::from_le_bytes);
        let (at, len) = (word(0), word(4));
        print(guest, level, at as i32, len as i32)?;
        total = total.saturating_add(len);
    }
    Ok(guest.write_u32(written_at, total)?)
}

fn random_get(guest: &mut Guest<'_>, at: i32, len: i32) -> Result<i32> {
    const MAX_BYTES: u32 = 4096;
    if len as u32 > MAX_BYTES {
        return Ok(INVAL);
    }
    match guest.pay(RANDOM_COST * (1 + len as usize / 256)) {
        Err(Failure::Trap(error)) => return Err(error),
        Err(Failure::Status(_)) | Ok(()) => {}
    }
    let Ok((memory, _)) = guest.split() else { return Ok(FAULT) };
    let Ok(to) = range_mut(memory, at, len) else { return Ok(FAULT) };
    to.chunks_mut(256).for_each(fill_random);
    Ok(SUCCESS)
}

/// At most 256 bytes, which the kernel gives as a whole; the clock's if it should not.
fn fill_random(to: &mut [u8]) {
    // SAFETY: writes at most the bytes of `to`.
    let n = unsafe { libc::getrandom(to.as_mut_ptr().cast(), to.len(), 0) };
    if usize::try_from(n) != Ok(to.len()) {
        let now = now_ns().to_le_bytes();
        to.chunks_mut(8).for_each(|word| word.copy_from_slice(&now[..word.len()]));
    }
}

pub(crate) fn random_u64() -> u64 {
    let mut word = [0; 8];
    fill_random(&mut word);
    u64::from_le_bytes(word)
}
