//! When a request was passed on to whom. nginx keeps how long each attempt took, and when the last one began: those before it are found
//! by going back from there, each of which ended when the next one began.

use std::ptr::NonNull;

use ngx::ffi::{ngx_current_msec, ngx_http_upstream_state_t, ngx_http_upstream_t, ngx_msec_t};
use wick_native::request::Request;
use wick_native::text::bytes;
use wick_tracing::{Attempt, SpanWriter, Text};

use crate::random;

/// `now_ms`: since 1970.
pub fn write(r: Request, now_ms: u64, span: &mut SpanWriter) {
    let Some(upstream) = r.upstream() else { return };
    // SAFETY: the request's upstream, and a word that nginx updates in this very thread.
    let ago = unsafe { ngx_current_msec.saturating_sub(upstream.as_ref().start_time) };
    let last = now_ms.saturating_sub(ago as u64);
    let attempts = r.attempts();
    if attempts.iter().all(|attempt| !attempt.peer.is_null()) {
        write_target(upstream, span);
    }
    // Until the last one begins.
    let mut before: u64 = attempts.iter().map(took).sum();
    before -= attempts.last().map_or(0, took);
    for attempt in attempts {
        // The two clocks are cut to milliseconds each: no part begins before the whole.
        let start_ms = last.saturating_sub(before).max(r.started_ms());
        before = before.saturating_sub(took(attempt));
        // SAFETY: the name of a peer lives as long as the request. Those without one stand between the attempts before an internal
        // redirect and those behind it.
        let Some(peer) = (unsafe { attempt.peer.as_ref() }) else { continue };
        let Some([id]) = random::words() else { return };
        span.attempt(&Attempt {
            span: id.max(1),
            status: attempt.status as u16,
            start_ms,
            duration_ms: took(attempt) as u32,
            connect_ms: time(attempt.connect_time),
            header_ms: time(attempt.header_time),
            response_bytes: u64::try_from(attempt.response_length).unwrap_or(0),
            // SAFETY: as above.
            address: unsafe { bytes(*peer) },
        });
    }
}

/// What all attempts asked for. After an internal redirect nginx knows it of the last ones only. FastCGI and gRPC have none.
fn write_target(upstream: NonNull<ngx_http_upstream_t>, span: &mut SpanWriter) {
    // SAFETY: the request's upstream, whose strings live as long as the request.
    let (scheme, target) =
        unsafe { (bytes(upstream.as_ref().schema), bytes(upstream.as_ref().uri)) };
    if let Some(scheme) = scheme.strip_suffix(b"://").filter(|_| !target.is_empty()) {
        span.text(Text::UpstreamScheme, scheme);
        span.text(Text::UpstreamTarget, target);
    }
}

fn took(attempt: &ngx_http_upstream_state_t) -> u64 {
    time(attempt.response_time).unwrap_or(0).into()
}

fn time(ms: ngx_msec_t) -> Option<u32> {
    (ms != ngx_msec_t::MAX).then_some(ms as u32)
}
