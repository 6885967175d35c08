//! Which callbacks of HTTP contexts a filter wants: the argument of `wick_set_callbacks` (docs/abi.md).

/// A callback that can be left out, or a group of them.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callback {
    RequestHeaders,
    RequestBody,
    ResponseHeaders,
    ResponseBody,
    UpstreamSelect,
    NextUpstream,
    UpstreamInfo,
    Log,
    /// Create, done and delete.
    Context,
}

const NAMES: [(&[u8], Callback); 9] = [
    (b"request_headers", Callback::RequestHeaders),
    (b"request_body", Callback::RequestBody),
    (b"response_headers", Callback::ResponseHeaders),
    (b"response_body", Callback::ResponseBody),
    (b"upstream_select", Callback::UpstreamSelect),
    (b"next_upstream", Callback::NextUpstream),
    (b"upstream_info", Callback::UpstreamInfo),
    (b"log", Callback::Log),
    (b"context", Callback::Context),
];

/// A set of callbacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallbackSet(u16);

/// A name that is no callback's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownCallback<'a>(pub &'a [u8]);

impl CallbackSet {
    /// What holds until a filter says otherwise.
    pub const ALL: CallbackSet = CallbackSet((1 << NAMES.len()) - 1);
    pub const NONE: CallbackSet = CallbackSet(0);

    /// Reads names joined by NUL; no bytes are no callbacks.
    ///
    /// # Errors
    /// [`UnknownCallback`], for an empty name too.
    pub fn parse(names: &[u8]) -> Result<CallbackSet, UnknownCallback<'_>> {
        if names.is_empty() {
            return Ok(CallbackSet::NONE);
        }
        names.split(|byte| *byte == 0).try_fold(CallbackSet::NONE, |set, name| {
            let known = NAMES.iter().find(|(known, _)| *known == name);
            known.map(|(_, callback)| set.with(*callback)).ok_or(UnknownCallback(name))
        })
    }

    #[must_use]
    pub fn with(self, callback: Callback) -> CallbackSet {
        CallbackSet(self.0 | 1 << callback as u8)
    }

    /// Those that are in both sets.
    #[must_use]
    pub fn and(self, other: CallbackSet) -> CallbackSet {
        CallbackSet(self.0 & other.0)
    }

    #[inline]
    pub fn contains(self, callback: Callback) -> bool {
        self.0 & 1 << callback as u8 != 0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_name_stands_for_its_callback() {
        for (name, callback) in NAMES {
            let set = CallbackSet::parse(name).unwrap();
            assert_eq!(set, CallbackSet::NONE.with(callback));
            assert!(set.contains(callback) && CallbackSet::ALL.contains(callback));
        }
        let all = NAMES.map(|(name, _)| name).join(&0);
        assert_eq!(CallbackSet::parse(&all), Ok(CallbackSet::ALL));
        assert_eq!(CallbackSet::parse(b""), Ok(CallbackSet::NONE));
    }

    #[test]
    fn sets_intersect() {
        let log = CallbackSet::NONE.with(Callback::Log);
        assert_eq!(log.with(Callback::Context).and(log), log);
    }

    #[test]
    fn unknown_names_are_refused() {
        for (names, unknown) in [
            (&b"tick"[..], &b"tick"[..]),
            (b"log\0", b""),
            (b"log\0\0context", b""),
            (b"log,context", b"log,context"),
            (b"Log", b"Log"),
        ] {
            assert_eq!(CallbackSet::parse(names), Err(UnknownCallback(unknown)));
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused_or_a_set(names in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..40),
            "(log|context|request_body|\0){0,6}".prop_map(String::into_bytes),
        ]) {
            if let Err(UnknownCallback(name)) = CallbackSet::parse(&names) {
                prop_assert!(NAMES.iter().all(|(known, _)| *known != name));
            }
        }
    }
}
