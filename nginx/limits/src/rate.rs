//! The leaky bucket of nginx's `limit_req … nodelay`, number by number (ngx_http_limit_req_lookup).

/// A rate, and what may come above it at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Thousandths of a request per second.
    per_second: u64,
    /// Thousandths of a request.
    burst: u64,
}

/// One request.
const REQUEST: u64 = 1000;
/// A clock that steps back further was set anew.
const MAX_BACK_MS: i64 = 60_000;

impl Rate {
    /// `burst`: requests.
    pub fn per_second(requests: u32, burst: u64) -> Rate {
        Rate { per_second: u64::from(requests) * REQUEST, burst: burst.saturating_mul(REQUEST) }
    }

    /// As nginx's `rate=Nr/m`: what is less than a thousandth of a request per second is dropped.
    pub fn per_minute(requests: u32, burst: u64) -> Rate {
        let per_second = u64::from(requests) * REQUEST / 60;
        Rate { per_second, burst: burst.saturating_mul(REQUEST) }
    }

    /// The excess after one more request, in thousandths. `Err`: it is more than the burst, and the request is refused.
    #[inline]
    pub fn next(self, excess: u64, elapsed_ms: u64) -> Result<u64, u64> {
        let drained = self.per_second.saturating_mul(elapsed_ms) / 1000;
        let excess = excess.saturating_add(REQUEST).saturating_sub(drained);
        if excess > self.burst { Err(excess) } else { Ok(excess) }
    }

    /// Milliseconds after which nothing is left of an excess, nor of the request that left it.
    #[inline]
    pub fn drains_in_ms(self, excess: u64) -> u64 {
        let drained = excess.saturating_add(REQUEST).saturating_mul(1000);
        drained.checked_div(self.per_second).map_or(u64::MAX, |_| drained.div_ceil(self.per_second))
    }

    /// The largest excess that may be left so long before it has drained.
    pub fn excess_before(self, drained_in_ms: u64) -> u64 {
        let drains = self.per_second.saturating_mul(drained_in_ms).div_ceil(1000);
        if self.per_second == 0 {
            self.burst
        } else {
            drains.saturating_sub(REQUEST).min(self.burst)
        }
    }

    /// How many requests may come at once.
    pub fn at_once(self) -> u64 {
        self.burst / REQUEST + 1
    }

    /// How many of those are left, after one that left this excess.
    pub fn left(self, excess: u64) -> u64 {
        self.burst.saturating_sub(excess) / REQUEST
    }

    /// Seconds until all of them are left again.
    pub fn full_in(self, excess: u64) -> u64 {
        self.seconds(excess.saturating_add(REQUEST))
    }

    /// Seconds until one more is let in, after one that was refused with this excess.
    pub fn retry_in(self, excess: u64) -> u64 {
        self.seconds(excess.saturating_sub(self.burst)).max(1)
    }

    /// A rate that is rounded down to nothing never drains; a day stands for never.
    fn seconds(self, excess: u64) -> u64 {
        if self.per_second == 0 { 86_400 } else { excess.div_ceil(self.per_second) }
    }
}

/// Milliseconds that count as passed since `last_ms`.
#[inline]
pub fn elapsed_ms(now_ms: u64, last_ms: u64) -> u64 {
    match now_ms.wrapping_sub(last_ms).cast_signed() {
        ms if ms < -MAX_BACK_MS => 1,
        ms => u64::try_from(ms).unwrap_or(0),
    }
}
