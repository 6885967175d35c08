//! What a backend gets beside what the location sends: `proxy_set_header` and its kin as further lines, `fastcgi_param` as further parameters.

use ngx::ffi::ngx_buf_t;
use wick_native::headers::{Joined, Passed, PassedName};
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
    /// All of them, unless one hangs on the request.
    joined: Option<Joined>,
    /// Of their names and headers.
    bits: u64,
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
        let joined = joined(&lines);
        let says_some = !lines.is_empty() || hiding.is_some();
        says_some.then_some(Passing { lines, joined, bits, hiding })
    }

    /// Puts the lines among the request's headers, to stand there while what is passed on is written. `None`: out of memory, or a value is too
    /// long.
    ///
    /// # Safety
    /// It lives as long as the request.
    pub unsafe fn begin(&self, r: Request, protocol: Protocol) -> Option<NonNull<Passed>> {
        let joined = self.joined.as_ref().filter(|_| protocol == Protocol::Lines);
        let names = self.lines.iter().filter_map(|line| line.replaced(protocol));
        let room = if joined.is_some() { 1 } else { self.lines.len() };
        let mut passed = Passed::prepare(r, names, self.bits, room)?;
        // SAFETY: the caller's promise; values were looked at.
        unsafe {
            match joined {
                Some(joined) => passed.push_joined(joined),
                None => {
                    for line in self.lines.iter().filter(|line| line.is_said(protocol)) {
                        passed.push(&line.name, line.value.header_value(r)?.unwrap_or_default());
                    }
                }
            }
            Some(passed.begin())
        }
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
    /// Whose place it takes among the client's headers. `None`: nobody's.
    #[inline]
    fn replaced(&self, protocol: Protocol) -> Option<&PassedName> {
        match protocol {
            Protocol::FastCgi => self.header.as_ref(),
            _ => self.is_said(protocol).then_some(&self.name),
        }
    }

    /// The protocol has it among the headers.
    #[inline]
    fn is_said(&self, protocol: Protocol) -> bool {
        match protocol {
            Protocol::Lines | Protocol::Http => true,
            Protocol::Grpc => !self.is_hop,
            Protocol::FastCgi => false,
        }
    }
}

/// `None`: one of them hangs on the request, or none says anything.
fn joined(lines: &[Line]) -> Option<Joined> {
    let all = lines.iter().map(|line| Some((&line.name, line.value.constant()?)));
    Joined::new(&all.collect::<Option<Vec<_>>>()?)
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
