//! How often a request was passed on, as `CDN-Loop` has it (RFC 8586): `wick;n=2`, among what others say of themselves.

/// Our pseudonym.
const NAME: &[u8] = b"wick";

/// As one value of the header says; 0: not at all.
#[cold]
pub fn passes_in(value: &[u8]) -> usize {
    value.split(|byte| *byte == b',').filter_map(own_passes).max().unwrap_or(0)
}

/// `None`: of somebody else.
fn own_passes(info: &[u8]) -> Option<usize> {
    let mut parts = info.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
    parts.next().filter(|name| name.eq_ignore_ascii_case(NAME))?;
    let number = parts.find_map(|part| part.strip_prefix(b"n="));
    // Who lost the number has been here once at least, and one beyond all bounds is too often.
    let is_number = |digits: &&[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let text = number.filter(is_number).and_then(|digits| std::str::from_utf8(digits).ok());
    Some(text.map_or(1, |text| text.parse().unwrap_or(usize::MAX)).max(1))
}
