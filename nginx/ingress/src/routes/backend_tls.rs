//! TLS towards backends, and towards authentication services: what routes say of it, ready for nginx, which takes it for what the text of a location says.
//!
//! `ingress_backend_tls ZONE` says where certificates and authorities are. Each different `backend_tls` has a context of OpenSSL's, made when it is
//! first needed and kept for the worker's life: kept connections and sessions are told apart by where nginx's settings lie, so that no others may
//! lie there later. What a record names is found in the zone by the first handshake.

mod means;
mod ready;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use wick_native::tls::Failure;
use wick_routes::BackendTls;

pub use means::Means;
pub use ready::{ReadyBackend, SpokenTo};

/// All that this worker has made ready, by what records say.
#[derive(Default)]
pub struct ReadyBackends {
    means: Option<Means>,
    known: RefCell<HashMap<BackendTls, Rc<ReadyBackend>>>,
}

/// Why backends cannot be spoken to as a record says.
#[derive(Clone, Copy, Debug)]
pub enum Unready {
    NoZone,
    TooMany,
    /// How this nginx keeps such settings.
    Unknown,
    OpenSsl(Failure),
}

impl ReadyBackends {
    pub fn new(means: Option<Means>) -> ReadyBackends {
        ReadyBackends { means, known: RefCell::default() }
    }

    /// The same for equal ones. `max`: how many there may be.
    ///
    /// # Errors: there are too many, or the configuration has no zone for them.
    pub fn of(&self, said: &BackendTls, max: usize) -> Result<Rc<ReadyBackend>, Unready> {
        let mut known = self.known.borrow_mut();
        if let Some(ready) = known.get(said) {
            return Ok(ready.clone());
        }
        let means = self.means.as_ref().ok_or(Unready::NoZone)?;
        if known.len() >= max {
            return Err(Unready::TooMany);
        }
        let ready = Rc::new(ReadyBackend::new(said.clone(), means.clone()));
        known.insert(said.clone(), ready.clone());
        Ok(ready)
    }
}

impl fmt::Display for Unready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unready::NoZone => {
                f.write_str("its backend speaks TLS, and the configuration has no \"ingress_backend_tls\"")
            }
            Unready::TooMany => f.write_str(
                "its backend speaks TLS in a way of its own, of which there are too many since the last reload",
            ),
            Unready::Unknown => {
                f.write_str("its backend speaks TLS, and how this nginx does is not known")
            }
            Unready::OpenSsl(failure) => write!(f, "TLS to its backend cannot be set up: {failure}"),
        }
    }
}
