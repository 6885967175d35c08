//! The record of a stream.

use wick_wire::{Field, RecordError, fields, id, max, numbers, stream, text, words};

use crate::server_names::{ServerNames, Target};
use crate::tls::{BackendTls, Tls};

/// A record that was checked from end to end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stream {
    /// What serves sessions, unless there are names.
    pub target: Target,
    /// Of TCP: what serves them by the name that the client asks for.
    pub names: ServerNames,
    /// Of TCP: each client sends a PROXY header before all else.
    pub accepts_proxy_protocol: bool,
    /// How long one is waited for.
    pub proxy_protocol_timeout_ms: Option<u32>,
    /// Of TCP: the endpoint gets one.
    pub sends_proxy_protocol: Option<ProxyVersion>,
    pub numbers: Numbers,
    /// Ids of lists of addresses.
    pub allow: Option<Box<[u8]>>,
    pub deny: Option<Box<[u8]>>,
    /// Of a client at a time, from 1.
    pub connections: Option<u32>,
    /// New ones of a client, from 1.
    pub connections_per_second: Option<u32>,
    /// How long sessions stay on an endpoint that is away; `None`: until they end.
    pub drain_ms: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyVersion {
    V1,
    V2,
}

/// In force instead of the server's. Names are those of nginx's directives, with their units; `None`: as nginx has it without the directive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    pub proxy_timeout_ms: Option<u32>,
    pub proxy_connect_timeout_ms: Option<u32>,
    pub next_upstream: Option<bool>,
    /// 0: no limit, as with all below.
    pub next_upstream_timeout_ms: Option<u32>,
    pub next_upstream_tries: Option<u32>,
    /// Here 0 is a number: no datagram is waited for.
    pub responses: Option<u32>,
    pub requests: Option<u32>,
    pub upload_bytes: Option<u64>,
    pub download_bytes: Option<u64>,
}

impl Stream {
    /// # Errors: when the bytes are not such a record; never panics.
    pub fn decode(record: &[u8]) -> Result<Stream, RecordError> {
        let mut stream = Stream::default();
        for field in fields(stream::VERSION, record)? {
            let field = field?;
            if !stream.set(field)? && !stream.numbers.set(field)? {
                field.skip()?;
            }
        }
        match stream.target.backend.len() {
            0 => Err(RecordError::Missing),
            1..=max::NAME_BYTES => Ok(stream),
            _ => Err(RecordError::Field),
        }
    }

    /// False when it is another field.
    fn set(&mut self, Field { id: field, value, .. }: Field) -> Result<bool, RecordError> {
        match field {
            stream::BACKEND => self.target.backend = text(value)?,
            stream::NAMESPACE => self.target.namespace = text(value)?,
            stream::SERVICE_NAME => self.target.service_name = text(value)?,
            stream::SERVICE_PORT => self.target.service_port = text(value)?,
            stream::TLS => self.target.tls = Some(Tls::read(value)?),
            stream::BACKEND_TLS => self.target.backend_tls = Some(BackendTls::read(value)?),
            stream::SOURCE => {}
            stream::ACCEPTS_PROXY_PROTOCOL => self.accepts_proxy_protocol = flag(value)?,
            stream::SENDS_PROXY_PROTOCOL => self.sends_proxy_protocol = Some(version(value)?),
            stream::PROXY_PROTOCOL_TIMEOUT_MS => {
                self.proxy_protocol_timeout_ms = Some(numbers::MILLISECONDS.read(value)? as u32);
            }
            stream::NAMES => self.names.add(value)?,
            stream::ALLOW => self.allow = Some(id(value)?),
            stream::DENY => self.deny = Some(id(value)?),
            stream::CONNECTIONS => self.connections = Some(numbers::LIMIT.read(value)? as u32),
            stream::CONNECTIONS_PER_SECOND => {
                self.connections_per_second = Some(numbers::LIMIT.read(value)? as u32);
            }
            stream::DRAIN_MS => {
                self.drain_ms = Some(numbers::MILLISECONDS_OR_NONE.read(value)? as u32);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Takes away what has a meaning for TCP alone.
    pub fn without_tcp(&mut self) {
        self.names = ServerNames::default();
        self.target.tls = None;
        self.target.backend_tls = None;
    }

    /// What sessions may go to: the names, or else the one for all.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        let own = self.names.is_empty().then_some(&self.target);
        own.into_iter().chain(self.names.targets())
    }
}

impl Numbers {
    /// False when it is another field.
    fn set(&mut self, Field { id, value, .. }: Field) -> Result<bool, RecordError> {
        let ms = || Ok(numbers::MILLISECONDS.read(value)? as u32);
        let datagrams = || Ok(numbers::DATAGRAMS.read(value)? as u32);
        match id {
            stream::PROXY_TIMEOUT_MS => self.proxy_timeout_ms = Some(ms()?),
            stream::PROXY_CONNECT_TIMEOUT_MS => self.proxy_connect_timeout_ms = Some(ms()?),
            stream::NEXT_UPSTREAM => self.next_upstream = Some(flag(value)?),
            stream::NEXT_UPSTREAM_TIMEOUT_MS => {
                self.next_upstream_timeout_ms =
                    Some(numbers::MILLISECONDS_OR_NONE.read(value)? as u32);
            }
            stream::NEXT_UPSTREAM_TRIES => {
                self.next_upstream_tries = Some(numbers::TRIES_OR_NONE.read(value)? as u32);
            }
            stream::RESPONSES => self.responses = Some(datagrams()?),
            stream::REQUESTS => self.requests = Some(datagrams()?),
            stream::UPLOAD_BYTES => self.upload_bytes = Some(numbers::BYTES_OR_NONE.read(value)?),
            stream::DOWNLOAD_BYTES => {
                self.download_bytes = Some(numbers::BYTES_OR_NONE.read(value)?);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn flag(value: &[u8]) -> Result<bool, RecordError> {
    match value {
        [0] => Ok(false),
        [1] => Ok(true),
        _ => Err(RecordError::Field),
    }
}

fn version(value: &[u8]) -> Result<ProxyVersion, RecordError> {
    match value {
        [words::proxy_protocol::V1] => Ok(ProxyVersion::V1),
        [words::proxy_protocol::V2] => Ok(ProxyVersion::V2),
        _ => Err(RecordError::Field),
    }
}
