//! Which traces are recorded (OpenTelemetry, Trace SDK, "Sampling").

use crate::context::TraceId;

/// Decides about traces that begin here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Root {
    AlwaysOn,
    AlwaysOff,
    /// This part of them, 0 to 1: `TraceIdRatioBased`, so that all who have the same ratio record the same traces.
    Ratio(f64),
}

#[derive(Clone, Copy, Debug)]
pub struct Sampler {
    /// Traces whose id is below it are recorded. Source: opentelemetry-go, `traceIDRatioSampler`, which takes 63 bits of the id's second half.
    bound: u64,
    /// What a client says of its own trace counts.
    is_parent_based: bool,
}

impl Sampler {
    pub fn new(root: Root, is_parent_based: bool) -> Sampler {
        let bound = match root {
            Root::AlwaysOn => 1 << 63,
            Root::AlwaysOff => 0,
            // The conversion cuts off what is no number, or too small or large.
            Root::Ratio(ratio) => ((ratio * (1u64 << 63) as f64) as u64).min(1 << 63),
        };
        Sampler { bound, is_parent_based }
    }

    /// `decided`: by the client; `None` where it has not.
    #[inline]
    pub fn samples(&self, trace: TraceId, decided: Option<bool>) -> bool {
        match decided {
            Some(is_sampled) if self.is_parent_based => is_sampled,
            _ => trace.low >> 1 < self.bound,
        }
    }
}
