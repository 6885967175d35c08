//! Properties: facts about request, connection and attempt, as text. A path is resolved once per instance.

use std::borrow::Cow;

use wasmtime::Linker;
use wick_abi::Status;
use wick_native::headers;
use wick_native::request::Request;
use wick_native::variable::SetError;

use super::current::Step;
use super::define::define;
use super::failure::Answer;
use super::guest::{Guest, range};
use super::property::{Property, is_nginx};
use super::state::Host;
use crate::upstream::peer::Fact;

pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    define!(linker,
        "proxy_get_property"(path, path_len, data_at, size_at) => get;
        "proxy_set_property"(path, path_len, value, value_len) => set;
    );
    Ok(())
}

fn get(guest: &mut Guest<'_>, path: i32, path_len: i32, data_at: i32, size_at: i32) -> Answer {
    let (memory, host) = guest.split()?;
    let path = range(memory, path, path_len)?;
    let value = match host.properties.known(path) {
        Some(property) => property.value(host),
        None => host.learn(path)?.value(host),
    };
    guest.give(&value?.ok_or(Status::NotFound)?, data_at, size_at)
}

/// Only variables of nginx that it allows to be changed.
fn set(guest: &mut Guest<'_>, path: i32, path_len: i32, value: i32, value_len: i32) -> Answer {
    let r = guest.request()?;
    let (memory, host) = guest.split()?;
    let memory = &*memory;
    let value = range(memory, value, value_len)?;
    let path = range(memory, path, path_len)?;
    if !is_nginx(path) {
        return Err(Status::BadArgument.into());
    }
    match host.properties.known(path) {
        Some(property) => property.change(r, value)?,
        None => host.learn(path)?.change(r, value)?,
    }
    Ok(())
}

impl Host {
    #[cold]
    fn learn(&mut self, path: &[u8]) -> Result<Property, Status> {
        let property = Property::named(path, self.current.request).ok_or(Status::NotFound)?;
        self.properties.note(path, &property);
        Ok(property)
    }
}

impl Property {
    fn change(&self, r: Request, value: &[u8]) -> Result<(), Status> {
        let Property::Variable(variable) = self else { return Err(Status::BadArgument) };
        variable.set(r, value).map_err(|error| match error {
            SetError::Unknown => Status::NotFound,
            SetError::ReadOnly => Status::BadArgument,
        })
    }

    /// `None` where the request has no such thing.
    #[inline]
    fn value(&self, host: &Host) -> Result<Option<Cow<'static, [u8]>>, Status> {
        let r = || host.current.request.ok_or(Status::NotFound);
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
            Property::Upstream(fact) => upstream(host, *fact),
        })
    }
}

/// About the attempt that just ended; at other times there is none.
fn upstream(host: &Host, fact: Fact) -> Option<Cow<'static, [u8]>> {
    let peer = host.current.peer.filter(|_| host.current.step == Step::UpstreamInfo)?;
    // SAFETY: set for the time of one upstream callback; the peer lives in its request's pool.
    unsafe { peer.as_ref() }.fact(fact).map(Cow::Owned)
}
