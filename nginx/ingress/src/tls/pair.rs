//! A pair of certificate and key as OpenSSL has it, with the OCSP response that goes with it.

use std::cell::RefCell;
use std::rc::Rc;

use ngx::ffi::ngx_cached_time;
use wick_hosts::Records;
use wick_native::tls::{Certificate, Chain, Connection, Failure, Key, is_ocsp_response};
use wick_tls::Staple;

/// A longer response is not sent: clients that use OpenSSL end the handshake at a message of more than 16 KiB.
const MAX_STAPLE_BYTES: usize = 16_000;

/// Interned by id.
pub struct ReadyPair {
    certificate: Certificate,
    key: Key,
    chain: Chain,
    /// So that they stay interned.
    _above: Box<[Rc<Certificate>]>,
    staple: RefCell<KnownStaple>,
}

/// A staple as the zone had it when it was last looked at.
#[derive(Default)]
struct KnownStaple {
    /// The zone's version at which this was last known to hold; none is 0.
    checked: u64,
    key_version: u64,
    staple: Option<(i64, Box<[u8]>)>,
}

impl ReadyPair {
    /// # Errors: key and certificate do not belong together.
    pub fn new(
        certificate: Certificate,
        key: Key,
        above: Box<[Rc<Certificate>]>,
    ) -> Result<ReadyPair, Failure> {
        certificate.check_key(&key)?;
        let chain = Chain::new(above.iter().map(Rc::as_ref))?;
        let staple = RefCell::default();
        Ok(ReadyPair { certificate, key, chain, _above: above, staple })
    }

    /// # Errors: the connection's security level forbids it.
    pub fn offer(&self, connection: Connection) -> Result<(), Failure> {
        connection.add_certificate(&self.certificate, &self.key, &self.chain)
    }

    pub fn is_chosen(&self, connection: Connection) -> bool {
        connection.certificate() == self.certificate.as_ptr()
    }

    /// Sends the response of `key` along, if the zone has one that has not run out. Says whether it does.
    ///
    /// # Errors: out of memory.
    pub fn staple(
        &self,
        connection: Connection,
        records: &impl Records,
        key: &[u8],
    ) -> Result<bool, Failure> {
        let mut known = self.staple.borrow_mut();
        known.update(records, key);
        match &known.staple {
            Some((until_ms, response)) if now_ms() < *until_ms => {
                connection.staple(response).map(|()| true)
            }
            _ => Ok(false),
        }
    }
}

impl KnownStaple {
    fn update(&mut self, records: &impl Records, key: &[u8]) {
        // Taken before anything is read: a change from here on is found by the next handshake.
        let now = records.version();
        if self.checked == now {
            return;
        }
        let key_version = records.key_version(key);
        if self.checked == 0 || self.key_version != key_version {
            let mut record = Vec::new();
            let there = records.read(key, &mut record);
            // OpenSSL 3.6 reads what it is to send, and ends the handshake over what it cannot read.
            let fits = |staple: &Staple| {
                let response = staple.response;
                there && response.len() <= MAX_STAPLE_BYTES && is_ocsp_response(response)
            };
            let staple = Staple::decode(&record).ok().filter(fits);
            self.staple = staple.map(|staple| (staple.until_ms, staple.response.into()));
            self.key_version = key_version;
        }
        self.checked = now;
    }
}

/// Milliseconds since 1970, as old as the events that are being handled.
fn now_ms() -> i64 {
    // SAFETY: nginx keeps its clock in this very thread.
    let time = unsafe { &*ngx_cached_time };
    time.sec * 1000 + time.msec as i64
}
