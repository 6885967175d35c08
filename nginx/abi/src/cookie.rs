//! Cookies in a request's `Cookie` header: `name=value; name=value`.

/// The value of the first cookie of exactly this name, as it was sent.
pub fn find<'a>(header: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let mut cookies = header.split(|c| *c == b';').map(<[u8]>::trim_ascii);
    cookies.find_map(|cookie| cookie.strip_prefix(name)?.strip_prefix(b"="))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_cookie_is_found_by_its_whole_name() {
        let header = b"route=1; Route=2;xroute=3 ; routes=4;route=5; e=; q=\"a b\"; eq=a=b";
        let of = |name: &str| find(header, name.as_bytes());
        assert_eq!(of("route"), Some(&b"1"[..]));
        assert_eq!(of("Route"), Some(&b"2"[..]));
        assert_eq!(of("xroute"), Some(&b"3"[..]));
        assert_eq!(of("routes"), Some(&b"4"[..]));
        assert_eq!(of("e"), Some(&b""[..]));
        assert_eq!(of("q"), Some(&b"\"a b\""[..]));
        assert_eq!(of("eq"), Some(&b"a=b"[..]));
        assert_eq!((of("rout"), of("a b"), of("")), (None, None, None));
    }

    #[test]
    fn what_is_no_cookie_is_passed_over() {
        assert_eq!(find(b";;  ;route;=1;\troute=2\t;", b"route"), Some(&b"2"[..]));
        assert_eq!(find(b"", b"route"), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_safe(header: Vec<u8>, name: Vec<u8>) {
            let value = find(&header, &name);
            prop_assert!(value.is_none_or(|value| !value.contains(&b';')));
        }

        #[test]
        fn a_cookie_that_was_written_comes_back(
            before in "[a-z]{1,5}=[!-:<-~]{0,9}",
            name in "[A-Z]{1,9}",
            value in "[!-:<-~]{0,20}",
        ) {
            let header = format!("{before}; {name}={value}; {before}");
            prop_assert_eq!(find(header.as_bytes(), name.as_bytes()), Some(value.as_bytes()));
        }
    }
}
