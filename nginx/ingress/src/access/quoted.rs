//! Texts in challenges.

/// As a quoted string (RFC 9110, 5.6.4). The text has no control characters.
pub fn quoted(text: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'"'];
    for byte in text {
        if matches!(byte, b'"' | b'\\') {
            quoted.push(b'\\');
        }
        quoted.push(*byte);
    }
    quoted.push(b'"');
    quoted
}
