//! What `ingress_backend_tls` brings along.

use std::ptr::NonNull;
use std::rc::Rc;

use wick_native::complex::Complex;
use wick_native::conf::Conf;
use wick_native::zone::SharedZone;

use crate::tls::shelf::Shelf;
use crate::tls::shelf_of;

/// What endpoints are sent, and what their certificates are for.
const NAME: &[u8] = b"$route_proxy_ssl_name";

#[derive(Clone)]
pub struct Means {
    pub shelf: Rc<Shelf>,
    /// In the configuration's pool.
    pub name: NonNull<Complex>,
}

impl Means {
    /// `None`: out of memory.
    pub fn new(conf: Conf, zone: SharedZone) -> Option<Means> {
        let name = Complex::compile(conf, NAME)?;
        Some(Means { shelf: shelf_of(conf, zone), name: conf.pool().keep(name)? })
    }
}
