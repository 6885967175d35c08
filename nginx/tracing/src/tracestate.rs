//! The header `tracestate` (W3C Trace Context, 3.3): it is handed on as it came, or not at all.

/// What everybody has to hand on; longer ones are not.
const MAX_BYTES: usize = 512;
const MAX_MEMBERS: usize = 32;
const MAX_KEY_BYTES: usize = 256;
const MAX_VALUE_BYTES: usize = 256;

/// Whether the values, in order, may be handed on.
pub fn is_tracestate<'v>(values: impl Iterator<Item = &'v [u8]>) -> bool {
    let (mut bytes, mut members) = (0, 0);
    for value in values {
        bytes += value.len();
        if bytes > MAX_BYTES {
            return false;
        }
        for member in value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii) {
            members += 1;
            if members > MAX_MEMBERS || !(member.is_empty() || is_member(member)) {
                return false;
            }
        }
    }
    true
}

fn is_member(member: &[u8]) -> bool {
    let Some(equals) = member.iter().position(|byte| *byte == b'=') else { return false };
    let (key, value) = (&member[..equals], &member[equals + 1..]);
    let in_key =
        |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'*' | b'/' | b'@');
    let in_value = |byte: &u8| matches!(byte, b' '..=b'~') && *byte != b'=';
    let starts = key.first().is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    starts
        && key.len() <= MAX_KEY_BYTES
        && key.iter().all(in_key)
        && (1..=MAX_VALUE_BYTES).contains(&value.len())
        && value.iter().all(in_value)
}
