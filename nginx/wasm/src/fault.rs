//! What happens around a fault: how long to wait before the next instance, and when to say something.

/// A filter that lived this long was well; its next fault counts as the first.
const HEALTHY_MS: u64 = 10_000;
const FIRST_WAIT_MS: u64 = 100;
const LONGEST_WAIT_MS: u64 = 30_000;
const ONE_LINE_PER_MS: u64 = 10_000;

/// How long to wait before an instance is built again: at once after the first fault, then 100 ms,
/// doubled with each further one up to 30 s.
#[derive(Debug, Default)]
pub struct Backoff {
    faults: u32,
    last_ms: Option<u64>,
}

impl Backoff {
    /// Notes a fault at `now_ms` and returns the wait in milliseconds.
    pub fn fault(&mut self, now_ms: u64) -> u64 {
        if self
            .last_ms
            .is_none_or(|last| now_ms.saturating_sub(last) >= HEALTHY_MS + self.wait_ms())
        {
            self.faults = 0;
        }
        let wait = self.wait_ms();
        self.faults = self.faults.saturating_add(1);
        self.last_ms = Some(now_ms);
        wait
    }

    fn wait_ms(&self) -> u64 {
        match self.faults {
            0 => 0,
            n => (FIRST_WAIT_MS << (n - 1).min(16)).min(LONGEST_WAIT_MS),
        }
    }
}

/// Lets one line through per ten seconds and counts the others.
#[derive(Debug, Default)]
pub struct RateLimit {
    last_ms: Option<u64>,
    held_back: u64,
}

impl RateLimit {
    /// `Some(n)`: write the line; `n` were held back since the last one.
    pub fn pass(&mut self, now_ms: u64) -> Option<u64> {
        if self.last_ms.is_some_and(|last| now_ms.saturating_sub(last) < ONE_LINE_PER_MS) {
            self.held_back += 1;
            return None;
        }
        self.last_ms = Some(now_ms);
        Some(std::mem::take(&mut self.held_back))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_half_a_minute_and_start_over_after_a_healthy_time() {
        let mut backoff = Backoff::default();
        let mut now = 1_000;
        let mut waits = Vec::new();
        for _ in 0..12 {
            let wait = backoff.fault(now);
            waits.push(wait);
            now += wait + 1;
        }
        assert_eq!(waits[..5], [0, 100, 200, 400, 800]);
        assert_eq!(waits[11], LONGEST_WAIT_MS);
        assert_eq!(backoff.fault(now + LONGEST_WAIT_MS + HEALTHY_MS), 0);
    }

    #[test]
    fn one_line_per_ten_seconds_tells_how_many_were_held_back() {
        let mut limit = RateLimit::default();
        assert_eq!(limit.pass(0), Some(0));
        assert_eq!(limit.pass(1), None);
        assert_eq!(limit.pass(9_999), None);
        assert_eq!(limit.pass(10_000), Some(2));
        assert_eq!(limit.pass(20_000), Some(0));
    }
}
