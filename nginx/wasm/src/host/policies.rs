//! Foreign functions for the filter that balances: its backends that name a policy, and their attempts.

use std::borrow::Cow;

use wick_abi::Status;
use wick_abi::attempt::{Info, MAX_TAGS, NO_TAG, Outcome, Select};
use wick_native::request::Request;
use wick_policy::instance::Question;

use super::expand::expand;
use super::state::Host;
use crate::clock;
use crate::policy::backend::Registration;
use crate::policy::table::{Picked, Policies};
use crate::upstream::peer::Peer;

/// Whether so much time may have passed that the filter's own deadline begins anew.
pub type Function = fn(&mut Host, About<'_>, &'static Policies, &mut [u8]) -> Result<bool, Status>;

/// What the filter runs for.
pub struct About<'r> {
    pub request: Option<Request<'r>>,
    pub peer: Option<&'r Peer<'r>>,
    pub ending: Option<&'r Info>,
}

/// The function of this name; it takes its arguments and replaces some of them. NOT_FOUND without `policy_directory`.
#[inline]
pub fn function(name: &[u8]) -> Option<Function> {
    match name {
        b"wick_pick" => Some(pick),
        b"wick_report" => Some(report),
        b"wick_set_policy" => Some(set),
        b"wick_drop_policy" => Some(drop),
        _ => None,
    }
}

const NO_ENDPOINT: u32 = u32::MAX;
const HEAD_BYTES: usize = 12;

fn word(arguments: &[u8], at: usize) -> Result<u32, Status> {
    let bytes = arguments.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
    bytes.map(u32::from_le_bytes).ok_or(Status::BadArgument)
}

/// u64 id · u32 ↔ handle · … as [`Registration`] has it.
fn set(
    host: &mut Host,
    _: About<'_>,
    policies: &'static Policies,
    arguments: &mut [u8],
) -> Result<bool, Status> {
    let handle = policies.set(host.environment, host.module, &Registration::parse(arguments)?)?;
    arguments[8..12].copy_from_slice(&handle.to_le_bytes());
    Ok(true)
}

/// u32 handle
fn drop(
    host: &mut Host,
    _: About<'_>,
    policies: &'static Policies,
    arguments: &mut [u8],
) -> Result<bool, Status> {
    policies.drop(host.environment, host.module, word(arguments, 0)?);
    Ok(true)
}

/// u32 handle · u32 1: some are to be avoided ↔ place of the endpoint, all bits: none · u32 n · n times u32 place of an earlier
/// attempt's · a bit for each endpoint to keep away from.
fn pick(
    host: &mut Host,
    about: About<'_>,
    policies: &'static Policies,
    arguments: &mut [u8],
) -> Result<bool, Status> {
    let backend = policies.backend(word(arguments, 0)?).ok_or(Status::NotFound)?;
    let peer = about.peer.ok_or(Status::BadArgument)?;
    let are_some_avoided = word(arguments, 4)? != 0;
    let tried = word(arguments, 8)? as usize;
    if tried > MAX_TAGS || arguments.len() < HEAD_BYTES + 4 * tried {
        return Err(Status::BadArgument);
    }
    let mut earlier = [0; MAX_TAGS];
    for (i, place) in earlier[..tried].iter_mut().enumerate() {
        *place = word(arguments, HEAD_BYTES + 4 * i)?;
    }
    let key = match &*backend.key_template {
        [] => None,
        template => expand(host, about.request, template).ok(),
    };
    let note = if tried == 0 { 0 } else { peer.policy_note.get() };
    let question = Question {
        select: Select {
            attempt: peer.attempt(),
            earlier: &earlier[..tried],
            note,
            now: clock::now(),
        },
        are_some_avoided,
        key: key.as_deref(),
    };
    let mut asking = policies.asking(host.environment, &backend, about.request);
    asking.avoided = &arguments[HEAD_BYTES + 4 * tried..];
    let picked = policies.pick(&asking, &question);
    if let Some(Cow::Owned(buffer)) = key {
        host.reuse(buffer);
    }
    let (place, wants) = match picked {
        Picked::Chosen(said) => {
            peer.policy_note.set(said.note);
            (said.tag, said.feedback.wants_info())
        }
        Picked::None | Picked::Faulted => (NO_ENDPOINT, false),
    };
    peer.policy_wants.set(wants);
    arguments[4..8].copy_from_slice(&place.to_le_bytes());
    Ok(picked == Picked::Faulted)
}

/// u32 handle · u32 place of the endpoint: the attempt of this callback has ended.
fn report(
    host: &mut Host,
    about: About<'_>,
    policies: &'static Policies,
    arguments: &mut [u8],
) -> Result<bool, Status> {
    let backend = policies.backend(word(arguments, 0)?).ok_or(Status::NotFound)?;
    let tag = word(arguments, 4)?;
    let (peer, ending) = about.peer.zip(about.ending).ok_or(Status::BadArgument)?;
    if !peer.policy_wants.replace(false) || tag == NO_TAG {
        return Ok(false);
    }
    let chosen = wick_abi::attempt::Chosen { tag, note: peer.policy_note.get(), ..ending.chosen };
    let info = Info { chosen, ..*ending };
    let mut asking = policies.asking(host.environment, &backend, about.request);
    asking.has_response = ending.outcome == Outcome::Answered && ending.status != 0;
    Ok(!policies.report(&asking, &info, ending.outcome != Outcome::Answered))
}
