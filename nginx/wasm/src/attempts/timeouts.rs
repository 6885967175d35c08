//! The timeouts of an attempt.

/// Milliseconds; 0 leaves a value as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timeouts {
    pub connect_ms: u32,
    pub send_ms: u32,
    pub read_ms: u32,
}

impl Timeouts {
    /// Each cut to what `wanted` has for it.
    pub fn shortened(self, wanted: Timeouts) -> Timeouts {
        let shorter = |now: u32, wanted: u32| if wanted == 0 { now } else { now.min(wanted) };
        Timeouts {
            connect_ms: shorter(self.connect_ms, wanted.connect_ms),
            send_ms: shorter(self.send_ms, wanted.send_ms),
            read_ms: shorter(self.read_ms, wanted.read_ms),
        }
    }
}
