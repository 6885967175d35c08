//! `expires`: when a response is too old to be used again. Source: nginx, `ngx_http_set_expires`, `ngx_http_parse_expires` and `ngx_parse_time`.

use std::str;

use wick_wire::{RecordError, Template};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expires {
    Off,
    Epoch,
    Max,
    /// So many seconds from now on; of `modified`, from the response's Last-Modified on, if it has one.
    After {
        seconds: i64,
        modified: bool,
    },
    /// The next time that the day is so many seconds old.
    Daily(i64),
    /// What it becomes for a response is one of the others but `modified`; anything else is `off`.
    Variable(Template),
}

/// What the response says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpiresAnswer {
    pub expires: ExpiresAt,
    /// Of Cache-Control; `None`: `no-cache`.
    pub max_age: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpiresAt {
    /// The first second of 1970.
    Epoch,
    /// The last day of 2037.
    Max,
    /// Seconds since 1970.
    Second(i64),
}

/// Ten years.
const MAX_AGE: i64 = 315_360_000;

impl Expires {
    /// # Errors: `Field` for what is none.
    pub fn read(text: &[u8]) -> Result<Expires, RecordError> {
        let expires = match text {
            [b'$', ..] => return Ok(Expires::Variable(Template::read(text)?)),
            _ => match text.strip_prefix(b"modified ") {
                Some(rest) => after(rest, true),
                None => Expires::parse(text),
            },
        };
        expires.ok_or(RecordError::Field)
    }

    /// What the value of a variable means. `None`: nothing.
    pub fn parse(text: &[u8]) -> Option<Expires> {
        match text {
            b"off" => Some(Expires::Off),
            b"epoch" => Some(Expires::Epoch),
            b"max" => Some(Expires::Max),
            [b'@', time @ ..] => {
                seconds(time).filter(|time| *time <= 24 * 60 * 60).map(Expires::Daily)
            }
            text => after(text, false),
        }
    }

    /// What a response says that is sent at `now` and was changed at `modified`; `next` tells when the day is so many seconds old
    /// again. `None`: nothing. Of a variable's value `Variable` says nothing by itself: see [`Expires::parse`].
    pub fn answer(
        &self,
        now: i64,
        modified: Option<i64>,
        next: impl FnOnce(i64) -> i64,
    ) -> Option<ExpiresAnswer> {
        let at = |second: i64, age: i64| ExpiresAnswer {
            expires: ExpiresAt::Second(second),
            max_age: (age >= 0).then_some(age),
        };
        match *self {
            Expires::Off | Expires::Variable(_) => None,
            Expires::Epoch => Some(ExpiresAnswer { expires: ExpiresAt::Epoch, max_age: None }),
            Expires::Max => Some(ExpiresAnswer { expires: ExpiresAt::Max, max_age: Some(MAX_AGE) }),
            Expires::After { seconds: 0, .. } => Some(at(now, 0)),
            Expires::Daily(time) => {
                let second = next(time);
                Some(at(second, second - now))
            }
            Expires::After { seconds, modified: is_modified } => {
                let Some(modified) = modified.filter(|_| is_modified) else {
                    return Some(at(now + seconds, seconds));
                };
                let second = modified + seconds;
                Some(at(second, if seconds < 0 { seconds } else { second - now }))
            }
        }
    }
}

/// A time with or without a sign.
fn after(text: &[u8], modified: bool) -> Option<Expires> {
    let (sign, time) = match text {
        [b'+', time @ ..] => (1, time),
        [b'-', time @ ..] => (-1, time),
        time => (1, time),
    };
    Some(Expires::After { seconds: sign * seconds(time)?, modified })
}

/// Units of nginx's times, the longest first, in seconds.
const UNITS: [(u8, i64); 7] = [
    (b'y', 365 * 24 * 60 * 60),
    (b'M', 30 * 24 * 60 * 60),
    (b'w', 7 * 24 * 60 * 60),
    (b'd', 24 * 60 * 60),
    (b'h', 60 * 60),
    (b'm', 60),
    (b's', 1),
];

/// `1d 12h`, `90m`, `30`: units from the longest to the shortest, seconds if there is none. `None`: it is no time, or too long a one.
fn seconds(text: &[u8]) -> Option<i64> {
    let (mut rest, mut units, mut total) = (text, &UNITS[..], 0i64);
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, behind) = rest.split_at(digits);
        let number: i64 = str::from_utf8(number).ok()?.parse().ok()?;
        let unit = behind.first().copied().unwrap_or(b's');
        let place = units.iter().position(|(letter, _)| *letter == unit)?;
        total = total.checked_add(number.checked_mul(units[place].1)?)?;
        units = &units[place + 1..];
        let behind = behind.get(1..).unwrap_or_default();
        rest = &behind[behind.iter().take_while(|byte| **byte == b' ').count()..];
    }
    (total <= i64::from(i32::MAX)).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_000_000;

    fn answer(text: &str, modified: Option<i64>) -> Option<(ExpiresAt, Option<i64>)> {
        let expires = Expires::read(text.as_bytes()).unwrap();
        let answer = expires.answer(NOW, modified, |time| 2_000_000 + time);
        answer.map(|answer| (answer.expires, answer.max_age))
    }

    #[test]
    fn times_have_units_from_the_longest_to_the_shortest() {
        for (text, expected) in [
            ("30", Some(30)),
            ("0", Some(0)),
            ("90m", Some(5400)),
            ("1d 12h", Some(129_600)),
            ("1y1M1w1d1h1m1s", Some(34_822_861)),
            ("1h30", Some(3630)),
            ("12h 1d", None),
            ("1h1h", None),
            ("5ms", None),
            ("h", None),
            ("", None),
            ("1x", None),
            ("99999y", None),
        ] {
            assert_eq!(seconds(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn a_response_says_when_it_is_too_old() {
        let at = |second, age| Some((ExpiresAt::Second(second), age));
        assert_eq!(answer("off", None), None);
        assert_eq!(answer("epoch", None), Some((ExpiresAt::Epoch, None)));
        assert_eq!(answer("max", None), Some((ExpiresAt::Max, Some(MAX_AGE))));
        assert_eq!(answer("+3600", None), at(NOW + 3600, Some(3600)));
        assert_eq!(answer("1h", Some(5)), at(NOW + 3600, Some(3600)));
        assert_eq!(answer("-1", None), at(NOW - 1, None));
        assert_eq!(answer("+0", None), at(NOW, Some(0)));
        assert_eq!(answer("@60", None), at(2_000_060, Some(1_000_060)));
    }

    #[test]
    fn a_response_without_a_last_change_is_as_old_as_it_is_now() {
        let at = |second, age| Some((ExpiresAt::Second(second), age));
        assert_eq!(answer("modified +60", None), at(NOW + 60, Some(60)));
        assert_eq!(answer("modified +60", Some(NOW - 10)), at(NOW + 50, Some(50)));
        assert_eq!(answer("modified +60", Some(NOW - 100)), at(NOW - 40, None));
        assert_eq!(answer("modified -60", Some(NOW + 100)), at(NOW + 40, None));
    }

    #[test]
    fn what_is_none_is_refused_and_of_a_variable_means_nothing() {
        for text in ["", "x", "@25h", "modified epoch", "modified @1", "+", "1d,"] {
            assert_eq!(Expires::read(text.as_bytes()), Err(RecordError::Field), "{text}");
        }
        assert!(matches!(Expires::read(b"$e"), Ok(Expires::Variable(_))));
        assert_eq!(Expires::parse(b"$e"), None);
        assert_eq!(Expires::parse(b"@24h"), Some(Expires::Daily(86_400)));
    }
}
