//! Host and path to route: records and matching; no nginx, no Wasm
