//! Variables of sessions, called as those of requests; and of requests what was counted.

use wick_native::conf::Conf;
use wick_native::request::Request;
use wick_native::stream::session::Session;
use wick_native::stream::variable::{self, Valued};
use wick_native::variable::{Printed, declare_printed};

use super::conf::{HTTP, MainConf};
use super::counters::Counters;
use super::session::kept;
use crate::passthrough;

pub fn declare(conf: Conf) -> Option<()> {
    variable::declare::<Backend>(conf, b"proxy_upstream_name")?;
    // For the filter.
    variable::declare_changeable(conf, b"proxy_alternative_upstream_name")?;
    variable::declare::<Namespace>(conf, b"namespace")?;
    variable::declare::<ServiceName>(conf, b"service_name")?;
    variable::declare::<ServicePort>(conf, b"service_port")?;
    variable::declare::<Refused>(conf, b"ingress_stream_refusal")
}

/// That of the port's record, or of the connection that was handed on.
struct Backend;

impl Valued for Backend {
    fn get(s: Session<'_>) -> Option<&[u8]> {
        match kept(s) {
            Some(kept) => Some(&kept.target()?.backend),
            None => passthrough::backend(s),
        }
    }
}

struct Namespace;

impl Valued for Namespace {
    fn get(s: Session<'_>) -> Option<&[u8]> {
        Some(&kept(s)?.target()?.namespace)
    }
}

struct ServiceName;

impl Valued for ServiceName {
    fn get(s: Session<'_>) -> Option<&[u8]> {
        Some(&kept(s)?.target()?.service_name)
    }
}

struct ServicePort;

impl Valued for ServicePort {
    fn get(s: Session<'_>) -> Option<&[u8]> {
        Some(&kept(s)?.target()?.service_port)
    }
}

/// Why the session was closed, in one word; none if it was not.
struct Refused;

impl Valued for Refused {
    fn get(s: Session<'_>) -> Option<&[u8]> {
        Some(kept(s)?.refusal(s)?.name().as_bytes())
    }
}

pub fn declare_in_http(conf: Conf) -> Option<()> {
    declare_printed::<Counted>(conf, b"ingress_stream_counters")
}

struct Counted;

impl Printed for Counted {
    type Value = Counters;

    fn get(r: Request) -> Option<Counters> {
        // SAFETY: the module's main configuration.
        unsafe { (*r.main_conf::<MainConf>(HTTP.get())).counters }
    }
}
