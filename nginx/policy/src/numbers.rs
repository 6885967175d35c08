//! `wick_get_numbers`, `wick_add_number`, `wick_swap_number`: what is known about endpoints, and what a policy keeps about them.

use wick_abi::Status;
use wick_abi::table::{foreign, numbers};

use crate::world::{Number, Swapped, World};

type Function = fn(&dyn World, &mut [u8]) -> Result<(), Status>;

/// The function of this name; it takes its arguments and replaces some of them.
#[inline]
pub(crate) fn function(name: &[u8]) -> Option<Function> {
    match name {
        foreign::GET_NUMBERS => Some(get),
        foreign::ADD_NUMBER => Some(add),
        foreign::SWAP_NUMBER => Some(swap),
        _ => None,
    }
}

type Word = [u8; 8];

/// u32 kind · u32 n · n times: u64 index · ↔ u64 value.
fn get(world: &dyn World, arguments: &mut [u8]) -> Result<(), Status> {
    let ([kind, count], rest) = head(arguments)?;
    let number = match kind {
        0..4 => Number::Own(kind),
        numbers::RUNNING => Number::Running,
        numbers::LATENCY => Number::Latency,
        _ => return Err(Status::BadArgument),
    };
    let (words, []) = rest.as_chunks_mut::<8>() else { return Err(Status::BadArgument) };
    let (entries, []) = words.as_chunks_mut::<2>() else { return Err(Status::BadArgument) };
    // Each place once at most: running attempts are added up over all processes, and nothing ends this call before.
    if entries.len() != count as usize || entries.len() > world.endpoints().len() {
        return Err(Status::BadArgument);
    }
    for [index, value] in entries {
        *value = world.number(place(world, index)?, number).to_le_bytes();
    }
    Ok(())
}

/// u32 cell · u32 0 · u64 index · ↔ u64 what to add, then the sum.
fn add(world: &dyn World, arguments: &mut [u8]) -> Result<(), Status> {
    let (cell, [index, word]) = change(arguments)?;
    let sum = world.add(place(world, index)?, cell, u64::from_le_bytes(*word))?;
    *word = sum.to_le_bytes();
    Ok(())
}

/// u32 cell · u32 0 · u64 index · ↔ u64 expected · u64 wanted.
fn swap(world: &dyn World, arguments: &mut [u8]) -> Result<(), Status> {
    let (cell, [index, expected, wanted]) = change(arguments)?;
    let (old, new) = (u64::from_le_bytes(*expected), u64::from_le_bytes(*wanted));
    match world.swap(place(world, index)?, cell, old, new)? {
        Swapped::Done => Ok(()),
        Swapped::Found(found) => {
            *expected = found.to_le_bytes();
            Err(Status::CasMismatch)
        }
    }
}

fn change<const N: usize>(arguments: &mut [u8]) -> Result<(u32, &mut [Word; N]), Status> {
    let ([cell, zero], rest) = head(arguments)?;
    let (words, []) = rest.as_chunks_mut::<8>() else { return Err(Status::BadArgument) };
    match words.try_into() {
        Ok(words) if cell < 4 && zero == 0 => Ok((cell, words)),
        _ => Err(Status::BadArgument),
    }
}

fn head(arguments: &mut [u8]) -> Result<([u32; 2], &mut [u8]), Status> {
    let (first, rest) = arguments.split_first_chunk_mut::<4>().ok_or(Status::BadArgument)?;
    let (second, rest) = rest.split_first_chunk_mut::<4>().ok_or(Status::BadArgument)?;
    Ok(([u32::from_le_bytes(*first), u32::from_le_bytes(*second)], rest))
}

fn place(world: &dyn World, index: &Word) -> Result<usize, Status> {
    let index = u64::from_le_bytes(*index);
    match usize::try_from(index) {
        Ok(index) if index < world.endpoints().len() => Ok(index),
        _ => Err(Status::BadArgument),
    }
}
