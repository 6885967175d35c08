//! The first bytes of a connection. However they come in segments: once they were told apart, more of them change nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wick_tls::{ClientHello, MAX_NAME_BYTES, name_in_extension, normalise};

fuzz_target!(|bytes: &[u8]| {
    let (mut whole, mut part, mut name) =
        ([0; MAX_NAME_BYTES], [0; MAX_NAME_BYTES], [0; MAX_NAME_BYTES]);
    let all = ClientHello::read(bytes, &mut whole);
    if let ClientHello::Named(read) = all {
        assert_eq!(normalise(read, &mut name), Some(read), "names are normalised");
    }
    for end in 0..bytes.len().min(600) {
        match ClientHello::read(&bytes[..end], &mut part) {
            ClientHello::Partial => {}
            told => assert_eq!(told, all, "of {end} bytes"),
        }
    }
    if let Some(sent) = name_in_extension(bytes) {
        normalise(sent, &mut name);
    }
});
