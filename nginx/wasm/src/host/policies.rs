//! Foreign functions for the filter that balances: its backends that name a policy, and their attempts.

use std::borrow::Cow;

use wick_abi::Status;
use wick_abi::attempt::{Chosen, Info, NO_TAG, Outcome, Select};
use wick_abi::table::foreign;
use wick_policy::instance::Question;

use super::expand::expand;
use super::state::Host;
use crate::clock;
use crate::policy::backend::Registration;
use crate::policy::table::{Picked, Policies};
use crate::subject::Subject;

pub type Function = fn(&mut Host, &mut [u8]) -> Result<(), Status>;

/// The function of this name; it takes its arguments and replaces some of them. NOT_FOUND without `policy_directory`.
#[inline]
pub fn function(name: &[u8]) -> Option<Function> {
    match name {
        foreign::PICK => Some(pick),
        foreign::REPORT => Some(report),
        foreign::SET_POLICY => Some(set),
        foreign::DROP_POLICY => Some(drop),
        _ => None,
    }
}

const NO_ENDPOINT: u32 = u32::MAX;

fn policies(host: &Host) -> Result<&'static Policies, Status> {
    host.environment.policies().ok_or(Status::NotFound)
}

/// The numbers that the arguments begin with, and the rest.
fn words<const N: usize>(arguments: &mut [u8]) -> Result<([u32; N], &mut [u8]), Status> {
    let (words, _) = arguments.as_chunks::<4>();
    let words: [u32; N] = match words.first_chunk::<N>() {
        Some(words) => std::array::from_fn(|i| u32::from_le_bytes(words[i])),
        None => return Err(Status::BadArgument),
    };
    Ok((words, &mut arguments[4 * N..]))
}

/// u64 id · u32 ↔ handle · … as [`Registration`] has it.
fn set(host: &mut Host, arguments: &mut [u8]) -> Result<(), Status> {
    let said = Registration::parse(arguments)?;
    let handle = policies(host)?.set(&host.environment.slots, host.module, &said)?;
    arguments[8..12].copy_from_slice(&handle.to_le_bytes());
    Ok(())
}

/// u32 handle
fn drop(host: &mut Host, arguments: &mut [u8]) -> Result<(), Status> {
    let ([handle], _) = words(arguments)?;
    policies(host)?.drop(&host.environment.slots, host.module, handle);
    Ok(())
}

/// u32 handle · u32 1: some are to be avoided ↔ place of the endpoint, all bits: none · u32 n · n times u32 place of an earlier
/// attempt's · a bit for each endpoint to keep away from.
fn pick(host: &mut Host, arguments: &mut [u8]) -> Result<(), Status> {
    let policies = policies(host)?;
    let ([handle, are_some_avoided, tried], rest) = words(arguments)?;
    let backend = policies.backend(handle).ok_or(Status::NotFound)?;
    // SAFETY: the callback at hand goes on when this function has returned.
    let (subject, peer) = unsafe { (host.current.subject(), host.current.peer()) };
    let peer = peer.ok_or(Status::BadArgument)?;
    let (tried, avoided) = rest.split_at_checked(4 * tried as usize).ok_or(Status::BadArgument)?;
    let mut earlier = Vec::new(); // no memory for none
    earlier.extend(tried.as_chunks::<4>().0.iter().map(|place| u32::from_le_bytes(*place)));
    let key = match &*backend.key_template {
        [] => None,
        template => expand(host, subject, template).ok(),
    };
    let note = if earlier.is_empty() { 0 } else { peer.policy_note.get() };
    let question = Question {
        select: Select { attempt: peer.attempt(), earlier: &earlier, note, now: clock::now() },
        are_some_avoided: are_some_avoided != 0,
        key: key.as_deref(),
    };
    let request = subject.and_then(Subject::request);
    let mut asking = policies.asking(&host.environment.slots, &backend, request);
    asking.avoided = avoided;
    let picked = policies.pick(&asking, &question);
    if let Some(Cow::Owned(buffer)) = key {
        host.reuse(buffer);
    }
    let (place, wants) = match picked {
        Picked::Chosen(said) => {
            peer.policy_note.set(said.note);
            (said.tag, said.feedback.wants_info())
        }
        Picked::None => (NO_ENDPOINT, false),
    };
    peer.policy_wants.set(wants);
    arguments[4..8].copy_from_slice(&place.to_le_bytes());
    Ok(())
}

/// u32 handle · u32 place of the endpoint: the attempt of this callback has ended.
fn report(host: &mut Host, arguments: &mut [u8]) -> Result<(), Status> {
    let policies = policies(host)?;
    let ([handle, tag], _) = words(arguments)?;
    let backend = policies.backend(handle).ok_or(Status::NotFound)?;
    // SAFETY: as above.
    let (request, peer, ending) =
        unsafe { (host.current.request(), host.current.peer(), host.current.ending()) };
    let (peer, ending) = peer.zip(ending).ok_or(Status::BadArgument)?;
    if !peer.policy_wants.replace(false) || tag == NO_TAG {
        return Ok(());
    }
    let info =
        Info { chosen: Chosen { tag, note: peer.policy_note.get(), ..ending.chosen }, ..*ending };
    let mut asking = policies.asking(&host.environment.slots, &backend, request);
    asking.has_response = ending.outcome == Outcome::Answered && ending.status != 0;
    policies.report(&asking, &info, ending.outcome != Outcome::Answered);
    Ok(())
}
