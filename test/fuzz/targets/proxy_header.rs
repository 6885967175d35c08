//! The header of the PROXY protocol: where it ends does not depend on how much has come.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wick_tls::ProxyHeader;

fuzz_target!(|bytes: &[u8]| {
    let all = ProxyHeader::read(bytes);
    if let ProxyHeader::Whole(len) = all {
        assert!(len > 0 && len <= bytes.len());
        assert_eq!(ProxyHeader::read(&bytes[..len]), all);
    }
    for end in 0..bytes.len().min(600) {
        match ProxyHeader::read(&bytes[..end]) {
            ProxyHeader::Partial => {}
            told => assert_eq!(told, all, "of {end} bytes"),
        }
    }
});
