//! What the module keeps of the configuration, and with a request.

use std::ptr::{NonNull, with_exposed_provenance};

use wick_native::request::Request;
use wick_native::variable;
use wick_native::word_zone::WordZone;
use wick_tracing::{Context, Ring, Sampler, TRACEPARENT_BYTES, Text};

use super::index::MODULE;
use crate::random;

/// `None`: nothing is traced.
#[derive(Default)]
pub struct MainConf(pub Option<Tracing>);

/// What `ingress_tracing` declares.
pub struct Tracing {
    pub zone: WordZone,
    pub sampler: Sampler,
    pub propagators: Propagators,
    /// Index of the variable in whose place requests carry their span.
    pub noted_at: usize,
    /// What spans say of a request, and the indexes of the variables that have it.
    pub texts: Box<[(Text, usize)]>,
}

/// In which headers traces come and go (OpenTelemetry's `OTEL_PROPAGATORS`).
#[derive(Clone, Copy, Default)]
pub struct Propagators {
    /// `traceparent` and `tracestate`.
    pub trace_context: bool,
    /// `b3`.
    pub b3: bool,
    /// `X-B3-TraceId` and others.
    pub b3_multi: bool,
}

/// The span of a request, in its memory.
pub struct Span<'r> {
    pub context: Context,
    pub traceparent: [u8; TRACEPARENT_BYTES],
    /// Empty: what the exporter makes of method and path.
    pub name: &'r [u8],
}

impl Span<'_> {
    /// The id of its trace, in digits.
    pub fn trace(&self) -> &[u8] {
        &self.traceparent[3..35]
    }

    /// Its own id, in digits.
    pub fn id(&self) -> &[u8] {
        &self.traceparent[36..52]
    }
}

impl Tracing {
    /// Under the lock of its zone.
    pub fn locked<R>(&self, f: impl FnOnce(Ring<'static>) -> R) -> R {
        self.zone.locked(|words| f(Ring::open(words, seed)))
    }

    /// Has the request carry its span to its end. `None`: out of memory.
    #[inline]
    pub fn keep<'r>(&self, r: Request<'r>, span: Span<'r>) -> Option<&'r Span<'r>> {
        let span = r.pool().put(span)?;
        span.as_ptr().expose_provenance();
        variable::note(r, self.noted_at, span.as_ptr().addr());
        // SAFETY: it lies in the request's memory, and nobody changes it.
        Some(unsafe { span.as_ref() })
    }

    /// `None`: the request is not traced. A subrequest's is that of the request.
    #[inline]
    pub fn span<'r>(&self, r: Request<'r>) -> Option<&'r Span<'r>> {
        let word = variable::noted(r.main(), self.noted_at)?;
        // SAFETY: what `keep` noted, in memory of the request that lives as long as its subrequests; 0 stands for none.
        NonNull::new(with_exposed_provenance::<Span>(word).cast_mut())
            .map(|span| unsafe { span.as_ref() })
    }
}

#[inline]
pub fn tracing(r: Request<'_>) -> Option<&Tracing> {
    // SAFETY: the module's main configuration, which outlives the request.
    unsafe { (*r.main_conf::<MainConf>(MODULE.get())).0.as_ref() }
}

fn seed() -> u64 {
    random::words().map_or(1, |[seed]| seed)
}

/// The request is traced, by the route that it had before.
pub fn has_begun(r: Request) -> bool {
    tracing(r).is_some_and(|tracing| tracing.span(r).is_some())
}
