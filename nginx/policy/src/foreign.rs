//! `proxy_call_foreign_function`: the endpoints, what to keep away from, numbers, and the attempt for languages that cannot place
//! a record. Those with numbers work in place, so that they need no memory.

use wick_abi::Status;
use wick_abi::table::foreign;
use wick_guest::{Answer, Embedder};

use crate::guest::{Guest, range, range_mut, world};
use crate::numbers;

pub(crate) fn call(
    guest: &mut Guest<'_>,
    name: i32,
    name_len: i32,
    arguments: i32,
    arguments_len: i32,
    data_at: i32,
    size_at: i32,
) -> Answer {
    guest.pay(0)?;
    let world = world(guest)?;
    let (memory, state) = guest.split()?;
    if let Some(function) = numbers::function(range(memory, name, name_len)?) {
        let cost = arguments_len as u32 as usize * 2;
        function(world, range_mut(memory, arguments, arguments_len)?)?;
        return guest.pay(cost);
    }
    let name = range(memory, name, name_len)?;
    let arguments = range(memory, arguments, arguments_len)?;
    match name {
        foreign::GET_ENDPOINTS => {
            let [first, max] = words(arguments)?;
            let endpoints = world.endpoints();
            let count = (endpoints.len() as u32).to_le_bytes();
            guest.give_both(&count, endpoints.entries(first, max), data_at, size_at)
        }
        foreign::GET_ENDPOINT_ADDRESS => {
            let [index] = words(arguments)?;
            let address = world.endpoints().address(index).ok_or(Status::BadArgument)?;
            guest.give(address.as_bytes(), data_at, size_at)
        }
        foreign::GET_AVOIDED => {
            let bytes = world.endpoints().len().div_ceil(8);
            let avoided = world.avoided();
            let known = avoided.len().min(bytes);
            let rest = vec![0; bytes - known];
            guest.give_both(&avoided[..known], &rest, data_at, size_at)
        }
        foreign::CHOOSE_ENDPOINT => {
            let [index] = words(arguments)?;
            state.chosen = Some(index);
            Ok(())
        }
        foreign::GET_ATTEMPT => give_attempt(guest, data_at, size_at),
        foreign::GET_COOKIE => {
            let value = world.cookie(arguments).ok_or(Status::NotFound)?;
            guest.give(&value, data_at, size_at)
        }
        _ => Err(Status::NotFound.into()),
    }
}

fn give_attempt(guest: &mut Guest<'_>, data_at: i32, size_at: i32) -> Answer {
    let (memory, state) = guest.split()?;
    let record = match (state.parts().record, &state.shadow) {
        (Some((at, len)), _) => range(memory, at, len)?.to_vec(),
        (None, Some(shadow)) => shadow.to_vec(),
        (None, None) => return Err(Status::NotFound.into()),
    };
    guest.give(&record, data_at, size_at)
}

fn words<const N: usize>(arguments: &[u8]) -> Result<[u32; N], Status> {
    match arguments.as_chunks::<4>() {
        (words, []) if words.len() == N => {
            Ok(std::array::from_fn(|i| u32::from_le_bytes(words[i])))
        }
        _ => Err(Status::BadArgument),
    }
}
