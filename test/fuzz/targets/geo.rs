//! A database of GeoIP, whatever its bytes are: the first sixteen are the client's address, or its first four that of one of IPv4.
#![no_main]

use std::net::IpAddr;

use libfuzzer_sys::fuzz_target;
use wick_geo::{Database, VARIABLES};

fuzz_target!(|bytes: &[u8]| {
    let Some((address, database)) = bytes.split_first_chunk::<16>() else { return };
    let Ok(database) = Database::open(database) else { return };
    let v4 = [address[0], address[1], address[2], address[3]];
    for client in [IpAddr::from(*address), IpAddr::from(v4)] {
        for place in VARIABLES.iter().flat_map(|variable| variable.places) {
            if let Ok(Some(value)) = database.get(client, place.path) {
                assert!(value.to_string().len() <= bytes.len() + 400, "a value is of the database");
            }
        }
    }
});
