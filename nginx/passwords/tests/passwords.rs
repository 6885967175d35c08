//! Users and their passwords, as the users of the crate see them.

use std::cell::RefCell;
use std::net::IpAddr;

use proptest::prelude::*;
use wick_passwords::{
    Attempts, Claim, ClaimHasher, Joined, Limits, RecordError, Remembered, UserList, is_right,
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
            assert_eq!(list.stand_in(), ada);
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

    const LIMITS: Limits = Limits { running: 2, client: 3, list: 5, all: 8 };

    fn next<W: PartialEq>(attempts: &mut Attempts<W, Claim>) -> Option<Claim> {
        let (claim, job) = attempts.begin_next()?;
        assert_eq!(claim, job);
        Some(claim)
    }

    fn join<W: PartialEq>(
        attempts: &mut Attempts<W, Claim>,
        n: usize,
        of: u8,
        list: &[u8],
        waiter: W,
    ) -> Joined {
        attempts.join(claim(n), client(of), list, waiter, || claim(n))
    }

    fn client(n: u8) -> Option<IpAddr> {
        Some(IpAddr::from([10, 0, 0, n]))
    }

    #[test]
    fn a_claim_is_verified_once_for_all_who_make_it() {
        let mut attempts = Attempts::new(LIMITS);
        assert_eq!(join(&mut attempts, 1, 1, b"l", 'a'), Joined::First);
        assert_eq!(join(&mut attempts, 1, 2, b"l", 'b'), Joined::Waits);
        assert_eq!(next(&mut attempts), Some(claim(1)));
        assert_eq!(next(&mut attempts), None);
        assert_eq!(join(&mut attempts, 1, 3, b"l", 'c'), Joined::Waits);
        assert_eq!(attempts.finish(claim(1)), ['a', 'b', 'c']);
        assert_eq!(attempts.finish(claim(1)), []);
    }

    #[test]
    fn more_than_may_run_wait_for_their_turn() {
        let mut attempts = Attempts::new(LIMITS);
        for n in 0..3 {
            join(&mut attempts, n, n as u8, b"l", n);
        }
        assert_eq!([(); 3].map(|()| next(&mut attempts)), [Some(claim(0)), Some(claim(1)), None]);
        attempts.finish(claim(1));
        assert_eq!(next(&mut attempts), Some(claim(2)));
    }

    #[test]
    fn each_client_each_list_and_all_together_are_bounded() {
        let mut attempts = Attempts::new(LIMITS);
        let mut join = |n, of, list: &[u8]| join(&mut attempts, n, of, list, n);
        assert_eq!([0, 1, 2].map(|n| join(n, 1, b"l")), [Joined::First; 3]);
        assert_eq!(join(3, 1, b"other"), Joined::TooMany);
        assert_eq!(join(0, 1, b"l"), Joined::Waits);
        assert_eq!([4, 5].map(|n| join(n, 2, b"l")), [Joined::First; 2]);
        assert_eq!(join(6, 3, b"l"), Joined::TooMany);
        assert_eq!([7, 8, 9].map(|n| join(n, 4, b"m")), [Joined::First; 3]);
        assert_eq!(join(10, 5, b"n"), Joined::TooMany);
    }

    #[test]
    fn users_of_another_list_go_ahead_of_an_attack_but_it_goes_on() {
        let mut attempts = Attempts::new(Limits { running: 1, client: 9, list: 9, all: 64 });
        for n in 0..6 {
            join(&mut attempts, n, 1, b"l", n);
        }
        join(&mut attempts, 9, 2, b"other", 9);
        let mut served = Vec::new();
        while let Some(claim) = next(&mut attempts) {
            served.extend(attempts.finish(claim));
        }
        assert!(served.iter().position(|n| *n == 9).unwrap() <= 1, "{served:?}");
        assert_eq!(served.len(), 7);
    }

    #[test]
    fn who_is_gone_is_not_waited_for() {
        let mut attempts = Attempts::new(LIMITS);
        join(&mut attempts, 1, 1, b"l", 'a');
        join(&mut attempts, 1, 1, b"l", 'b');
        join(&mut attempts, 2, 1, b"l", 'c');
        attempts.leave(claim(1), &'a');
        attempts.leave(claim(2), &'c');
        assert_eq!(next(&mut attempts), Some(claim(1)));
        attempts.leave(claim(1), &'b');
        assert_eq!(next(&mut attempts), None);
        // it still runs, and counts
        assert_eq!(join(&mut attempts, 1, 1, b"l", 'd'), Joined::Waits);
        assert_eq!(attempts.finish(claim(1)), ['d']);
        attempts.leave(claim(7), &'a');
    }
}
