//! What a backend gets beside what the location sends: `proxy_set_header` and its kin as further lines, `fastcgi_param` as further parameters.

use ngx::ffi::ngx_buf_t;
use wick_native::headers::{Passed, PassedName};
use wick_native::request::Request;
use wick_script::level::Assigned;
use wick_script::{Level, fastcgi};

use std::ptr::NonNull;

use super::hiding::Hiding;
use super::protocols::Protocol;
use super::text::Text;
use crate::loops::is_count;

pub struct Passing {
    lines: Box<[Line]>,
    /// Of their names and headers.
    bits: u64,
    /// Stands where there is no line.
    nobody: PassedName,
    hiding: Option<Hiding>,
}

struct Line {
    name: PassedName,
    value: Text,
    /// Means something on a connection of HTTP/1 only.
    is_hop: bool,
    /// The header of clients of which CGI makes this parameter.
    header: Option<PassedName>,
}

const FEW: usize = 8;

/// How long a body is, nginx says alone.
const FRAMING: [&[u8]; 2] = [b"content-length", b"transfer-encoding"];

/// What HTTP/2 has in no message (RFC 9113, 8.2.2).
const HOPS: [&[u8]; 6] =
    [b"connection", b"http2-settings", b"keep-alive", b"proxy-connection", b"te", b"upgrade"];

impl Passing {
    /// `None`: what is passed on, and what comes back, stays as it is.
    pub fn of(level: &Level) -> Option<Passing> {
        let lines: Box<[_]> = level.upstream_headers.iter().filter_map(Line::of).collect();
        let hiding = Hiding::of(level);
        let names = lines.iter().flat_map(|line| [Some(&line.name), line.header.as_ref()]);
        let bits = names.flatten().fold(0, |bits, name| bits | name.bit());
        (!lines.is_empty() || hiding.is_some()).then_some(Passing {
            lines,
            bits,
            nobody: PassedName::default(),
            hiding,
        })
    }

    /// Puts the lines among the request's headers, to stand there while what is passed on is written. `None`: out of memory, or a value is too
    /// long.
    ///
    /// # Safety
    /// It lives as long as the request.
    pub unsafe fn begin(&self, r: Request, protocol: Protocol) -> Option<NonNull<Passed>> {
        // Most levels have few, for which no memory need be asked.
        if self.lines.len() > FEW {
            let all = self.lines.iter().map(|line| line.passed(r, protocol));
            let lines: Vec<_> = all.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect();
            // SAFETY: as above; values were looked at.
            return unsafe { Passed::begin(r, &lines, self.bits) };
        }
        let (mut few, mut number) = ([(&self.nobody, &b""[..]); FEW], 0);
        for line in &self.lines {
            if let Some(passed) = line.passed(r, protocol)? {
                few[number] = passed;
                number += 1;
            }
        }
        // SAFETY: as above.
        unsafe { Passed::begin(r, &few[..number], self.bits) }
    }

    /// What remains to be done when it is written. `None` as above.
    ///
    /// # Safety
    /// As above; the upstream has its request, of which nothing was sent.
    pub unsafe fn finish(&self, r: Request, protocol: Protocol) -> Option<()> {
        // SAFETY: the caller's promise.
        unsafe {
            if protocol == Protocol::FastCgi && !self.lines.is_empty() {
                self.add_parameters(r)?;
            }
            self.hiding.as_ref().map_or(Some(()), |hiding| hiding.put(r, protocol))
        }
    }

    /// # Safety
    /// As of [`Passing::finish`].
    unsafe fn add_parameters(&self, r: Request) -> Option<()> {
        let mut records = Vec::new();
        for line in &self.lines {
            let value = line.value.header_value(r)?;
            // As of nginx's own: of those that are headers, the empty ones are not sent.
            if let Some(value) = value.filter(|value| !value.is_empty() || line.header.is_none()) {
                fastcgi::push_parameter(&mut records, line.name.bytes(), value);
            }
        }
        // SAFETY: as above: the first buffer has the head of the request in it.
        unsafe {
            let first = r.upstream()?.as_ref().request_bufs.as_ref()?;
            insert(r, &mut *first.buf, &fastcgi::records(&records))
        }
    }
}

impl Line {
    /// `None`: it is not for a tenant to say.
    fn of(header: &Assigned) -> Option<Line> {
        let lower = header.name.to_ascii_lowercase();
        if FRAMING.contains(&&*lower) || is_count(&lower) {
            return None;
        }
        let of_client = lower.strip_prefix(b"http_").map(fastcgi::header_of);
        Some(Line {
            name: PassedName::new(&header.name)?,
            value: Text::of(&header.value),
            is_hop: HOPS.contains(&&*lower),
            header: of_client.and_then(|name| PassedName::new(&name)),
        })
    }
}

impl Line {
    /// How the protocol says it; `Some(None)`: not at all. `None`: out of memory, or the value is too long.
    #[inline]
    fn passed<'l>(
        &'l self,
        r: Request<'l>,
        protocol: Protocol,
    ) -> Option<Option<(&'l PassedName, &'l [u8])>> {
        Some(match (protocol, &self.header) {
            (Protocol::FastCgi, Some(header)) => Some((header, &b""[..])),
            (Protocol::FastCgi, None) => None,
            (Protocol::Grpc, _) if self.is_hop => None,
            // What cannot be sent takes the place of the client's nevertheless.
            _ => Some((&self.name, self.value.header_value(r)?.unwrap_or_default())),
        })
    }
}

/// Puts records of parameters behind those that nginx has written. `None`: out of memory, or nginx has written something else.
///
/// # Safety
/// A live buffer of the request's, with the head of a request to a FastCGI server, of which nothing was sent.
unsafe fn insert(r: Request, buffer: &mut ngx_buf_t, records: &[u8]) -> Option<()> {
    // SAFETY: the caller's promise.
    let written = unsafe {
        let len = buffer.last.offset_from(buffer.start);
        std::slice::from_raw_parts(buffer.start, usize::try_from(len).ok()?)
    };
    let (before, behind) = written.split_at(fastcgi::end_of_parameters(written)?);
    let all = r.pool().copy(&[before, records, behind].concat())?.as_mut_ptr_range();
    // nginx begins at `start` again when it asks another server.
    (buffer.start, buffer.pos) = (all.start, all.start);
    (buffer.last, buffer.end) = (all.end, all.end);
    Some(())
}
