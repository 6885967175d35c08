//! Variables of the module that ingress-nginx has in its place: `$opentelemetry_trace_id` and others, for logs and headers.

use ngx::ffi::{ngx_http_request_t, ngx_http_variable_value_t, ngx_int_t};
use wick_native::conf::Conf;
use wick_native::request::Request;
use wick_native::variable::{self, NoAnswer};

use super::conf::{Span, tracing};

/// In whose place requests carry their span. It has no value that anybody could read.
pub const NOTED: &[u8] = b"ingress_span";

const NAMES: [(&[u8], What); 5] = [
    (b"opentelemetry_trace_id", What::TraceId),
    (b"opentelemetry_span_id", What::SpanId),
    (b"opentelemetry_sampled", What::Sampled),
    (b"opentelemetry_context_traceparent", What::Traceparent),
    (b"opentelemetry_context_b3", What::B3),
];

#[derive(Clone, Copy)]
enum What {
    TraceId,
    SpanId,
    Sampled,
    Traceparent,
    /// The header `b3`, of one line.
    B3,
}

/// They are there whether or not anything is traced: a log format may name them.
pub fn declare(conf: Conf) -> Option<()> {
    variable::declare_note(conf, NOTED, 0, 0)?;
    for (nth, (name, _)) in NAMES.iter().enumerate() {
        variable::declare(conf, name, 0, |variable| {
            variable.get_handler = Some(get);
            variable.data = nth;
        })?;
    }
    Some(())
}

unsafe extern "C" fn get(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    nth: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request and the place for the value.
    unsafe {
        variable::answer(r, value, |r| {
            let span = tracing(r).and_then(|tracing| tracing.span(r));
            let (Some(span), Some((_, what))) = (span, NAMES.get(nth)) else { return Ok(None) };
            text(r, span, *what).map(Some).ok_or(NoAnswer)
        })
    }
}

/// `None`: out of memory.
fn text<'r>(r: Request<'r>, span: &'r Span<'r>, what: What) -> Option<&'r [u8]> {
    Some(match what {
        What::TraceId => span.trace(),
        What::SpanId => span.id(),
        What::Sampled if span.context.is_sampled => b"1",
        What::Sampled => b"0",
        What::Traceparent => &span.traceparent,
        What::B3 => r.pool().copy(&span.context.b3(false))?,
    })
}
