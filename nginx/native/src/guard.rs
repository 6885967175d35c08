//! Panics stop here. A Rust panic that crossed into C would abort the worker with all its requests,
//! so every `extern "C"` function of the modules is a call of [`guard`].

use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook};
use std::sync::Once;

use ngx::ffi::{NGX_LOG_ALERT, ngx_cycle};

use crate::log;

/// Runs `f`; a panic in it becomes `default`. The panic was logged by then, see [`log_panics`].
#[inline(always)]
pub fn guard<R>(default: R, f: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or(default)
}

/// Makes every panic of this module one `[alert]` line in nginx's error log; stderr is closed in
/// a daemon. Further calls do nothing.
pub fn log_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| set_hook(Box::new(print)));
}

fn print(panic: &PanicHookInfo<'_>) {
    // SAFETY: nginx sets ngx_cycle before it loads modules; log is set in every cycle.
    let log = unsafe { (*ngx_cycle).log };
    log::write(log, NGX_LOG_ALERT as usize, format_args!("panic: {panic}"));
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_panic_becomes_the_default() {
        assert_eq!(super::guard(7, || panic!("expected by this test")), 7);
        assert_eq!(super::guard(7, || 8), 8);
    }
}
