//! Proxy-Wasm vocabulary: status codes, header maps, property paths, addresses, endpoint records; no nginx, no Wasm
