//! ngx_http_wasm_module: the Proxy-Wasm host in nginx
