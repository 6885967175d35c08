//! What is handed on where: per configuration, per server block, and where a server name leads.

use std::cell::{Cell, OnceCell, RefCell};
use std::ptr::{NonNull, null_mut};

use ngx::ffi::{ngx_listening_t, ngx_log_t};
use wick_kv::Store;
use wick_native::module::ModuleIndex;
use wick_native::zone::{SharedZone, ZoneLock};

use super::streams::SharedPort;
use crate::limited_log::LimitedLog;

pub static MODULE: ModuleIndex = ModuleIndex::unset();

/// One per directive; they live in the configuration's pool.
#[derive(Default)]
pub struct MainConf(pub Vec<NonNull<Passthroughs>>);

/// What the module keeps per server block.
#[derive(Default)]
pub struct SrvConf {
    /// Set where `ingress_passthrough` stands.
    pub passthroughs: Option<NonNull<Passthroughs>>,
}

/// What a server block hands on, and to whom.
pub struct Passthroughs {
    pub zone: SharedZone,
    /// Name of the stream module's listener, as nginx prints it: `unix:PATH`.
    pub listener: Box<[u8]>,
    pub proxy_protocol_timeout_ms: usize,
    /// The stream module's listener; null until the configuration is in force.
    pub stream: Cell<*mut ngx_listening_t>,
    /// Those whose addresses may have streams.
    pub ports: Box<[SharedPort]>,
    /// Opened at the first connection: while the configuration is read, the zone is not mapped yet.
    open: OnceCell<(Store, ZoneLock)>,
    /// Where the beginning of a connection is looked at.
    pub peeked: RefCell<Vec<u8>>,
    errors: LimitedLog,
}

impl Passthroughs {
    /// `listener`: the name of the stream module's listener, `unix:PATH`.
    pub fn new(
        zone: SharedZone,
        listener: &[u8],
        proxy_protocol_timeout_ms: usize,
        ports: Box<[SharedPort]>,
    ) -> Passthroughs {
        Passthroughs {
            zone,
            listener: listener.into(),
            proxy_protocol_timeout_ms,
            stream: Cell::new(null_mut()),
            ports,
            open: OnceCell::new(),
            peeked: RefCell::default(),
            errors: LimitedLog::default(),
        }
    }

    /// Whether nobody wants any connection. One load.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.store().0.is_empty()
    }

    /// What the port of a listener shares with streams.
    #[inline]
    pub fn port(&self, number: u16) -> Option<&SharedPort> {
        self.ports.iter().find(|port| port.number == number)
    }

    #[inline]
    fn store(&self) -> &(Store, ZoneLock) {
        self.open.get_or_init(|| (self.zone.store(), self.zone.lock()))
    }

    /// Name of the backend that connections with this server name go to; `None`: it is no passthrough's.
    pub fn backend(&self, name: &[u8], log: *mut ngx_log_t) -> Option<Box<[u8]>> {
        let (store, lock) = self.store();
        let key = [b"passthroughs/", name].concat();
        let backend = |record: &[u8], _| {
            wick_tls::Passthrough::decode(record).map(|passthrough| passthrough.backend.into())
        };
        match store.read(lock, &key, backend)? {
            Ok(backend) => Some(backend),
            Err(error) => {
                let name = name.escape_ascii();
                self.errors.error(
                    log,
                    format_args!("Cannot read the record of passthrough \"{name}\": {error}"),
                );
                None
            }
        }
    }
}
