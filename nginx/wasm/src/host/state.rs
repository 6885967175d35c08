//! What the host keeps for one instance.

use wick_abi::Status;
use wick_guest::Parts;
use wick_native::zone::SharedZone;

use super::current::Current;
use super::local_response::LocalResponse;
use super::patterns::Patterns;
use super::property::Properties;
use super::templates::Templates;
use super::watched::Watched;
use crate::attempts::target::Targets;
use crate::attempts::timeouts::Timeouts;
use crate::environment::Environment;
use crate::environment::counted::Counted;

/// What the host functions of one instance work on.
pub struct Host {
    pub environment: &'static Environment,
    /// Index of its module.
    pub module: usize,
    pub parts: Parts,
    /// On whose behalf the filter runs now.
    pub current: Current,
    /// What the callback at hand asked for; taken by its caller.
    pub wants: Wants,
    /// What it added to a gauge.
    pub counted: Counted,
    /// The zones from which this instance has read.
    pub watched: Vec<Watched>,
    pub properties: Properties,
    pub templates: Templates,
    pub patterns: Patterns,
    pub targets: Targets,
    /// Reused for values on their way from a zone to the filter.
    pub scratch: Vec<u8>,
}

/// What a callback asked for.
#[derive(Default)]
pub struct Wants {
    pub local_response: Option<LocalResponse>,
    pub timeouts: Option<Timeouts>,
    /// `proxy_accept_upstream_response`
    pub accept: bool,
}

impl Host {
    /// For a new instance of `module`.
    pub fn new(environment: &'static Environment, module: usize) -> Host {
        Host {
            environment,
            module,
            parts: Parts::new(environment.memory_limit_bytes()),
            current: Current::NONE,
            wants: Wants::default(),
            counted: Counted::NOTHING,
            watched: Vec::new(),
            properties: Properties::default(),
            templates: Templates::default(),
            patterns: Patterns::default(),
            targets: Targets::default(),
            scratch: Vec::new(),
        }
    }

    /// The zone that a key belongs to.
    pub fn zone(&self, key: &[u8]) -> Result<SharedZone, Status> {
        let zone = self.environment.zone_of(key).ok_or(Status::NotFound)?;
        Ok(self.environment.zones()[zone])
    }

    /// The same; from now on the filter learns when it moves.
    pub fn watch(&mut self, key: &[u8]) -> Result<SharedZone, Status> {
        let at = self.environment.zone_of(key).ok_or(Status::NotFound)?;
        let zone = self.environment.zones()[at];
        if !self.watched.iter().any(|watched| watched.is_of(at)) {
            self.watched.push(Watched::new(at, zone));
        }
        Ok(zone)
    }

    /// Keeps a buffer for the next value unless it became large.
    pub fn reuse(&mut self, buffer: Vec<u8>) {
        const KEPT_BYTES: usize = 64 << 10;
        if buffer.capacity() <= KEPT_BYTES {
            self.scratch = buffer;
        }
    }
}
