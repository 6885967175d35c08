//! The few WASI functions that compilers' start-up code and libraries import: a clock, randomness, standard output that becomes
//! log lines, an empty environment, and no files.

use wasmtime::{Caller, Linker};
use wick_abi::{LogLevel, Status};

use crate::answer::{Answer, Failure};
use crate::embedder::Embedder;
use crate::guest::{Guest, range, range_mut};
use crate::log::LINE_COST;
use crate::system::{RANDOM_AT_ONCE, fill_random, now_ns};

const WASI: &str = "wasi_snapshot_preview1";

const SUCCESS: i32 = 0;
const BADF: i32 = 8;
const FAULT: i32 = 21;
const INVAL: i32 = 28;
const NOTSUP: i32 = 58;

/// What a system call for random bytes counts for, in bytes that are copied.
pub(crate) const RANDOM_COST: usize = 8 * 500;

type Result<T> = wasmtime::Result<T>;

/// # Errors
/// One of the functions is defined already.
pub fn link<E: Embedder>(linker: &mut Linker<E>) -> Result<()> {
    linker.func_wrap(
        WASI,
        "fd_write",
        |c: Caller<'_, E>, fd: i32, vectors: i32, n: i32, written_at: i32| {
            errno(fd_write(&mut Guest(c), fd, vectors, n, written_at))
        },
    )?;
    linker.func_wrap(WASI, "clock_time_get", |c: Caller<'_, E>, _: i32, _: i64, at: i32| {
        let mut guest = Guest(c);
        errno(guest.pay(0).and_then(|()| Ok(guest.write(at, &now_ns().to_le_bytes())?)))
    })?;
    linker.func_wrap(WASI, "random_get", |c: Caller<'_, E>, at: i32, len: i32| {
        random_get(&mut Guest(c), at, len)
    })?;
    for name in ["environ_sizes_get", "args_sizes_get"] {
        linker.func_wrap(WASI, name, |c: Caller<'_, E>, count_at: i32, bytes_at: i32| {
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
    Ok(())
}

/// Functions about files, of which there are none.
/// # Errors
/// One of them is defined already.
pub fn link_no_files<E: 'static>(linker: &mut Linker<E>) -> Result<()> {
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

/// Standard output and error become log lines.
fn fd_write<E: Embedder>(
    guest: &mut Guest<'_, E>,
    fd: i32,
    vectors: i32,
    n: i32,
    written_at: i32,
) -> Answer {
    let level = match fd {
        1 => LogLevel::Info,
        2 => LogLevel::Error,
        _ => return Err(Status::BadArgument.into()),
    };
    let (mut line, mut total) = (Vec::new(), 0_u32);
    for i in 0..n.clamp(0, E::TAKEN.output_parts) {
        total = total.saturating_add(gather(guest, vectors.wrapping_add(i * 8), &mut line)?);
        if E::TAKEN.splits_output {
            print(guest, level, &mut line)?;
        }
    }
    if !E::TAKEN.splits_output {
        print(guest, level, &mut line)?;
    }
    Ok(guest.write_u32(written_at, total)?)
}

/// Adds the bytes of a vector, as far as they find room in a line; how many there are altogether.
fn gather<E: Embedder>(
    guest: &mut Guest<'_, E>,
    vector: i32,
    line: &mut Vec<u8>,
) -> std::result::Result<u32, Failure> {
    guest.pay(LINE_COST)?;
    let (memory, _) = guest.split()?;
    let (words, _) = range(memory, vector, 8)?.as_chunks::<4>();
    let [at, len] = [words[0], words[1]].map(u32::from_le_bytes);
    let bytes = range(memory, at as i32, len as i32)?;
    let room = E::TAKEN.line_bytes.saturating_sub(line.len());
    line.extend_from_slice(&bytes[..bytes.len().min(room)]);
    Ok(len)
}

fn print<E: Embedder>(guest: &mut Guest<'_, E>, level: LogLevel, line: &mut Vec<u8>) -> Answer {
    let line = std::mem::take(line);
    Ok(guest.host().print(level, String::from_utf8_lossy(&line).trim_end())?)
}

/// No program needs more at once than a host allows, and the time is not counted against a deadline until the call returns.
fn random_get<E: Embedder>(guest: &mut Guest<'_, E>, at: i32, len: i32) -> Result<i32> {
    let bytes = len as u32 as usize;
    if guest.bytes(at, len).is_err() {
        return Ok(FAULT);
    }
    if bytes > E::TAKEN.random_bytes {
        return Ok(INVAL);
    }
    errno(guest.pay(RANDOM_COST * (1 + bytes / RANDOM_AT_ONCE)).and_then(|()| {
        let (memory, _) = guest.split()?;
        range_mut(memory, at, len)?.chunks_mut(RANDOM_AT_ONCE).for_each(fill_random);
        Ok(())
    }))
}
