//! What a policy may see and do in one call: its backend, and in select and info the request at hand.

use std::borrow::Cow;
use std::cell::OnceCell;

use ngx::ffi::{NGX_LOG_DEBUG, NGX_LOG_ERR, NGX_LOG_INFO, NGX_LOG_WARN};
use wick_abi::{LogLevel, Status, cookie};
use wick_kv::{Live, SwapError};
use wick_native::headers;
use wick_native::log;
use wick_native::request::Request;
use wick_policy::{Endpoints, Number, Side, Swapped, World};

use super::backend::Backend;
use crate::conf::PolicyConf;
use crate::environment::zone_slots::AllSlots;

pub struct Asking<'a> {
    pub slots: &'a AllSlots,
    pub conf: &'a PolicyConf,
    pub backend: &'a Backend,
    /// In select and info.
    pub request: Option<Request<'a>>,
    /// In info: there is a response.
    pub has_response: bool,
    pub avoided: &'a [u8],
    /// Who is alive is looked up once in a call.
    pub live: OnceCell<Live>,
}

impl Asking<'_> {
    fn slot(&self, index: usize, which: usize) -> Option<u64> {
        self.backend.slots.get(index).map(|slots| slots[which]).filter(|slot| *slot != 0)
    }

    fn reads(&self, name: &[u8]) -> bool {
        self.conf.readable_headers.iter().any(|readable| readable.eq_ignore_ascii_case(name))
    }
}

impl World for Asking<'_> {
    fn endpoints(&self) -> &Endpoints {
        &self.backend.endpoints
    }

    fn configuration(&self) -> &[u8] {
        &self.backend.config
    }

    fn avoided(&self) -> &[u8] {
        self.avoided
    }

    fn header(&self, side: Side, name: &[u8]) -> Option<Cow<'_, [u8]>> {
        let r = self.request?;
        let value = match (side, name) {
            (Side::Request, b":path") => Some(r.unparsed_uri()),
            (Side::Request, b":method") => Some(r.method()),
            (Side::Request, b":authority") => {
                Some(headers::get(r, headers::Side::Request, b"host").unwrap_or(r.host()))
            }
            (Side::Request, _) if self.reads(name) => headers::get(r, headers::Side::Request, name),
            (Side::Response, _) if self.has_response && self.reads(name) => {
                headers::get(r, headers::Side::Response, name)
            }
            _ => None,
        };
        value.map(Cow::Borrowed)
    }

    fn cookie(&self, name: &[u8]) -> Option<Cow<'_, [u8]>> {
        let r = self.request.filter(|_| self.reads(b"cookie"))?;
        let mut lines = headers::each(r, headers::Side::Request)
            .filter(|(header, _)| header.eq_ignore_ascii_case(b"cookie"));
        lines.find_map(|(_, line)| cookie::find(line, name)).map(Cow::Borrowed)
    }

    fn number(&self, index: usize, number: Number) -> u64 {
        const LATENCY_CELL: u32 = 0;
        let which = usize::from(matches!(number, Number::Own(_)));
        let Some(slot) = self.slot(index, which) else { return 0 };
        let (Some(zone), slot) = self.slots.find(slot) else { return 0 };
        match number {
            Number::Own(cell) => zone.slots().get(slot, cell),
            Number::Latency => zone.slots().get(slot, LATENCY_CELL),
            // All slots of a backend are of one zone.
            Number::Running => zone.slots().gauge(slot, self.live.get_or_init(|| zone.live())),
        }
    }

    fn add(&self, index: usize, cell: u32, what: u64) -> Result<u64, Status> {
        let slot = self.slot(index, 1).ok_or(Status::NotFound)?;
        let (zone, slot) = self.slots.find(slot);
        let row = zone.ok_or(Status::NotFound)?.row().ok_or(Status::InternalFailure)?;
        row.add(slot, cell, what).ok_or(Status::NotFound)
    }

    fn swap(&self, index: usize, cell: u32, expected: u64, wanted: u64) -> Result<Swapped, Status> {
        let slot = self.slot(index, 1).ok_or(Status::NotFound)?;
        let (zone, slot) = self.slots.find(slot);
        let row = zone.ok_or(Status::NotFound)?.row().ok_or(Status::InternalFailure)?;
        match row.swap(slot, cell, expected, wanted) {
            Ok(()) => Ok(Swapped::Done),
            Err(SwapError::Mismatch(found)) => Ok(Swapped::Found(found)),
            Err(SwapError::Released) => Err(Status::NotFound),
        }
    }

    fn log(&self, level: LogLevel, text: &str) {
        let level = match level {
            LogLevel::Trace | LogLevel::Debug => NGX_LOG_DEBUG,
            LogLevel::Info => NGX_LOG_INFO,
            LogLevel::Warn => NGX_LOG_WARN,
            LogLevel::Error | LogLevel::Critical => NGX_LOG_ERR,
        };
        let to = self.request.map_or_else(log::of_cycle, |r| r.log());
        if self.backend.policy.may_log() {
            let name = &self.backend.policy.name;
            log::write(to, level as usize, format_args!("[wasm] [policy \"{name}\"] {text}"));
        }
    }
}
