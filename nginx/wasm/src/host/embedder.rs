//! What a filter may have of what no request is needed for, and where its log lines go.

use ngx::ffi::{NGX_LOG_CRIT, NGX_LOG_DEBUG, NGX_LOG_ERR, NGX_LOG_INFO, NGX_LOG_WARN, ngx_uint_t};
use wick_abi::{LogLevel, Status};
use wick_guest::{Embedder, Parts, Taken};
use wick_native::log;

use super::state::Host;

/// nginx's levels of Proxy-Wasm's TRACE to CRITICAL.
const LEVELS: [u32; 6] =
    [NGX_LOG_DEBUG, NGX_LOG_DEBUG, NGX_LOG_INFO, NGX_LOG_WARN, NGX_LOG_ERR, NGX_LOG_CRIT];

impl Embedder for Host {
    const TAKEN: Taken = Taken {
        // nginx cuts its lines there.
        line_bytes: 2048,
        output_parts: 1024,
        splits_output: false,
        random_bytes: 64 << 10,
    };

    #[inline]
    fn parts(&self) -> &Parts {
        &self.parts
    }

    #[inline]
    fn parts_mut(&mut self) -> &mut Parts {
        &mut self.parts
    }

    fn print(&mut self, level: LogLevel, text: &str) -> Result<(), Status> {
        self.write_line(level, text);
        Ok(())
    }

    fn log_level(&self) -> LogLevel {
        let to = self.current.log();
        [LogLevel::Debug, LogLevel::Info, LogLevel::Warn, LogLevel::Error]
            .into_iter()
            .find(|level| log::enabled(to, LEVELS[*level as usize] as ngx_uint_t))
            .unwrap_or(LogLevel::Critical)
    }
}

impl Host {
    /// Writes a line of the filter's to the log of the request it runs for, else to the cycle's.
    pub fn write_line(&self, level: LogLevel, text: &str) {
        let to = self.current.log();
        let name = self.environment.module_name(self.module);
        let context = self.current.context;
        let level = LEVELS[level as usize] as ngx_uint_t;
        log::write(to, level, format_args!("[wasm] [\"{name}\" #{context}] {text}"));
    }
}
