//! Properties: facts about request, connection and attempt, as text. A path is resolved once per instance.

use std::borrow::Cow;

use wasmtime::Linker;
use wick_abi::{PropertyPath, Status};
use wick_native::headers::{self, Side};
use wick_native::request::Request;
use wick_native::variable::{SetError, Variable};

use super::{Answer, Host, Step, define, request};
use crate::guest::{Guest, range};
use crate::upstream::Fact;

pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    define!(linker,
        "proxy_get_property"(path, path_len, data_at, size_at) => get;
        "proxy_set_property"(path, path_len, value, value_len) => set;
    );
    Ok(())
}

/// Paths that an instance has asked for. Few, so they are compared one by one; beyond the limit they are
/// resolved anew each time.
#[derive(Default)]
pub struct Properties(Vec<(Box<[u8]>, Property)>);

const MAX_KNOWN: usize = 64;

#[derive(Clone, Debug)]
enum Property {
    Variable(Variable),
    Header(Side, Box<[u8]>),
    /// Whether the client's certificate was verified: "true" or "false".
    Mtls(Variable),
    PluginName,
    PluginRootId,
    Upstream(Fact),
}

/// Properties that are a variable of nginx under another name.
const VARIABLES: &[(&[u8], &[u8], &[u8])] = &[
    (b"request", b"path", b"request_uri"),
    (b"request", b"url_path", b"uri"),
    (b"request", b"host", b"host"),
    (b"request", b"scheme", b"scheme"),
    (b"request", b"method", b"request_method"),
    (b"request", b"useragent", b"http_user_agent"),
    (b"request", b"protocol", b"server_protocol"),
    (b"request", b"query", b"args"),
    (b"request", b"id", b"request_id"),
    (b"request", b"referer", b"http_referer"),
    (b"request", b"time", b"msec"),
    (b"request", b"duration", b"request_time"),
    (b"request", b"size", b"content_length"),
    (b"request", b"total_size", b"request_length"),
    (b"response", b"code", b"status"),
    (b"response", b"size", b"body_bytes_sent"),
    (b"response", b"total_size", b"bytes_sent"),
    (b"source", b"address", b"remote_addr"),
    (b"source", b"port", b"remote_port"),
    (b"destination", b"address", b"server_addr"),
    (b"destination", b"port", b"server_port"),
    (b"connection", b"id", b"connection"),
    (b"connection", b"tls_version", b"ssl_protocol"),
    (b"connection", b"requested_server_name", b"ssl_server_name"),
];

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
    let r = request(guest)?;
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

impl Properties {
    #[inline]
    fn known(&self, path: &[u8]) -> Option<&Property> {
        self.0.iter().find(|(known, _)| **known == *path).map(|(_, property)| property)
    }
}

impl Host {
    #[cold]
    fn learn(&mut self, path: &[u8]) -> Result<Property, Status> {
        let of_request = || resolve(self.current.request?, path);
        let property = of_plugin(path).or_else(of_request).ok_or(Status::NotFound)?;
        if self.properties.0.len() < MAX_KNOWN {
            self.properties.0.push((path.into(), property.clone()));
        }
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
                Some(Cow::Borrowed(host.worker.module_name(host.module).as_bytes()))
            }
            Property::PluginRootId => {
                let id = host.worker.root_id(host.current.root);
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

fn is_nginx(path: &[u8]) -> bool {
    path.starts_with(b"ngx\0") || path.starts_with(b"ngx.")
}

/// What is known without a request, too.
fn of_plugin(path: &[u8]) -> Option<Property> {
    match path.strip_suffix(b"\0").unwrap_or(path) {
        b"plugin_name" => Some(Property::PluginName),
        b"plugin_root_id" => Some(Property::PluginRootId),
        _ => None,
    }
}

fn resolve(r: Request, path: &[u8]) -> Option<Property> {
    if is_nginx(path) {
        let name = &path[4..];
        return Some(Property::Variable(Variable::resolve(
            r,
            name.strip_suffix(b"\0").unwrap_or(name),
        )));
    }
    let PropertyPath { scope, name, key } = PropertyPath::parse(path)?;
    let variable = |name| Variable::resolve(r, name);
    Some(match (scope, name, key) {
        (b"request", b"headers", key) if !key.is_empty() => {
            Property::Header(Side::Request, key.into())
        }
        (b"response", b"headers", key) if !key.is_empty() => {
            Property::Header(Side::Response, key.into())
        }
        (b"connection", b"mtls", b"") => Property::Mtls(variable(b"ssl_client_verify")),
        (b"upstream", name, b"") => Property::Upstream(Fact::named(name)?),
        (scope, name, b"") => {
            let found = VARIABLES.iter().find(|(s, n, _)| *s == scope && *n == name)?;
            Property::Variable(variable(found.2))
        }
        _ => return None,
    })
}
