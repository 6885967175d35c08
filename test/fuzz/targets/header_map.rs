//! Header maps of filters: what was read is what is written again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wick_abi::HeaderMap;
use wick_abi::header_map::{Pair, encode, encoded_len};

fuzz_target!(|bytes: &[u8]| {
    let Ok(map) = HeaderMap::parse(bytes) else { return };
    let pairs: Vec<Pair> = map.iter().collect();
    assert_eq!(pairs.len(), map.len());
    let mut again = vec![0; encoded_len(&pairs)];
    encode(&pairs, &mut again).expect("as long as it was said to be");
    let map = HeaderMap::parse(&again).expect("what was written can be read");
    assert_eq!(map.iter().collect::<Vec<_>>(), pairs);
});
