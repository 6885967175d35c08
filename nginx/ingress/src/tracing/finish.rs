//! The handler of the log phase: a request that is sampled leaves a span, and so do those that nginx made on its behalf.

use std::cell::Cell;

use ngx::ffi::{ngx_http_request_t, ngx_int_t};
use wick_native::code::OK;
use wick_native::guard::guard;
use wick_native::request::Request;
use wick_native::text::bytes;
use wick_native::variable;
use wick_tracing::{Context, Head, Kind, SpanWriter, Text};

use super::attempts;
use super::conf::{Span, Tracing, tracing};
use crate::random;

/// Locations of authentication services are called so (the controller's auth-location).
const AUTHENTICATION: &[u8] = b"@auth-";

thread_local! {
    /// Memory for one record after the other.
    static SCRATCH: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

pub unsafe extern "C" fn log(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: handlers get live requests.
    let r = unsafe { Request::from_raw(r) };
    if let Some(tracing) = tracing(r)
        && let Some(span) = tracing.span(r)
        && span.context.is_sampled
    {
        guard((), || finish(r, tracing, span));
    }
    OK
}

#[cold]
fn finish(r: Request, tracing: &Tracing, span: &Span) {
    let mut record = SCRATCH.take();
    if write(r, tracing, span, &mut record).is_some() {
        tracing.locked(|ring| ring.push(&record));
    }
    SCRATCH.set(record);
}

/// `None`: there is no id for it.
fn write(r: Request, tracing: &Tracing, span: &Span, record: &mut Vec<u8>) -> Option<()> {
    let now_ms = r.started_ms() + r.age_ms();
    let (kind, context) = match r.is_main() {
        true => (Kind::Request, span.context),
        false => (kind(r), part(&span.context)?),
    };
    let head = Head {
        kind,
        context: &context,
        status: r.logged_status() as u16,
        start_ms: r.started_ms(),
        duration_ms: u32::try_from(r.age_ms()).unwrap_or(u32::MAX),
        request_bytes: if r.is_main() { r.length() } else { 0 },
        response_bytes: if r.is_main() { r.bytes_sent() } else { 0 },
    };
    let mut writer = SpanWriter::new(record, &head);
    write_texts(r, tracing, span, &mut writer);
    attempts::write(r, now_ms, &mut writer);
    Some(())
}

fn write_texts(r: Request, tracing: &Tracing, span: &Span, writer: &mut SpanWriter) {
    writer.text(Text::Method, r.method());
    if !r.is_main() {
        return writer.text(Text::Path, r.uri());
    }
    writer.text(Text::Name, span.name);
    let target = r.unparsed_uri();
    let path = target.iter().position(|byte| *byte == b'?').unwrap_or(target.len());
    writer.text(Text::Path, &target[..path]);
    writer.text(Text::Query, target.get(path + 1..).unwrap_or_default());
    for (text, index) in &tracing.texts {
        writer.text(*text, variable::at(r, *index).unwrap_or_default());
    }
}

fn kind(r: Request) -> Kind {
    // SAFETY: the name of a location lives as long as the configuration.
    let location = unsafe { bytes(r.core_loc().as_ref().name) };
    if location.starts_with(AUTHENTICATION) { Kind::Authentication } else { Kind::Subrequest }
}

/// Of what happens within the request.
fn part(whole: &Context) -> Option<Context> {
    let [id] = random::words()?;
    Some(whole.part(id))
}
