//! Digest authentication, as the users of the crate see it.

use std::collections::HashSet;
use std::sync::atomic::AtomicU64;

use proptest::prelude::*;
use wick_digest::{Algorithm, Answer, Counted, Key, LIFE_MS, Nonce, Presented, Uses};

/// RFC 7616, 3.9.1: Mufasa's answers to GET /dir/index.html with the password "Circle of Life".
const COMMON: &str = "username=\"Mufasa\", realm=\"http-auth@example.org\", uri=\"/dir/index.html\", \
    nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", nc=00000001, \
    cnonce=\"f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ\", qop=auth, \
    opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"";
const MD5: &str = "8ca523f5e9506fed4657c9700eebdbec";
const SHA_256: &str = "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1";

fn header(algorithm: &str, response: &str) -> String {
    format!("Digest {COMMON}, algorithm={algorithm}, response=\"{response}\"")
}

fn hash(algorithm: Algorithm, password: &[u8]) -> Vec<u8> {
    algorithm.hash(&[b"Mufasa", b"http-auth@example.org", password])
}

#[test]
fn answers_of_the_rfc_are_right() {
    for (algorithm, response) in [(Algorithm::Md5, MD5), (Algorithm::Sha256, SHA_256)] {
        let header = header(algorithm.name(), response);
        let answer = Answer::parse(header.as_bytes()).expect("an answer");
        assert_eq!((&*answer.user, answer.algorithm, answer.count), (&b"Mufasa"[..], algorithm, 1));
        let right = hash(algorithm, b"Circle of Life");
        assert!(answer.is_right(&right, b"GET"));
        assert!(answer.is_right(&right.to_ascii_uppercase(), b"GET"));
        assert!(!answer.is_right(&right, b"POST"));
        assert!(!answer.is_right(&hash(algorithm, b"Circle of life"), b"GET"));
        assert_eq!(Algorithm::of_hash(&right), Some(algorithm));
    }
}

#[test]
fn who_names_no_algorithm_means_md5() {
    let header = header("MD5", MD5).replace(", algorithm=MD5", "");
    let answer = Answer::parse(header.as_bytes()).expect("an answer");
    assert!(answer.is_right(&hash(Algorithm::Md5, b"Circle of Life"), b"GET"));
}

#[test]
fn the_server_proves_itself() {
    let header = header("MD5", MD5);
    let answer = Answer::parse(header.as_bytes()).expect("an answer");
    let hash = hash(Algorithm::Md5, b"Circle of Life");
    let request = Algorithm::Md5.hash(&[b"", b"/dir/index.html"]);
    let nonce = b"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v";
    let cnonce = b"f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";
    let proof = Algorithm::Md5.hash(&[&hash, nonce, b"00000001", cnonce, b"auth", &request]);
    let wanted =
        [b"qop=auth, rspauth=\"", &proof[..], b"\", cnonce=\"", cnonce, b"\", nc=00000001"]
            .concat();
    assert_eq!(answer.info(&hash), wanted);
}

#[test]
fn what_is_no_whole_answer_is_none() {
    let whole = header("MD5", MD5);
    assert!(Answer::parse(whole.as_bytes()).is_some());
    for name in ["username", "realm", "nonce", "uri", "response", "cnonce", "qop", "nc"] {
        let without = whole.replace(&format!("{name}="), "other=");
        assert_eq!(Answer::parse(without.as_bytes()), None, "without {name}");
        let twice = format!("{whole}, {name}=\"00000001\"");
        assert_eq!(Answer::parse(twice.as_bytes()), None, "two of {name}");
    }
    for (from, to) in [
        ("Digest ", "Basic "),
        ("algorithm=MD5", "algorithm=MD5-sess"),
        ("algorithm=MD5", "algorithm=MD5, algorithm=SHA-256"),
        ("qop=auth", "qop=auth-int"),
        ("nc=00000001", "nc=00000000"),
        ("nc=00000001", "nc=1"),
        ("nc=00000001", "nc=+0000001"),
        ("nc=00000001", "nc=00000001, userhash=true"),
        ("nc=00000001,", "nc=00000001"),
        ("qop=auth, ", "qop=auth, \"x\", "),
        ("\"Mufasa\"", "\"Mufasa"),
        ("username=", "username*=UTF-8''"),
    ] {
        let odd = whole.replacen(from, to, 1);
        assert_eq!(Answer::parse(odd.as_bytes()), None, "{to}");
    }
}

#[test]
fn quotes_and_tokens_are_read_alike() {
    let odd = header("\"md5\"", MD5)
        .replace("\"Mufasa\"", r#""Mu\fa\"sa""#)
        .replace(", qop=auth", " ,qop = \"auth\"");
    let answer = Answer::parse(odd.as_bytes()).expect("an answer");
    assert_eq!(&*answer.user, b"Mufa\"sa");
}

const KEY: Key = Key(7);

fn nonce(made_ms: u64, id: u64) -> Nonce {
    Nonce { made_ms, id }
}

#[test]
fn a_nonce_is_good_for_what_it_was_made_for_and_for_its_time() {
    let made = nonce(1_000, 9);
    let text = made.text(KEY, &[b"list", b"realm"]);
    let read = |key, scope: &[&[u8]], now| Nonce::read(&text, key, scope, now);
    assert_eq!(read(KEY, &[b"list", b"realm"], 1_000), Presented::Fresh(made));
    assert_eq!(read(KEY, &[b"list", b"realm"], 900), Presented::Fresh(made));
    assert_eq!(read(KEY, &[b"list", b"realm"], 1_000 + LIFE_MS), Presented::Stale);
    assert_eq!(read(KEY, &[b"listr", b"ealm"], 1_000), Presented::Unknown);
    assert_eq!(read(Key(8), &[b"list", b"realm"], 1_000), Presented::Unknown);
    for at in 0..text.len() {
        let mut other = text.clone();
        other[at] = if other[at] == b'0' { b'1' } else { b'0' };
        assert_eq!(Nonce::read(&other, KEY, &[b"list", b"realm"], 1_000), Presented::Unknown);
        assert_eq!(Nonce::read(&text[..at], KEY, &[b"list", b"realm"], 1_000), Presented::Unknown);
    }
}

fn words(nonces: usize) -> Vec<AtomicU64> {
    (0..Uses::words(nonces)).map(|_| AtomicU64::new(0)).collect()
}

#[test]
fn the_key_is_made_once() {
    let words = words(8);
    assert!(Uses::open(&words, || None).is_none());
    let first = Uses::open(&words, || Some(Key(u128::MAX - 5))).expect("a table");
    assert_eq!(first.key().0, u128::MAX - 5);
    let second = Uses::open(&words, || panic!("there is one")).expect("the same table");
    assert_eq!(second.key().0, u128::MAX - 5);
    let ids: Vec<u64> = (0..3).map(|_| second.next_nonce(5).id).collect();
    assert_eq!(ids, [1, 2, 3]);
}

#[test]
fn a_full_set_forgets_the_oldest_of_who_has_most() {
    let words = words(8);
    let uses = Uses::open(&words, || Some(KEY)).expect("a table");
    let [few, many] = [&b"few"[..], b"many"].map(|realm| uses.whose(&[realm], 1));
    for id in 1..=8 {
        let whose = if id < 4 { few } else { many };
        assert_eq!(uses.count(nonce(id, id), whose, 1, 10), Counted::Once);
    }
    assert_eq!(uses.shortages(), 0);
    assert_eq!(uses.count(nonce(9, 9), few, 1, 10), Counted::Once);
    assert_eq!(uses.shortages(), 1);
    // The fourth is gone, and nobody can use it again, nor one as old that was not used yet.
    assert_eq!(uses.count(nonce(4, 4), many, 2, 10), Counted::Forgotten);
    assert_eq!(uses.count(nonce(3, 16), few, 1, 10), Counted::Forgotten);
    assert_eq!(uses.count(nonce(1, 1), few, 1, 10), Counted::Again);
    assert_eq!(uses.count(nonce(1, 1), few, 2, 10), Counted::Once);
    // Both have four now.
    assert_eq!(uses.count(nonce(10, 10), many, 1, 10), Counted::Once);
    assert_eq!(uses.count(nonce(5, 5), many, 2, 10), Counted::Forgotten);
    // Those that have ended make room.
    let later = 10 + LIFE_MS;
    assert_eq!(uses.count(nonce(later, 11), many, 1, later), Counted::Once);
    assert_eq!(uses.shortages(), 2);
}

#[test]
fn of_a_realm_the_client_gives_back_who_has_most() {
    let words = words(8);
    let uses = Uses::open(&words, || Some(KEY)).expect("a table");
    let [few, many] = [1, 2].map(|client| uses.whose(&[b"realm"], client));
    for id in 1..=8 {
        uses.count(nonce(id, id), if id < 3 { few } else { many }, 1, 10);
    }
    for id in 9..100 {
        assert_eq!(uses.count(nonce(id, id), many, 1, 10), Counted::Once);
    }
    assert_eq!([1, 2].map(|id| uses.count(nonce(id, id), few, 2, 10)), [Counted::Once; 2]);
}

#[test]
fn counts_may_come_in_another_order_but_not_twice() {
    let words = words(8);
    let uses = Uses::open(&words, || Some(KEY)).expect("a table");
    let whose = uses.whose(&[b"realm"], 1);
    let mut count = |count| uses.count(nonce(1, 1), whose, count, 1);
    assert_eq!([5, 3, 5, 3, 4].map(&mut count), {
        use Counted::{Again, Once};
        [Once, Once, Again, Again, Once]
    });
    assert_eq!([100, 69, 68, 69].map(&mut count), {
        use Counted::{Again, Once};
        [Once, Once, Again, Again]
    });
    assert_eq!(
        [u32::MAX, u32::MAX, 101].map(count),
        [Counted::Once, Counted::Again, Counted::Again]
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn nothing_is_counted_twice(
        steps in prop::collection::vec((1u64..40, 1u32..80, 0u8..3, 0u128..3), 1..400),
    ) {
        let words = words(16);
        let uses = Uses::open(&words, || Some(KEY)).expect("a table");
        let mut seen = HashSet::new();
        for (id, count, realm, client) in steps {
            let whose = uses.whose(&[&[realm]], client);
            if uses.count(nonce(id / 4, id), whose, count, 1) == Counted::Once {
                prop_assert!(seen.insert((id, count)));
            }
        }
    }

    /// A stranger or a user, who brings any number of nonces: a client that has just got one can use it.
    #[test]
    fn nobody_is_kept_out(steps in prop::collection::vec((0u8..3, 0u128..9, 1u64..9), 1..400)) {
        let words = words(8);
        let uses = Uses::open(&words, || Some(KEY)).expect("a table");
        let mut now = 0;
        for (realm, client, step) in steps {
            now += step;
            let whose = uses.whose(&[&[realm]], client);
            let nonce = uses.next_nonce(now);
            prop_assert_eq!(uses.count(nonce, whose, 1, now), Counted::Once);
        }
    }

    /// Each of n realms keeps its nth part of a set, whatever the others bring.
    #[test]
    fn no_realm_takes_from_the_share_of_another(
        realms in 2u8..5, steps in prop::collection::vec((1u8..4, any::<u128>()), 1..400),
    ) {
        let words = words(8);
        let uses = Uses::open(&words, || Some(KEY)).expect("a table");
        let own = uses.whose(&[&[0]], 1);
        let kept = (0..8 / realms).map(|_| uses.next_nonce(0)).collect::<Vec<_>>();
        for nonce in &kept {
            uses.count(*nonce, own, 1, 0);
        }
        for (realm, client) in steps {
            let other = uses.whose(&[&[1 + realm % (realms - 1)]], client);
            uses.count(uses.next_nonce(1), other, 1, 1);
        }
        for nonce in kept {
            prop_assert_eq!(uses.count(nonce, own, 2, 1), Counted::Once);
        }
    }

    #[test]
    fn no_header_makes_it_panic(text in "(Digest )?[ -~]{0,80}", bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let _ = Answer::parse(text.as_bytes());
        let _ = Answer::parse(&[b"Digest ", &bytes[..]].concat());
        let _ = Nonce::read(&bytes, KEY, &[], 1);
    }
}
