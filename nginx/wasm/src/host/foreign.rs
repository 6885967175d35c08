//! `proxy_call_foreign_function`: what docs/abi.md adds to Proxy-Wasm.

use std::borrow::Cow;

use wasmtime::{AsContextMut, Linker};
use wick_abi::table::foreign;
use wick_abi::{CallbackSet, Status};
use wick_guest::deadline::TICKS;
use wick_guest::{Answer, define};

use super::current::Step;
use super::expand::expand;
use super::guest::{AtHand, Guest, range, range_mut};
use super::patterns::check;
use super::state::Host;
use super::{cookies, policies, shared_data, slots};
use crate::subject::Subject;

pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    define!(linker: Host,
        "proxy_call_foreign_function"(name, name_len, arguments, arguments_len, data_at, size_at) => call;
    );
    Ok(())
}

fn call(
    guest: &mut Guest<'_>,
    name: i32,
    name_len: i32,
    arguments: i32,
    arguments_len: i32,
    data_at: i32,
    size_at: i32,
) -> Answer {
    let (memory, host) = guest.split()?;
    let named = range(memory, name, name_len)?;
    if let Some(function) = slots::function(named) {
        return Ok(function(host, range_mut(memory, arguments, arguments_len)?)?);
    }
    if let Some(function) = policies::function(named) {
        let answer = function(host, range_mut(memory, arguments, arguments_len)?);
        // What a policy took is none of the filter's time: its deadline begins anew.
        guest.0.as_context_mut().set_epoch_deadline(TICKS);
        return Ok(answer?);
    }
    let subject = guest.subject();
    let r = subject.and_then(Subject::request);
    let (memory, host) = guest.split()?;
    let memory = &*memory;
    let name = range(memory, name, name_len)?;
    let arguments = range(memory, arguments, arguments_len)?;
    match name {
        foreign::SHARED_DATA_VERSION => {
            let version = shared_data::version(host, arguments)?;
            guest.give(&version.to_le_bytes(), data_at, size_at)
        }
        foreign::SET_SHARED_DATA_MANY => match shared_data::set_many(host, arguments) {
            Ok(()) => Ok(()),
            Err((status, index)) => {
                if let Some(index) = index {
                    guest.give(&index.to_le_bytes(), data_at, size_at)?;
                }
                Err(status.into())
            }
        },
        foreign::LIST_SHARED_DATA => {
            let keys = shared_data::list(host, arguments)?;
            guest.give(&keys, data_at, size_at)
        }
        foreign::SET_CALLBACKS => set_callbacks(host, arguments),
        foreign::EXPAND => {
            let text = expand(host, subject, arguments)?;
            let given = guest.give(&text, data_at, size_at);
            if let Cow::Owned(buffer) = text {
                guest.host().reuse(buffer);
            }
            given
        }
        foreign::GET_COOKIE => {
            let value = cookies::get(r, arguments)?;
            guest.give(value, data_at, size_at)
        }
        foreign::SET_COOKIE => Ok(cookies::set(host, r, arguments)?),
        foreign::MATCH => {
            let matches = u32::from(host.patterns.is_match(arguments)?);
            guest.give(&matches.to_le_bytes(), data_at, size_at)
        }
        foreign::CHECK_PATTERN => {
            let reason = check(arguments)?;
            guest.give(reason.as_bytes(), data_at, size_at)
        }
        _ => Err(Status::NotFound.into()),
    }
}

fn set_callbacks(host: &Host, names: &[u8]) -> Answer {
    let wanted = CallbackSet::parse(names).map_err(|_| Status::BadArgument)?;
    if host.current.step != Step::Configure {
        return Err(Status::BadArgument.into());
    }
    host.environment.subscribe(host.current.root, wanted);
    Ok(())
}
