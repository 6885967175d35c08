//! Users and their passwords, as the users of the crate see them.

use std::cell::RefCell;

use proptest::prelude::*;
use wick_passwords::{
    Attempts, Claim, ClaimHasher, Joined, Limits, RecordError, Remembered, Share, UserList,
    is_right,
};

#[path = "../../wire/tests/support/fixtures.rs"]
mod fixtures;

fn field(tag: u8, bytes: &[u8]) -> Vec<u8> {
    let word = u32::from(tag) | (bytes.len() as u32) << 8;
    [&word.to_le_bytes(), bytes].concat()
}

fn claims() -> ClaimHasher {
    ClaimHasher::new(b"a key of 16 byte")
}

fn claim(n: usize) -> Claim {
    claims().claim(b"list", b"ada", &n.to_le_bytes())
}

mod user_list {
    use super::*;

    fn record(users: &[(&[u8], &[u8])]) -> Vec<u8> {
        let user =
            |(name, hash): &(&[u8], &[u8])| field(1, &[&[name.len() as u8], *name, *hash].concat());
        field(3, &users.iter().map(user).collect::<Vec<_>>().concat())
    }

    fn refusal(record: &[u8]) -> Option<RecordError> {
        UserList::decode(record).err()
    }

    #[test]
    fn the_fixture_has_what_is_in_it() {
        for folder in ["", "newer/"] {
            let record = fixtures::record(&format!("{folder}user-list-everything.hex"));
            let list = UserList::decode(&record).expect("a list");
            let ada = b"$2y$12$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234";
            assert_eq!(list.hash_of(b"ada"), Some(&ada[..]));
            let other = list.hash_of("café \"b\"".as_bytes());
            assert_eq!(other, Some(&b"{SHA}2jmj7l5rSw0yVb/vlWAYkK/YBwk="[..]));
            assert_eq!(list.hash_of(b"old"), Some(&b"rqXexS6ZhobKA"[..]));
            assert_eq!(list.hash_of(b"Ada"), None);
            assert!(list.hashes().any(|hash| hash == list.stand_in(b"nobody")));
        }
    }

    #[test]
    fn what_must_be_understood_and_is_not_refuses_it() {
        let record = fixtures::record("newer/critical/user-list-everything.hex");
        assert_eq!(refusal(&record), Some(RecordError::Critical(127)));
    }

    #[test]
    fn of_one_name_the_first_counts() {
        let list = UserList::decode(&record(&[(b"a", b"1"), (b"b", b"2"), (b"a", b"3")])).unwrap();
        assert_eq!(list.hash_of(b"a"), Some(&b"1"[..]));
    }

    /// Names without a user cost what those with one do: each cost as often as there are users of it.
    #[test]
    fn unknown_names_have_the_hashes_of_all_users_and_each_keeps_its_own() {
        let users: [(&[u8], &[u8]); 4] = [(b"a", b"1"), (b"b", b"2"), (b"c", b"2"), (b"d", b"3")];
        let (list, again) = (record(&users), record(&users));
        let (list, again) = (UserList::decode(&list).unwrap(), UserList::decode(&again).unwrap());
        let mut counts = std::collections::BTreeMap::<&[u8], u32>::new();
        for n in 0..4_000 {
            let name = format!("nobody-{n}");
            assert_eq!(list.stand_in(name.as_bytes()), again.stand_in(name.as_bytes()));
            *counts.entry(list.stand_in(name.as_bytes())).or_default() += 1;
        }
        let near = |hash: &[u8], expected: u32| counts[hash].abs_diff(expected) < 200;
        assert!(near(b"1", 1_000) && near(b"2", 2_000) && near(b"3", 1_000), "{counts:?}");
        let other = UserList::decode(&record(&[(b"a", b"9"), (b"b", b"2"), (b"c", b"2")])).unwrap();
        let differs = |n: u32| {
            let name = format!("nobody-{n}");
            list.stand_in(name.as_bytes()) != other.stand_in(name.as_bytes())
        };
        assert!((0..100).any(differs), "which one it is depends on the hashes");
    }

    #[test]
    fn what_is_no_such_record_is_refused() {
        assert_eq!(refusal(b""), Some(RecordError::Length));
        assert_eq!(refusal(b"\x02\0\0\0"), Some(RecordError::Version(2)));
        assert_eq!(refusal(&record(&[])), Some(RecordError::Missing));
        for value in [&b""[..], b"\0h", b"\x01", b"\x01a", b"\x02a", b"\x01ah\0"] {
            assert_eq!(refusal(&field(3, &field(1, value))), Some(RecordError::Field), "{value:?}");
        }
        assert_eq!(refusal(&record(&[(b"a", &[b'h'; 513])])), Some(RecordError::Field));
        let users: Vec<_> = (0..10_001).map(|n| n.to_string()).collect();
        let users: Vec<_> = users.iter().map(|name| (name.as_bytes(), &b"h"[..])).collect();
        assert!(UserList::decode(&record(&users[1..])).is_ok());
        assert_eq!(refusal(&record(&users)), Some(RecordError::Field));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = UserList::decode(&bytes);
            let _ = UserList::decode(&field(3, &bytes));
            let _ = UserList::decode(&field(3, &field(1, &bytes)));
        }
    }
}

mod claims_of_clients {
    use super::*;

    #[test]
    fn list_user_and_password_count_and_where_each_ends() {
        let of = |list: &str, user: &str, password: &str| {
            claims().claim(list.as_bytes(), user.as_bytes(), password.as_bytes())
        };
        let all = [of("l", "u", "p"), of("lu", "", "p"), of("l", "up", ""), of("l", "", "up")];
        for (n, one) in all.iter().enumerate() {
            assert!(all[n + 1..].iter().all(|other| other != one));
        }
        assert_eq!(of("l", "u", "p"), of("l", "u", "p"));
        assert_ne!(of("l", "u", "p"), ClaimHasher::new(&[0; 16]).claim(b"l", b"u", b"p"));
    }

    #[test]
    fn what_was_right_is_remembered_for_a_minute() {
        let mut remembered = Remembered::default();
        remembered.note(claim(1), 1000);
        assert!(remembered.has(claim(1), 1000));
        assert!(remembered.has(claim(1), 60_999));
        assert!(!remembered.has(claim(1), 61_000));
        assert!(!remembered.has(claim(2), 1000));
    }

    #[test]
    fn of_very_many_those_that_were_noted_last_are_known() {
        let mut remembered = Remembered::default();
        (0..100_000).for_each(|n| remembered.note(claim(n), 0));
        let known = (0..100_000).filter(|n| remembered.has(claim(*n), 0)).count();
        assert!((4096..=8192).contains(&known), "{known}");
        assert!((95_904..100_000).all(|n| remembered.has(claim(n), 0)));
    }
}

mod verifying {
    use super::*;

    /// Of the reference implementation's own tests.
    const REFERENCE: &[u8] =
        b"$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";

    fn no_crypt(_: &[u8], _: &[u8]) -> Option<Vec<u8>> {
        unreachable!()
    }

    #[test]
    fn argon2id_is_verified_here() {
        assert!(is_right(b"password", REFERENCE, &no_crypt));
        assert!(!is_right(b"Password", REFERENCE, &no_crypt));
        assert!(!is_right(b"password\0", REFERENCE, &no_crypt));
        let shorter = &REFERENCE[..REFERENCE.len() - 2];
        assert!(!is_right(b"password", shorter, &no_crypt));
    }

    #[test]
    fn argon2id_that_asks_for_too_much_or_is_none_is_nobody_s() {
        let salted = |costs: &str| format!("$argon2id$v=19${costs}$c29tZXNhbHQ$CTFhFdXPJO1aFaMa");
        let too_much = ["m=65537,t=1,p=1", "m=64,t=11,p=1", "m=64,t=1,p=5", "m=4294967295,t=1,p=1"];
        let none = ["m=64,t=1", "m=64,t=1,p=1,x=1", "t=1,m=64,p=1", "m=64,t=0,p=1", "m=-1,t=1,p=1"];
        let more = [
            "$argon2id$",
            "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ",
            "$argon2id$v=16$m=64,t=1,p=1$a$a",
        ]
        .map(str::to_owned);
        let all = too_much.into_iter().chain(none).map(salted).chain(more);
        for hash in
            all.chain([format!("{}$x", salted("m=64,t=1,p=1")), salted("m=64,t=1,p=1") + "!"])
        {
            assert!(!is_right(b"secret", hash.as_bytes(), &no_crypt), "{hash}");
        }
    }

    #[test]
    fn everything_else_is_compared_with_what_crypt_makes_of_it() {
        let asked = RefCell::new(Vec::new());
        let crypt = |password: &[u8], hash: &[u8]| {
            asked.borrow_mut().push((password.to_vec(), hash.to_vec()));
            (password != b"none").then(|| password.to_vec())
        };
        assert!(is_right(b"{PLAIN}x", b"{PLAIN}x", &crypt));
        assert!(!is_right(b"{PLAIN}x", b"{PLAIN}y", &crypt));
        assert!(!is_right(b"{PLAIN}", b"{PLAIN}y", &crypt));
        assert!(!is_right(b"{PLAIN}yz", b"{PLAIN}y", &crypt));
        assert!(!is_right(b"none", b"none", &crypt));
        assert!(!is_right(b"a\0b", b"a\0b", &crypt));
        assert_eq!(asked.borrow().len(), 5);
    }
}

mod attempts {
    use super::*;

    const LIMITS: Limits = Limits { running: 2, client: 5, all: 8 };

    type Of = Attempts<usize, Claim>;

    fn next(attempts: &mut Of) -> Option<Claim> {
        let (claim, job) = attempts.begin_next()?;
        assert_eq!(claim, job);
        Some(claim)
    }

    fn share(namespace: &str, list: &str, client: u128) -> Share {
        let bytes = |text: &str| text.as_bytes().into();
        Share { namespace: bytes(namespace), list: bytes(list), client }
    }

    /// The waiter has the claim's number.
    fn join(attempts: &mut Of, n: usize, share: &Share) -> Joined<usize> {
        attempts.join(claim(n), share, n, || claim(n))
    }

    fn first() -> Joined<usize> {
        Joined::First(vec![])
    }

    #[test]
    fn a_claim_is_verified_once_for_all_who_make_it() {
        let mut attempts = Attempts::new(LIMITS);
        let one = share("a", "l", 1);
        let join = |attempts: &mut Of, waiter| attempts.join(claim(1), &one, waiter, || claim(1));
        assert_eq!(join(&mut attempts, 1), first());
        assert_eq!(join(&mut attempts, 2), Joined::Waits);
        assert_eq!(next(&mut attempts), Some(claim(1)));
        assert_eq!(next(&mut attempts), None);
        assert_eq!(join(&mut attempts, 3), Joined::Waits);
        assert_eq!(attempts.finish(claim(1), 1), [1, 2, 3]);
        assert_eq!(attempts.finish(claim(1), 1), []);
    }

    #[test]
    fn more_than_may_run_wait_for_their_turn() {
        let mut attempts = Attempts::new(LIMITS);
        for n in 0..3 {
            join(&mut attempts, n, &share("a", "l", n as u128));
        }
        assert_eq!([(); 3].map(|()| next(&mut attempts)), [Some(claim(0)), Some(claim(1)), None]);
        attempts.finish(claim(1), 1);
        assert_eq!(next(&mut attempts), Some(claim(2)));
    }

    #[test]
    fn who_comes_when_all_places_are_taken_gets_one_of_the_largest() {
        let mut attempts = Attempts::new(LIMITS);
        for n in 0..8 {
            assert_eq!(join(&mut attempts, n, &share("a", ["l", "m"][n % 2], n as u128)), first());
        }
        // Of the list and the client who have most it is the last one.
        assert_eq!(join(&mut attempts, 8, &share("a", "m", 1)), Joined::TooMany);
        assert_eq!(join(&mut attempts, 9, &share("b", "l", 1)), Joined::First(vec![7]));
        assert_eq!(join(&mut attempts, 10, &share("b", "l", 1)), Joined::First(vec![6]));
        assert_eq!(join(&mut attempts, 11, &share("a", "o", 1)), Joined::First(vec![5]));
        // One of a namespace that has as many as the new one would have is not sent away.
        assert_eq!(join(&mut attempts, 12, &share("b", "l", 1)), Joined::First(vec![4]));
        assert_eq!(join(&mut attempts, 13, &share("b", "l", 1)), Joined::First(vec![3]));
        assert_eq!(join(&mut attempts, 14, &share("b", "l", 1)), Joined::TooMany);
        // What runs keeps its place.
        assert!(next(&mut attempts).is_some() && next(&mut attempts).is_some());
        for n in 20..22 {
            assert!(matches!(join(&mut attempts, n, &share("c", "l", 1)), Joined::First(_)), "{n}");
        }
        assert_eq!(attempts.finish(claim(0), 1), [0]);
    }

    #[test]
    fn a_client_of_a_list_has_so_many_at_a_time() {
        let mut attempts = Attempts::new(LIMITS);
        let own = share("a", "l", 1);
        let joined = [0, 1, 2, 3, 4, 5].map(|n| join(&mut attempts, n, &own) == first());
        assert_eq!(joined, [true, true, true, true, true, false]);
        assert_eq!(join(&mut attempts, 6, &share("b", "l", 1)), first());
    }

    #[test]
    fn who_is_gone_is_not_waited_for() {
        let mut attempts = Attempts::new(LIMITS);
        let one = share("a", "l", 1);
        attempts.join(claim(1), &one, 1, || claim(1));
        attempts.join(claim(1), &one, 2, || claim(1));
        attempts.join(claim(2), &one, 3, || claim(2));
        attempts.leave(claim(1), &1);
        attempts.leave(claim(2), &3);
        assert_eq!(next(&mut attempts), Some(claim(1)));
        attempts.leave(claim(1), &2);
        assert_eq!(next(&mut attempts), None);
        // it still runs, and counts
        assert_eq!(attempts.join(claim(1), &one, 4, || claim(1)), Joined::Waits);
        assert_eq!(attempts.finish(claim(1), 1), [4]);
        attempts.leave(claim(7), &1);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        /// Whatever others bring, and however long theirs takes: who has one claim at a time gets a place, and each other
        /// namespace goes ahead of it once at most.
        #[test]
        fn a_namespace_with_one_claim_is_never_kept_out(
            running in 1usize..4,
            others in prop::collection::vec((0usize..5, 0usize..9, 0u128..9, 1u64..1_000_000), 1..200),
        ) {
            let mut attempts: Of = Attempts::new(Limits { running, client: 8, all: 8 });
            let own = share("own", "l", 1);
            let (mut under_way, mut waits, mut ahead) = (Vec::new(), None, 0);
            for (n, (namespace, list, client, us)) in others.into_iter().enumerate() {
                if waits.is_none() {
                    let n = 1_000_000 + n;
                    let joined = join(&mut attempts, n, &own);
                    prop_assert!(matches!(joined, Joined::First(_)), "{joined:?}");
                    (waits, ahead) = (Some(n), 0);
                }
                let theirs = share(&namespace.to_string(), &list.to_string(), client);
                if let Joined::First(left) = join(&mut attempts, n, &theirs) {
                    prop_assert!(left.iter().all(|waiter| *waiter < 1_000_000), "{left:?}");
                }
                if under_way.len() == running {
                    // Its own takes no time: who has had more waits until the others have had as much.
                    let (done, us) = under_way.remove(0);
                    attempts.finish(done, us);
                }
                while let Some(begun) = next(&mut attempts) {
                    let is_own = waits.is_some_and(|own| begun == claim(own));
                    under_way.push((begun, if is_own { 0 } else { us }));
                    if is_own {
                        waits = None;
                    }
                    ahead += 1;
                    prop_assert!(ahead <= 6);
                }
            }
        }
    }

    #[test]
    fn namespaces_and_their_lists_have_equal_time() {
        // Costly ones of two lists, cheap ones of a third in the same namespace, and cheap ones of another namespace.
        let kinds = [("a", "slow", 900), ("a", "slower", 1800), ("a", "fast", 30), ("b", "l", 10)];
        let mut attempts = Attempts::<usize, usize>::new(Limits { running: 1, client: 8, all: 64 });
        let mut numbers = 0..;
        let mut join = |attempts: &mut Attempts<usize, usize>, kind: usize| {
            let (namespace, list, _) = kinds[kind];
            let n = numbers.next().expect("no end");
            attempts.join(claim(n), &share(namespace, list, n as u128), kind, || kind)
        };
        (0..8).for_each(|n| drop(join(&mut attempts, n % 4)));
        let mut spent = [0; 4];
        for _ in 0..2_000 {
            let (begun, kind) = attempts.begin_next().expect("all have some waiting");
            spent[kind] += kinds[kind].2;
            attempts.finish(begun, kinds[kind].2);
            join(&mut attempts, kind);
        }
        let [slow, slower, fast, other] = spent;
        let is_near = |a: u64, b: u64| a.abs_diff(b) <= 2 * 1800;
        assert!(is_near(slow, slower) && is_near(slow, fast), "{spent:?}");
        assert!(is_near(slow + slower + fast, other), "{spent:?}");
    }
}
