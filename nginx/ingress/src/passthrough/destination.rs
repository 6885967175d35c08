//! To whom the TLS connections of a server name go that are not HTTP's.

use std::net::SocketAddr;

use wick_native::connection::Connection;

use super::conf::Passthroughs;
use super::streams::SharedPort;

pub enum Destination {
    Backend(Box<[u8]>),
    Stream(SocketAddr),
}

impl Destination {
    /// `name`: what the client asks for, if anything. `None`: they are HTTP's.
    pub fn of(
        connection: Connection,
        passthroughs: &Passthroughs,
        port: Option<&SharedPort>,
        name: Option<&[u8]>,
    ) -> Option<Destination> {
        let log = connection.log();
        let stream = || {
            let at = port.and_then(|_| connection.local_address())?;
            port?.takes(at, name, log).then_some(Destination::Stream(at))
        };
        let backend = || passthroughs.backend(name?, log).map(Destination::Backend);
        stream().or_else(backend)
    }
}
