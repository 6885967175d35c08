//! Answers of authentication services that are kept, as the users of the crate see it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::AtomicU64;

use proptest::prelude::*;
use wick_access::{Answers, CacheDuration, Key, ServiceAnswer, seconds_to_keep};

fn words(count: usize) -> Vec<AtomicU64> {
    (0..count).map(|_| AtomicU64::new(0)).collect()
}

fn found(answers: &Answers, key: Key, now_ms: u64) -> Option<Vec<u8>> {
    let mut to = b"before".to_vec();
    answers.find(key, now_ms, &mut to).then(|| to.split_off(6))
}

mod table {
    use super::*;

    #[test]
    fn an_answer_is_found_until_its_moment() {
        let words = words(4096);
        assert!(Answers::attach(&words).is_none());
        let answers = Answers::create(&words, [1, 2]);
        let key = answers.key([&b"a"[..], b"b"]);
        assert_eq!(found(&answers, key, 0), None);
        for bytes in [&b""[..], b"1", b"12345678", b"123456789", &[7; 1000]] {
            answers.keep(key, 100, bytes);
            assert_eq!(found(&answers, key, 99).as_deref(), Some(bytes));
            assert_eq!(found(&answers, key, 100), None);
        }
        let same = Answers::attach(&words).expect("what was created");
        assert_eq!(found(&same, key, 0), Some(vec![7; 1000]));
        assert_eq!(same.key([&b"a"[..], b"b"]), key);
    }

    #[test]
    fn parts_that_make_the_same_text_make_other_keys() {
        let words = words(4096);
        let answers = Answers::create(&words, [1, 2]);
        let keys = [
            answers.key([&b"ab"[..], b""]),
            answers.key([&b"a"[..], b"b"]),
            answers.key([&b""[..], b"ab"]),
            answers.key([&b"ab"[..]]),
        ];
        for (at, key) in keys.iter().enumerate() {
            assert!(!keys[..at].contains(key));
        }
        let other = super::words(4096);
        assert_ne!(Answers::create(&other, [1, 3]).key([&b"ab"[..]]), keys[3]);
    }

    #[test]
    fn what_is_too_large_is_not_kept() {
        let words = words(4096);
        let answers = Answers::create(&words, [1, 2]);
        answers.keep(Key(1, 1), 100, &[0; 8 * 4096]);
        assert_eq!(found(&answers, Key(1, 1), 0), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        /// Whatever is found is what was kept last under the key, however often the ring went round.
        #[test]
        fn nothing_else_is_ever_found(
            kept in prop::collection::vec((0u64..40, 0usize..300, any::<u8>()), 1..400),
        ) {
            let words = words(4096);
            let answers = Answers::create(&words, [1, 2]);
            let mut all = HashMap::new();
            for (key, len, byte) in kept {
                // Of some sets only, so that they get full.
                let key = Key(key * 31, key);
                let answer = vec![byte; len];
                answers.keep(key, 10, &answer);
                prop_assert_eq!(found(&answers, key, 0), Some(answer.clone()));
                all.insert(key, answer);
                for (key, answer) in &all {
                    let found = found(&answers, *key, 0);
                    prop_assert!(found.is_none() || found.as_ref() == Some(answer));
                }
            }
        }
    }
}

mod answer {
    use super::*;

    #[test]
    fn comes_back_from_its_bytes() {
        let value = |text: &'static [u8]| Cow::Borrowed(text);
        let answer = ServiceAnswer {
            status: 401,
            headers: vec![Some(value(b"ann")), None, Some(value(b""))],
            challenges: vec![value(b"Basic"), value(b"Bearer")],
        };
        let bytes = answer.write();
        assert_eq!(ServiceAnswer::read(&bytes, 3), Some(answer));
        assert_eq!(ServiceAnswer::read(&bytes, 2), None);
        for len in 0..bytes.len() {
            let cut = ServiceAnswer::read(&bytes[..len], 3);
            assert!(cut.is_none_or(|cut| cut.challenges.len() < 2));
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>, headers in 0usize..5) {
            ServiceAnswer::read(&bytes, headers);
        }
    }
}

mod freshness {
    use super::*;

    const DURATIONS: [CacheDuration; 2] =
        [CacheDuration { status: 200, seconds: 600 }, CacheDuration { status: 401, seconds: 60 }];

    fn kept(status: u16, headers: &[(&str, &str)]) -> Option<u32> {
        let headers = headers.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes()));
        seconds_to_keep(status, headers, &DURATIONS, 1000, |text| (text == b"date").then_some(1030))
    }

    #[test]
    fn goes_by_the_status() {
        assert_eq!(kept(200, &[]), Some(600));
        assert_eq!(kept(401, &[]), Some(60));
        assert_eq!(kept(204, &[]), None);
        let any = [CacheDuration { status: 0, seconds: 5 }];
        for (status, wanted) in [(204, Some(5)), (403, Some(5)), (500, None), (302, None)] {
            let kept = seconds_to_keep(status, std::iter::empty(), &any, 0, |_| None);
            assert_eq!(kept, wanted);
        }
    }

    #[test]
    fn goes_by_what_the_answer_says_first() {
        assert_eq!(kept(204, &[("Cache-Control", "public, max-age=7")]), Some(7));
        assert_eq!(kept(200, &[("cache-control", "max-age=7, S-MaxAge=8")]), Some(8));
        assert_eq!(kept(200, &[("Expires", "date")]), Some(30));
        assert_eq!(kept(200, &[("Expires", "0")]), None);
        assert_eq!(kept(200, &[("Expires", "date"), ("Cache-Control", "max-age=9")]), Some(9));
        assert_eq!(kept(200, &[("X-Accel-Expires", "3"), ("Cache-Control", "max-age=9")]), Some(3));
        assert_eq!(kept(200, &[("X-Accel-Expires", "@1002")]), Some(2));
        for value in ["0", "off", "@900", "-1", ""] {
            assert_eq!(kept(200, &[("X-Accel-Expires", value)]), None, "{value}");
        }
        assert_eq!(kept(200, &[("Cache-Control", "max-age=x")]), None);
    }

    #[test]
    fn is_none_for_what_is_one_clients() {
        for header in [
            ("Set-Cookie", "a=b"),
            ("Cache-Control", "max-age=9, Private"),
            ("Cache-Control", "no-cache"),
            ("Cache-Control", "public,no-store"),
            ("Vary", "*"),
            ("Vary", "Accept-Encoding, Cookie"),
        ] {
            assert_eq!(kept(200, &[header]), None, "{header:?}");
            assert_eq!(kept(200, &[("X-Accel-Expires", "9"), header]), None, "{header:?}");
        }
        assert_eq!(kept(200, &[("Vary", "accept-encoding")]), Some(600));
    }
}
