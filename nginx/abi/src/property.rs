//! Paths of `proxy_get_property` and `proxy_set_property`: segments joined by NUL.

/// A path, taken apart. Absent parts are empty.
///
/// `request\0headers\0x-tenant` has all three parts, `upstream\0address` two, `plugin_name` one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PropertyPath<'a> {
    pub scope: &'a [u8],
    pub name: &'a [u8],
    pub key: &'a [u8],
}

impl<'a> PropertyPath<'a> {
    /// `None` when a segment is empty or there are more than three. One NUL at the end is tolerated: SDKs differ.
    pub fn parse(path: &'a [u8]) -> Option<PropertyPath<'a>> {
        let path = path.strip_suffix(b"\0").unwrap_or(path);
        let mut parts = [&[][..]; 3];
        for (at, segment) in path.split(|byte| *byte == 0).enumerate() {
            if segment.is_empty() {
                return None;
            }
            *parts.get_mut(at)? = segment;
        }
        let [scope, name, key] = parts;
        Some(PropertyPath { scope, name, key })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(path: &[u8]) -> Option<[&[u8]; 3]> {
        PropertyPath::parse(path).map(|path| [path.scope, path.name, path.key])
    }

    #[test]
    fn a_path_has_one_to_three_parts() {
        assert_eq!(parts(b"plugin_name"), Some([&b"plugin_name"[..], b"", b""]));
        assert_eq!(parts(b"upstream\0address\0"), Some([&b"upstream"[..], b"address", b""]));
        assert_eq!(parts(b"request\0headers\0a.b"), Some([&b"request"[..], b"headers", b"a.b"]));
        for path in [&b""[..], b"\0", b"a\0\0b", b"\0a", b"a\0\0", b"a\0b\0c\0d"] {
            assert_eq!(parts(path), None, "{path:?}");
        }
    }

    proptest! {
        #[test]
        fn parts_are_those_of_the_path(path in prop::collection::vec(prop_oneof![Just(0_u8), any::<u8>()], 0..20)) {
            if let Some(parts) = parts(&path) {
                let joined = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(&0);
                prop_assert_eq!(&joined[..], path.strip_suffix(b"\0").unwrap_or(&path));
            }
        }
    }
}
