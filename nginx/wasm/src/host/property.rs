//! Which property a path names.

use wick_abi::PropertyPath;
use wick_native::headers::Side;
use wick_native::request::Request;
use wick_native::variable::Variable;

use crate::attempts::transport::Fact;

/// Paths that an instance has asked for. Few, so they are compared one by one; beyond the limit they are
/// resolved anew each time.
#[derive(Default)]
pub struct Properties(Vec<(Box<[u8]>, Property)>);

const MAX_KNOWN: usize = 64;

#[derive(Clone, Debug)]
pub enum Property {
    Variable(Variable),
    Header(Side, Box<[u8]>),
    /// Whether the client's certificate was verified: "true" or "false".
    Mtls(Variable),
    PluginName,
    PluginRootId,
    Upstream(Fact),
}

/// What a path names for a session.
pub enum OfSession<'p> {
    /// A variable of `stream`.
    Variable(&'p [u8]),
    /// What requests have, too.
    Same(Property),
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

impl Properties {
    #[inline]
    pub fn known(&self, path: &[u8]) -> Option<&Property> {
        self.0.iter().find(|(known, _)| **known == *path).map(|(_, property)| property)
    }

    pub fn note(&mut self, path: &[u8], property: &Property) {
        if self.0.len() < MAX_KNOWN {
            self.0.push((path.into(), property.clone()));
        }
    }
}

impl Property {
    /// `None`: there is none of this name, or none without a request.
    pub fn named(path: &[u8], r: Option<Request>) -> Option<Property> {
        of_plugin(path).or_else(|| resolve(r?, path))
    }
}

impl Property {
    /// `None`: sessions have none of this name.
    pub fn of_session(path: &[u8]) -> Option<OfSession<'_>> {
        if let Some(property) = of_plugin(path) {
            return Some(OfSession::Same(property));
        }
        if is_nginx(path) {
            let name = &path[4..];
            return Some(OfSession::Variable(name.strip_suffix(b"\0").unwrap_or(name)));
        }
        let PropertyPath { scope, name, key } = PropertyPath::parse(path)?;
        match (scope, name, key) {
            (b"upstream", name, b"") => {
                Some(OfSession::Same(Property::Upstream(Fact::named(name)?)))
            }
            (b"source" | b"destination" | b"connection", name, b"") => {
                let found = VARIABLES.iter().find(|(s, n, _)| *s == scope && *n == name)?;
                Some(OfSession::Variable(found.2))
            }
            _ => None,
        }
    }
}

pub fn is_nginx(path: &[u8]) -> bool {
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
