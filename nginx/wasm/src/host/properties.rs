//! Properties: facts about request, connection and attempt, as text. A path is resolved once per instance.

use std::borrow::Cow;

use wasmtime::Linker;
use wick_abi::Status;
use wick_guest::{Answer, define};
use wick_native::headers;
use wick_native::request::Request;
use wick_native::stream::session::Session;
use wick_native::stream::variable;
use wick_native::variable::SetError;

use super::current::Step;
use super::guest::{AtHand, Guest, range};
use super::property::{OfSession, Property, is_nginx};
use super::state::Host;
use crate::attempts::peer::Peer;
use crate::attempts::transport::Fact;
use crate::subject::{Kind, Subject};

pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    define!(linker: Host,
        "proxy_get_property"(path, path_len, data_at, size_at) => get;
        "proxy_set_property"(path, path_len, value, value_len) => set;
    );
    Ok(())
}

fn get(guest: &mut Guest<'_>, path: i32, path_len: i32, data_at: i32, size_at: i32) -> Answer {
    let (subject, peer) = (guest.subject(), guest.peer());
    let about = About { request: subject.and_then(Subject::request), peer };
    let (memory, host) = guest.split()?;
    let path = range(memory, path, path_len)?;
    let value = match (subject.and_then(Subject::session), host.properties.known(path)) {
        (Some(s), _) => of_session(host, s, about, path),
        (None, Some(property)) => property.value(host, about),
        (None, None) => host.learn(path, about.request)?.value(host, about),
    };
    guest.give(&value?.ok_or(Status::NotFound)?, data_at, size_at)
}

/// Only variables of nginx that it allows to be changed.
fn set(guest: &mut Guest<'_>, path: i32, path_len: i32, value: i32, value_len: i32) -> Answer {
    let subject = guest.subject().ok_or(Status::BadArgument)?;
    let (memory, host) = guest.split()?;
    let memory = &*memory;
    let value = range(memory, value, value_len)?;
    let path = range(memory, path, path_len)?;
    if !is_nginx(path) {
        return Err(Status::BadArgument.into());
    }
    let r = match subject.kind() {
        Kind::Request(r) => r,
        Kind::Session(s) => return Ok(set_of_session(s, path, value)?),
    };
    match host.properties.known(path) {
        Some(property) => property.change(r, value)?,
        None => host.learn(path, Some(r))?.change(r, value)?,
    }
    Ok(())
}

#[cold]
fn set_of_session(s: Session<'_>, path: &[u8], value: &[u8]) -> Result<(), Status> {
    match Property::of_session(path) {
        Some(OfSession::Variable(name)) => variable::set(s, name, value).map_err(status),
        _ => Err(Status::BadArgument),
    }
}

fn status(error: SetError) -> Status {
    match error {
        SetError::Unknown => Status::NotFound,
        SetError::ReadOnly => Status::BadArgument,
    }
}

/// What the callback at hand is about.
#[derive(Clone, Copy)]
struct About<'r> {
    request: Option<Request<'r>>,
    peer: Option<&'r Peer<'r>>,
}

impl Host {
    #[cold]
    fn learn(&mut self, path: &[u8], r: Option<Request>) -> Result<Property, Status> {
        let property = Property::named(path, r).ok_or(Status::NotFound)?;
        self.properties.note(path, &property);
        Ok(property)
    }
}

impl Property {
    fn change(&self, r: Request, value: &[u8]) -> Result<(), Status> {
        let Property::Variable(variable) = self else { return Err(Status::BadArgument) };
        variable.set(r, value).map_err(status)
    }

    /// `None` where the request has no such thing.
    #[inline]
    fn value<'r>(&self, host: &Host, about: About<'r>) -> Result<Option<Cow<'r, [u8]>>, Status> {
        let r = || about.request.ok_or(Status::NotFound);
        Ok(match self {
            Property::Variable(variable) => variable.get(r()?).map(Cow::Borrowed),
            Property::Header(side, name) => headers::get(r()?, *side, name).map(Cow::Borrowed),
            Property::Mtls(verify) => {
                let verified = verify.get(r()?) == Some(b"SUCCESS");
                Some(Cow::Borrowed(if verified { &b"true"[..] } else { b"false" }))
            }
            Property::PluginName => {
                Some(Cow::Borrowed(host.environment.module_name(host.module).as_bytes()))
            }
            Property::PluginRootId => {
                let id = host.environment.root_id(host.current.root);
                Some(Cow::Owned(id.to_string().into_bytes()))
            }
            Property::Upstream(fact) => upstream(host, about.peer, *fact),
        })
    }
}

/// A session has the variables of `stream`, by their names.
#[cold]
fn of_session<'s>(
    host: &Host,
    s: Session<'s>,
    about: About<'s>,
    path: &[u8],
) -> Result<Option<Cow<'s, [u8]>>, Status> {
    match Property::of_session(path) {
        None => Ok(None),
        Some(OfSession::Variable(name)) => Ok(variable::named(s, name).map(Cow::Borrowed)),
        Some(OfSession::Same(property)) => property.value(host, about),
    }
}

/// About the attempt that just ended; at other times there is none.
fn upstream<'r>(host: &Host, peer: Option<&Peer>, fact: Fact) -> Option<Cow<'r, [u8]>> {
    let peer = peer.filter(|_| host.current.step == Step::UpstreamInfo)?;
    peer.fact(fact).map(Cow::Owned)
}
