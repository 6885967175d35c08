//! A line of nginx's error log as JSON: `{"level":"error","time":"…","nginx":"crit","pid":7,"connection":5,"msg":"…"}`. `level` is a word of the
//! controller's log, `nginx` nginx's own. Nothing is allocated: nginx logs in signal handlers, too.

use ngx::ffi::NGX_MAX_ERROR_STR;

/// The longest text: a line of nginx's each of whose bytes takes four.
pub const TEXT: usize = 4 * NGX_MAX_ERROR_STR as usize;

/// Room for a text each of whose bytes takes two, and what is around it.
pub const ROOM: usize = 2 * TEXT + 256;

/// nginx's levels, from 1 on, and what the controller calls them.
const LEVELS: [(&[u8], &[u8]); 8] = [
    (b"emerg", b"error"),
    (b"alert", b"error"),
    (b"crit", b"error"),
    (b"error", b"error"),
    (b"warn", b"warn"),
    (b"notice", b"info"),
    (b"info", b"info"),
    (b"debug", b"debug"),
];

/// `text`: printable ASCII and the line's end.
pub fn line<'t>(text: &[u8], level: usize, now_ms: u64, room: &'t mut [u8; ROOM]) -> &'t [u8] {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let (nginx, ours) = LEVELS.get(level.wrapping_sub(1)).copied().unwrap_or(LEVELS[7]);
    let Parts { pid, connection, message } = parts(text);
    let mut to = Writer { room, len: 0 };
    to.put(&[b"{\"level\":\"", ours, b"\",\"time\":\""]);
    to.time(now_ms);
    to.put(&[b"\",\"nginx\":\"", nginx, b"\""]);
    for (name, digits) in [(&b"pid"[..], pid), (b"connection", connection)] {
        if !digits.is_empty() {
            to.put(&[b",\"", name, b"\":", digits]);
        }
    }
    to.put(&[b",\"msg\":\""]);
    message.iter().for_each(|byte| match byte {
        b'"' | b'\\' => to.put(&[b"\\", &[*byte]]),
        byte => to.put(&[&[*byte]]),
    });
    to.put(&[b"\"}\n"]);
    let Writer { room, len } = to;
    &room[..len]
}

/// What stands in a line as nginx writes it: `2026/11/26 14:00:00 [error] 7#7: *5 message`.
struct Parts<'l> {
    /// Digits, or nothing.
    pid: &'l [u8],
    connection: &'l [u8],
    message: &'l [u8],
}

fn parts(line: &[u8]) -> Parts<'_> {
    let whole = Parts { pid: b"", connection: b"", message: line };
    let Some(level_end) = line.windows(2).position(|two| two == b"] ") else { return whole };
    let (pid, rest) = digits(&line[level_end + 2..]);
    let Some(rest) = rest.strip_prefix(b"#") else { return whole };
    let Some(rest) = digits(rest).1.strip_prefix(b": ") else { return whole };
    let Some(numbered) = rest.strip_prefix(b"*") else {
        return Parts { pid, connection: b"", message: rest };
    };
    let (connection, after) = digits(numbered);
    match after.strip_prefix(b" ") {
        Some(message) => Parts { pid, connection, message },
        None => Parts { pid, connection: b"", message: rest },
    }
}

fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().take_while(|byte| byte.is_ascii_digit()).count())
}

struct Writer<'t> {
    room: &'t mut [u8; ROOM],
    len: usize,
}

impl Writer<'_> {
    /// There is room: see [`ROOM`].
    fn put(&mut self, texts: &[&[u8]]) {
        for text in texts {
            self.room[self.len..self.len + text.len()].copy_from_slice(text);
            self.len += text.len();
        }
    }

    /// With leading zeros.
    fn number(&mut self, value: u64, width: usize) {
        for at in (0..width).rev() {
            let digit = value / 10_u64.pow(at as u32) % 10;
            self.put(&[&[b'0' + digit as u8]]);
        }
    }

    /// `2026-11-26T14:00:00.000Z`
    fn time(&mut self, ms: u64) {
        let (year, month, day) = date(ms / 86_400_000);
        let of_day = ms % 86_400_000;
        let numbers = [
            (year, 4, b'-'),
            (month, 2, b'-'),
            (day, 2, b'T'),
            (of_day / 3_600_000, 2, b':'),
            (of_day / 60_000 % 60, 2, b':'),
            (of_day / 1000 % 60, 2, b'.'),
            (of_day % 1000, 3, b'Z'),
        ];
        for (value, width, end) in numbers {
            self.number(value, width);
            self.put(&[&[end]]);
        }
    }
}

/// Year, month and day of the Gregorian calendar, so many days after 1970-01-01. Years are counted from March on, so that a leap day is the last
/// one of its year.
fn date(days: u64) -> (u64, u64, u64) {
    const FROM_MARCH_OF_YEAR_0: u64 = 719_468;
    const DAYS_OF_400_YEARS: u64 = 146_097;
    let days = days + FROM_MARCH_OF_YEAR_0;
    let (era, of_era) = (days / DAYS_OF_400_YEARS, days % DAYS_OF_400_YEARS);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-26T14:00:01.005Z
    const NOW_MS: u64 = 1_795_701_601_005;

    fn shown(text: &str, level: usize) -> String {
        let mut room = [0; ROOM];
        String::from_utf8(line(text.as_bytes(), level, NOW_MS, &mut room).to_vec()).unwrap()
    }

    #[test]
    fn a_line_is_taken_apart() {
        assert_eq!(
            shown("2026/11/26 15:00:01 [crit] 7#8: *5 says \"no\" to C:\\x1B, client: ::1\n", 3),
            concat!(
                r#"{"level":"error","time":"2026-11-26T14:00:01.005Z","nginx":"crit","pid":7,"connection":5,"#,
                r#""msg":"says \"no\" to C:\\x1B, client: ::1"}"#,
                "\n"
            )
        );
        let of_none = shown("2026/11/26 15:00:01 [notice] 7#7: exiting\n", 6);
        assert!(
            of_none.contains(r#""level":"info""#) && !of_none.contains("connection"),
            "{of_none}"
        );
        assert!(of_none.ends_with("\"pid\":7,\"msg\":\"exiting\"}\n"), "{of_none}");
    }

    #[test]
    fn what_is_no_such_line_is_the_message() {
        for odd in ["", "odd", "[x] y", "[x] 7#7 y"] {
            assert!(shown(odd, 4).ends_with(&format!("\"msg\":\"{odd}\"}}\n")), "{odd}");
        }
        assert!(shown("t [error] 7#7: *x\n", 99).ends_with("\"msg\":\"*x\"}\n"));
    }

    #[test]
    fn the_longest_line_has_room() {
        let long = "\"".repeat(TEXT);
        assert_eq!(shown(&long, 4).matches("\\\"").count(), TEXT);
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, expected) in [
            (0, (1970, 1, 1)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (20_783, (2026, 11, 26)),
            (47_540, (2100, 2, 28)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(date(days), expected);
        }
    }
}
