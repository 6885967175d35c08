//! What may be a header: names and values.

/// A name or value that must not be written into a header.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused;

/// RFC 9110 `token`, the form of a header's name.
pub fn is_token(name: &[u8]) -> bool {
    let special = b"!#$%&'*+-.^_`|~";
    !name.is_empty() && name.iter().all(|b| b.is_ascii_alphanumeric() || special.contains(b))
}

/// No control characters but tab: what cannot end a header line early.
pub fn is_field_value(value: &[u8]) -> bool {
    value.iter().all(|b| *b == b'\t' || (*b >= b' ' && *b != 0x7f))
}

/// Whether a backend may take `name` for `other`: CGI and what came after it make one variable of `x-user`, `X_User` and
/// `x.user`.
pub fn is_alike(name: &[u8], other: &[u8]) -> bool {
    let is_alike = |(a, b): (&u8, &u8)| {
        a.eq_ignore_ascii_case(b) || !a.is_ascii_alphanumeric() && !b.is_ascii_alphanumeric()
    };
    name.len() == other.len() && name.iter().zip(other).all(is_alike)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_become_one_variable_are_alike() {
        for name in [&b"X-User"[..], b"x_user", b"x.USER"] {
            assert!(is_alike(name, b"x-user") && is_alike(b"x_user", name));
        }
        assert!(!is_alike(b"xuser", b"x-user") && !is_alike(b"x-users", b"x-user"));
        assert!(!is_alike(b"x0user", b"x-user"));
    }

    #[test]
    fn names_are_tokens_and_values_cannot_end_a_line() {
        assert!(
            is_token(b"X-Served-By") && !is_token(b"") && !is_token(b"a b") && !is_token(b"a:")
        );
        assert!(
            is_field_value(b"caf\xc3\xa9\t1")
                && !is_field_value(b"1\r\nX: 2")
                && !is_field_value(b"\0")
        );
    }
}
