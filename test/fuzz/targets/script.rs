//! Any script, any request: it comes to its end, within its bounds. The first byte says whether the path had escapes.
#![no_main]

#[allow(dead_code)]
#[path = "../../../nginx/script/tests/script/fake.rs"]
mod fake;

use libfuzzer_sys::fuzz_target;
use wick_script::{End, MAX_BYTES, Script};

fuzz_target!(|bytes: &[u8]| {
    let Some((first, record)) = bytes.split_first() else { return };
    let Ok(script) = Script::read(record) else { return };
    let mut request = fake::Fake::new(&script, "/a/b c&d?e=f").with("http_x", "/a\r\nb");
    request.has_escapes = first & 1 != 0;
    let end = request.run();
    // A template has 4 KiB, so that a step has no more parts than that.
    assert!(request.calls <= (script.len() + 1) * 4096);
    assert!(request.variables.values().all(|value| value.len() <= MAX_BYTES));
    let location = match end {
        Ok(End::Redirect { location, .. }) => location,
        Ok(End::Return { code: 301 | 302 | 303 | 307 | 308, text: Some(text) }) => text,
        _ => b"",
    };
    assert!(!location.iter().any(u8::is_ascii_control));
});
