//! For how long an answer may be kept. Source: nginx, `proxy_cache_valid`, and what it makes of the answer's own headers.

use crate::external::CacheDuration;

/// Seconds for which an answer may be used again; `None`: not at all. What the answer says itself comes before the durations of the
/// route. `parse_time` reads a date of HTTP, seconds since 1970, as `now` is.
///
/// More strictly than nginx: an answer that varies by anything but its encoding is not kept.
pub fn seconds<'h>(
    status: u16,
    headers: impl Iterator<Item = (&'h [u8], &'h [u8])>,
    durations: &[CacheDuration],
    now: i64,
    parse_time: impl Fn(&[u8]) -> Option<i64>,
) -> Option<u32> {
    if !matches!(status, 200..=299 | 401 | 403) {
        return None;
    }
    let (mut accel, mut max_age, mut expires) = (None, None, None);
    for (name, value) in headers {
        match name.to_ascii_lowercase().as_slice() {
            b"set-cookie" => return None,
            b"vary" if !varies_by_encoding_only(value) => return None,
            b"cache-control" => match cache_control(value) {
                CacheControl::Forbidden => return None,
                CacheControl::MaxAge(seconds) => max_age = Some(seconds),
                CacheControl::Nothing => {}
            },
            b"x-accel-expires" => accel = Some(accel_expires(value, now)),
            b"expires" => expires = Some(parse_time(value).map_or(0, |at| at - now)),
            _ => {}
        }
    }
    let of_route = || duration_of(status, durations).map(i64::from);
    let seconds = accel.or(max_age).or(expires).or_else(of_route)?;
    u32::try_from(seconds).ok().filter(|seconds| *seconds > 0)
}

fn duration_of(status: u16, durations: &[CacheDuration]) -> Option<u32> {
    let of = |status| durations.iter().find(|duration| duration.status == status);
    of(status).or_else(|| of(0)).map(|duration| duration.seconds)
}

fn varies_by_encoding_only(value: &[u8]) -> bool {
    let names = value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    names.into_iter().all(|name| name.is_empty() || name.eq_ignore_ascii_case(b"accept-encoding"))
}

enum CacheControl {
    Forbidden,
    MaxAge(i64),
    Nothing,
}

fn cache_control(value: &[u8]) -> CacheControl {
    let lower = value.to_ascii_lowercase();
    let words = || lower.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    let forbidding: [&[u8]; 3] = [b"no-cache", b"no-store", b"private"];
    if words().any(|word| forbidding.iter().any(|forbidding| word.starts_with(forbidding))) {
        return CacheControl::Forbidden;
    }
    let age = |name: &[u8]| words().find_map(|word| word.strip_prefix(name)).map(number);
    // An age that is no number is none.
    match age(b"s-maxage=").or_else(|| age(b"max-age=")) {
        Some(seconds) => CacheControl::MaxAge(seconds.unwrap_or(0)),
        None => CacheControl::Nothing,
    }
}

/// Seconds, or `@` and a moment. Anything else is no time at all.
fn accel_expires(value: &[u8], now: i64) -> i64 {
    match value.strip_prefix(b"@") {
        Some(at) => number(at).map_or(0, |at| at - now),
        None => number(value).unwrap_or(0),
    }
}

fn number(text: &[u8]) -> Option<i64> {
    let text = text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or(text);
    let is_number = (1..=15).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    is_number.then(|| text.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')))
}
