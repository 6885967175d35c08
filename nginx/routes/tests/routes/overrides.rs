// Printed by `npm run wire` from wire/: change it there.

use serde_json::Value as Json;
use wick_routes::{NextUpstream, Overrides};

/// As posted.
pub fn json_of(numbers: &Overrides) -> Json {
    let named = [
        ("proxy_connect_timeout_ms", numbers.proxy_connect_timeout_ms.map(Json::from)),
        ("proxy_send_timeout_ms", numbers.proxy_send_timeout_ms.map(Json::from)),
        ("proxy_read_timeout_ms", numbers.proxy_read_timeout_ms.map(Json::from)),
        ("client_max_body_size_bytes", numbers.client_max_body_size_bytes.map(Json::from)),
        ("proxy_next_upstream", numbers.proxy_next_upstream.map(words)),
        ("proxy_next_upstream_tries", numbers.proxy_next_upstream_tries.map(Json::from)),
        ("proxy_next_upstream_timeout_ms", numbers.proxy_next_upstream_timeout_ms.map(Json::from)),
        ("proxy_buffer_size_bytes", numbers.proxy_buffer_size_bytes.map(Json::from)),
        ("proxy_buffers_number", numbers.proxy_buffers_number.map(Json::from)),
        ("proxy_busy_buffers_size_bytes", numbers.proxy_busy_buffers_size_bytes.map(Json::from)),
        ("proxy_buffering", numbers.proxy_buffering.map(Json::from)),
        ("proxy_request_buffering", numbers.proxy_request_buffering.map(Json::from)),
        ("proxy_max_temp_file_size_bytes", numbers.proxy_max_temp_file_size_bytes.map(Json::from)),
        ("client_body_buffer_size_bytes", numbers.client_body_buffer_size_bytes.map(Json::from)),
        ("absolute_redirect", numbers.absolute_redirect.map(Json::from)),
        ("port_in_redirect", numbers.port_in_redirect.map(Json::from)),
        ("limit_rate_bytes", numbers.limit_rate_bytes.map(Json::from)),
        ("limit_rate_after_bytes", numbers.limit_rate_after_bytes.map(Json::from)),
        ("client_body_timeout_ms", numbers.client_body_timeout_ms.map(Json::from)),
        ("send_timeout_ms", numbers.send_timeout_ms.map(Json::from)),
        ("error_pages_400", numbers.error_pages_400.map(Json::from)),
        ("error_pages_450", numbers.error_pages_450.map(Json::from)),
        ("error_pages_500", numbers.error_pages_500.map(Json::from)),
        ("error_pages_550", numbers.error_pages_550.map(Json::from)),
        ("proxy_intercept_errors", numbers.proxy_intercept_errors.map(Json::from)),
        ("limit_req_status", numbers.limit_req_status.map(Json::from)),
        ("limit_conn_status", numbers.limit_conn_status.map(Json::from)),
    ];
    named.into_iter().filter_map(|(name, number)| Some((name.to_owned(), number?))).collect()
}

fn words(next: NextUpstream) -> Json {
    next.words().map(|word| NextUpstream::WORDS[word]).collect::<Vec<_>>().join(" ").into()
}
