//! The stores repair themselves without a word, because nothing may log under their lock. The process that sees one move says it then.

use ngx::ffi::{NGX_LOG_ERR, NGX_LOG_WARN};
use wick_native::log;

use super::Environment;

impl Environment {
    /// Logs repairs of the zones since the last time that any worker did.
    #[cold]
    pub fn tell_repairs(&self) {
        let statistics = || self.zones.iter().map(|zone| zone.store().statistics());
        let repairs = statistics().map(|s| s.recoveries).sum();
        if repairs == 0 || !self.counters().is_some_and(|counters| counters.repaired(repairs)) {
            return;
        }
        let emptied: u64 = statistics().map(|s| s.resets).sum();
        let (level, outcome) = match emptied {
            0 => (NGX_LOG_WARN, "nothing was lost".into()),
            n => (NGX_LOG_ERR, format!("{n} had to be emptied, their memory was damaged")),
        };
        log::write(
            log::of_cycle(),
            level as usize,
            format_args!(
                "[wasm] shared zones were repaired {repairs} times because a process was killed while it wrote: {outcome}"
            ),
        );
    }
}
