//! Who gets in, as the users of the crate see it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use proptest::prelude::*;
use wick_access::{
    Access, AddressList, Combination, Password, RecordError, Refusal, Rule, Satisfy, Verdict,
    check_address,
};

#[path = "../../wire/tests/support/fixtures.rs"]
mod fixtures;

fn field(tag: u8, bytes: &[u8]) -> Vec<u8> {
    let word = u32::from(tag) | (bytes.len() as u32) << 8;
    [&word.to_le_bytes(), bytes].concat()
}

/// A network as a test means it.
type Network = (IpAddr, u8);

fn record(networks: &[Network]) -> Vec<u8> {
    let fields = networks.iter().map(|(address, bits)| match address {
        IpAddr::V4(address) => field(1, &[&[*bits], &address.octets()[..]].concat()),
        IpAddr::V6(address) => field(1, &[&[*bits], &address.octets()[..]].concat()),
    });
    field(3, &fields.collect::<Vec<_>>().concat())
}

fn list(networks: &[&str]) -> AddressList {
    let networks: Vec<Network> = networks
        .iter()
        .map(|text| {
            let (address, bits) = text.split_once('/').expect("a network");
            (ip(address), bits.parse().expect("bits"))
        })
        .collect();
    AddressList::decode(&record(&networks)).expect("a list")
}

fn ip(text: &str) -> IpAddr {
    text.parse().expect("an address")
}

mod address_list {
    use super::*;

    #[test]
    fn the_fixture_has_what_is_in_it() {
        for folder in ["", "newer/"] {
            let record = fixtures::record(&format!("{folder}address-list-everything.hex"));
            let list = AddressList::decode(&record).expect("a list");
            for inside in ["10.255.0.1", "192.0.2.7", "2001:db8::1", "fe80::1", "::ffff:10.0.0.1"] {
                assert!(list.contains(ip(inside)), "{inside}");
            }
            for outside in ["11.0.0.0", "192.0.2.8", "9.255.255.255", "::ffff:11.0.0.0"] {
                assert!(!list.contains(ip(outside)), "{outside}");
            }
        }
    }

    #[test]
    fn what_must_be_understood_and_is_not_refuses_it() {
        let record = fixtures::record("newer/critical/address-list-everything.hex");
        assert_eq!(AddressList::decode(&record), Err(RecordError::Critical(127)));
    }

    #[test]
    fn bits_of_hosts_do_not_count() {
        assert_eq!(list(&["10.1.2.3/8"]), list(&["10.0.0.0/8"]));
        assert_eq!(list(&["2001:db8::1/32"]), list(&["2001:db8::/32"]));
    }

    #[test]
    fn networks_of_ipv4_that_are_mapped_are_of_ipv4() {
        assert_eq!(list(&["::ffff:10.0.0.0/104"]), list(&["10.0.0.0/8"]));
        assert!(!list(&["::/0"]).contains(ip("10.0.0.1")));
        assert!(!list(&["0.0.0.0/0"]).contains(ip("::1")));
    }

    #[test]
    fn the_first_and_the_last_address_of_each_family_are_found() {
        let all = list(&["0.0.0.0/0", "::/0", "255.255.255.255/32"]);
        let last = [IpAddr::V4(Ipv4Addr::BROADCAST), IpAddr::V6(Ipv6Addr::from_bits(u128::MAX))];
        for address in [ip("0.0.0.0"), ip("::")].into_iter().chain(last) {
            assert!(all.contains(address), "{address}");
        }
    }

    #[test]
    fn what_is_no_such_record_is_refused() {
        let refusal = |bytes: &[u8]| AddressList::decode(bytes).err();
        assert_eq!(refusal(b""), Some(RecordError::Length));
        assert_eq!(refusal(b"\x02\0\0\0"), Some(RecordError::Version(2)));
        assert_eq!(refusal(&record(&[])), Some(RecordError::Missing));
        assert_eq!(refusal(&record(&[(ip("10.0.0.0"), 33)])), Some(RecordError::Field));
        assert_eq!(refusal(&record(&[(ip("::"), 129)])), Some(RecordError::Field));
        assert_eq!(refusal(&record(&[(ip("::ffff:10.0.0.0"), 129)])), Some(RecordError::Field));
        for value in [&b""[..], b"\x08", b"\x08\x0a\0\0", b"\x08\x0a\0\0\0\0"] {
            assert_eq!(refusal(&field(3, &field(1, value))), Some(RecordError::Field));
        }
        assert_eq!(refusal(&record(&vec![(ip("10.0.0.0"), 8); 16_385])), Some(RecordError::Field));
    }

    /// Networks that are near each other, so that they meet, overlap and hold one another.
    fn networks() -> impl Strategy<Value = Vec<Network>> {
        let v4 = (0u32..64, 24u8..=32).prop_map(|(low, bits)| {
            (IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0000 + low * 16)), bits)
        });
        let v6 = (0u128..64, 120u8..=128)
            .prop_map(|(low, bits)| (IpAddr::V6(Ipv6Addr::from_bits(low * 16)), bits));
        let any_v6 = (any::<u128>(), 0u8..=128)
            .prop_map(|(address, bits)| (IpAddr::V6(Ipv6Addr::from_bits(address)), bits));
        let any_v4 = (any::<u32>(), 0u8..=32)
            .prop_map(|(address, bits)| (IpAddr::V4(Ipv4Addr::from_bits(address)), bits));
        prop::collection::vec(prop_oneof![8 => v4, 8 => v6, 1 => any_v6, 1 => any_v4], 1..40)
    }

    fn address() -> impl Strategy<Value = IpAddr> {
        prop_oneof![
            (0u32..1100).prop_map(|low| IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0000 + low))),
            (0u32..1100).prop_map(|low| {
                IpAddr::V6(Ipv4Addr::from_bits(0x0a00_0000 + low).to_ipv6_mapped())
            }),
            (0u128..1100).prop_map(|low| IpAddr::V6(Ipv6Addr::from_bits(low))),
            any::<u128>().prop_map(|bits| IpAddr::V6(Ipv6Addr::from_bits(bits))),
        ]
    }

    /// One network after the other, bit by bit.
    fn is_in((network, bits): &Network, address: IpAddr) -> bool {
        let same = |a: &[u8], b: &[u8], bits: u8| {
            (0..usize::from(bits)).all(|bit| (a[bit / 8] ^ b[bit / 8]) & (0x80 >> (bit % 8)) == 0)
        };
        match (network, address.to_canonical()) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                same(&network.octets(), &address.octets(), *bits)
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                same(&network.octets(), &address.octets(), *bits)
            }
            _ => false,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn it_finds_what_a_look_at_each_network_finds(
            networks in networks(),
            addresses in prop::collection::vec(address(), 50),
        ) {
            let list = AddressList::decode(&record(&networks)).expect("a list");
            for address in addresses {
                let is_there = networks.iter().any(|network| is_in(network, address));
                prop_assert_eq!(list.contains(address), is_there, "{}", address);
            }
        }

        #[test]
        fn any_bytes_are_refused_or_a_list(bytes: Vec<u8>, address: u128) {
            for bytes in [field(3, &field(1, &bytes)), field(3, &bytes), bytes] {
                if let Ok(list) = AddressList::decode(&bytes) {
                    list.contains(IpAddr::V6(Ipv6Addr::from_bits(address)));
                }
            }
        }
    }
}

mod checking {
    use super::*;

    const REFUSED: Verdict = Verdict::Refused(Refusal::Forbidden);

    fn verdict(client: &str, allow: &[&str], deny: &[&str]) -> Verdict {
        let list_of = |networks: &[&str]| (!networks.is_empty()).then(|| list(networks));
        check_address(Some(ip(client)), list_of(allow).as_ref(), list_of(deny).as_ref(), &[])
    }

    /// As nginx's directives are written.
    fn rules(texts: &[&str]) -> Vec<Rule> {
        let rule = |text: &&str| {
            let (action, from) = text.split_once(' ').expect("an action and a client");
            let mut bytes = vec![if action == "allow" { 1 } else { 2 }];
            match (from, from.split_once('/')) {
                ("unix:", _) => bytes.push(0),
                (_, Some((address, bits))) => {
                    bytes.push(bits.parse().expect("bits"));
                    match ip(address) {
                        IpAddr::V4(address) => bytes.extend(address.octets()),
                        IpAddr::V6(address) => bytes.extend(address.octets()),
                    }
                }
                (from, None) => assert_eq!(from, "all"),
            }
            Rule::read(&bytes).expect("a rule")
        };
        texts.iter().map(rule).collect()
    }

    fn by_rules(client: &str, texts: &[&str]) -> Verdict {
        check_address(client.parse().ok(), None, None, &rules(texts))
    }

    #[test]
    fn the_first_rule_that_fits_decides() {
        let texts = ["deny 10.0.1.0/24", "allow 10.0.0.0/16", "allow 2001:db8::/32", "deny all"];
        for (client, expected) in [
            ("10.0.1.9", REFUSED),
            ("10.0.2.9", Verdict::Granted),
            ("::ffff:10.0.2.9", Verdict::Granted),
            ("2001:db8::1", Verdict::Granted),
            ("2001:db9::1", REFUSED),
            ("11.0.0.1", REFUSED),
            ("unix:", REFUSED),
        ] {
            assert_eq!(by_rules(client, &texts), expected, "{client}");
        }
    }

    #[test]
    fn where_no_rule_fits_nobody_is_refused_or_let_in() {
        assert_eq!(by_rules("10.0.0.1", &["deny 11.0.0.0/8"]), Verdict::Undecided);
        assert_eq!(by_rules("10.0.0.1", &["deny unix:"]), Verdict::Undecided);
        assert_eq!(by_rules("unix:", &["deny 0.0.0.0/0", "deny ::/0"]), Verdict::Undecided);
        assert_eq!(by_rules("unix:", &["allow unix:", "deny all"]), Verdict::Granted);
    }

    #[test]
    fn lists_come_before_rules() {
        let (some, all) = (list(&["10.0.0.0/8"]), rules(&["allow all"]));
        let none = rules(&["deny all"]);
        let client = |text: &str| Some(ip(text));
        assert_eq!(check_address(client("10.0.0.1"), None, Some(&some), &all), REFUSED);
        assert_eq!(check_address(client("11.0.0.1"), None, Some(&some), &all), Verdict::Granted);
        assert_eq!(check_address(client("11.0.0.1"), Some(&some), None, &all), REFUSED);
        assert_eq!(check_address(client("10.0.0.1"), Some(&some), None, &none), Verdict::Granted);
    }

    #[test]
    fn what_is_no_rule_is_refused() {
        let too_long = [&[1, 0][..], &[0; 17]].concat();
        for bytes in [&[][..], &[0], &[3], &[1, 1], &[2, 33, 0, 0, 0, 0], &[1, 129], &too_long] {
            assert_eq!(Rule::read(bytes), Err(RecordError::Field), "{bytes:?}");
        }
    }

    #[test]
    fn who_is_denied_stays_out_although_allowed() {
        assert_eq!(verdict("10.0.0.1", &["10.0.0.0/8"], &["10.0.0.0/24"]), REFUSED);
        assert_eq!(verdict("10.0.1.1", &["10.0.0.0/8"], &["10.0.0.0/24"]), Verdict::Granted);
        assert_eq!(verdict("11.0.0.1", &["10.0.0.0/8"], &["10.0.0.0/24"]), REFUSED);
    }

    #[test]
    fn a_list_of_denied_ones_says_nothing_about_others() {
        assert_eq!(verdict("10.0.0.1", &[], &["10.0.0.0/24"]), REFUSED);
        assert_eq!(verdict("11.0.0.1", &[], &["10.0.0.0/24"]), Verdict::Undecided);
    }

    #[test]
    fn a_client_without_an_address_is_in_no_list() {
        let all = list(&["0.0.0.0/0", "::/0"]);
        assert_eq!(check_address(None, Some(&all), None, &[]), REFUSED);
        assert_eq!(check_address(None, None, Some(&all), &[]), Verdict::Undecided);
    }
}

mod field_of_a_route {
    use super::*;

    #[test]
    fn has_checks_and_how_they_combine() {
        let value = [field(0x81, b"in"), field(2, b"out"), field(0x83, &[2])].concat();
        let all = Access {
            allow: Some((*b"in").into()),
            deny: Some((*b"out").into()),
            satisfy: Satisfy::Any,
            ..Access::default()
        };
        assert_eq!(Access::read(&value), Ok(all));
        let only = Access { deny: Some((*b"out").into()), ..Access::default() };
        assert_eq!(Access::read(&field(2, b"out")), Ok(only));
    }

    #[test]
    fn a_password_alone_is_a_check() {
        let password = |realm: &[u8]| [field(0x81, b"users"), field(0x82, realm)].concat();
        let read = |value: &[u8]| Access::read(&field(0x84, value)).map(|access| access.basic);
        let expected =
            |realm: &[u8]| Some(Password { users: (*b"users").into(), realm: realm.into() });
        assert_eq!(read(&password(b"say \"x\"")), Ok(expected(b"say \"x\"")));
        assert_eq!(read(&password(b"")), Ok(expected(b"")));
        assert_eq!(read(&password(b"a\r\nb")), Err(RecordError::Field));
        assert_eq!(read(&password(&[b'a'; 4097])), Err(RecordError::Field));
        assert_eq!(read(b""), Err(RecordError::Missing));
        assert_eq!(read(&field(1, b"users")), Err(RecordError::Missing));
        let newer = [password(b""), field(0xff, b"")].concat();
        assert_eq!(read(&newer), Err(RecordError::Critical(127)));
    }

    #[test]
    fn lets_nobody_in_when_it_cannot_be_understood() {
        let with = |more: Vec<u8>| Access::read(&[field(1, b"in"), more].concat()).err();
        assert_eq!(with(field(0xff, b"")), Some(RecordError::Critical(127)));
        assert_eq!(with(field(127, b"")), None);
        assert_eq!(with(field(3, &[3])), Some(RecordError::Field));
        assert_eq!(with(field(3, b"")), Some(RecordError::Field));
        assert_eq!(with(field(2, b"")), Some(RecordError::Field));
        assert_eq!(with(field(2, &[b'a'; 65])), Some(RecordError::Field));
        assert_eq!(with(vec![2, 9]), Some(RecordError::Length));
        assert_eq!(Access::read(b""), Err(RecordError::Missing));
        assert_eq!(Access::read(&field(3, &[1])), Err(RecordError::Missing));
    }
}

mod authentication_service {
    use super::*;

    const REQUIRED: [(u8, &[u8]); 4] =
        [(1, b"auth-http"), (2, b"b"), (3, b"/check"), (4, b"$host")];

    fn read(fields: &[(u8, &[u8])]) -> Result<Access, RecordError> {
        let fields = fields.iter().map(|(id, value)| field(*id, value));
        Access::read(&field(0x86, &fields.collect::<Vec<_>>().concat()))
    }

    fn with(id: u8, value: &[u8]) -> Option<RecordError> {
        read(&[&REQUIRED[..], &[(id, value)]].concat()).err()
    }

    #[test]
    fn is_a_check_by_itself() {
        let access = read(&REQUIRED).expect("a check");
        let asked = access.external.as_deref().expect("a service");
        assert_eq!((&*asked.location, &*asked.backend), (&b"auth-http"[..], &b"b"[..]));
        assert_eq!((asked.target.text(), asked.host.text()), (&b"/check"[..], &b"$host"[..]));
        assert!(asked.method.is_none() && !asked.always_sets_cookie && asked.cache_key.is_none());
    }

    #[test]
    fn a_password_alone_is_a_check() {
        let password = |realm: &[u8]| [field(0x81, b"users"), field(0x82, realm)].concat();
        let read = |value: &[u8]| Access::read(&field(0x84, value)).map(|access| access.basic);
        let expected =
            |realm: &[u8]| Some(Password { users: (*b"users").into(), realm: realm.into() });
        assert_eq!(read(&password(b"say \"x\"")), Ok(expected(b"say \"x\"")));
        assert_eq!(read(&password(b"")), Ok(expected(b"")));
        assert_eq!(read(&password(b"a\r\nb")), Err(RecordError::Field));
        assert_eq!(read(&password(&[b'a'; 4097])), Err(RecordError::Field));
        assert_eq!(read(b""), Err(RecordError::Missing));
        assert_eq!(read(&field(1, b"users")), Err(RecordError::Missing));
        let newer = [password(b""), field(0xff, b"")].concat();
        assert_eq!(read(&newer), Err(RecordError::Critical(127)));
    }

    #[test]
    fn lets_nobody_in_when_it_cannot_be_understood() {
        for missing in 0..REQUIRED.len() {
            let mut fields = REQUIRED.to_vec();
            fields.remove(missing);
            assert_eq!(read(&fields), Err(RecordError::Missing));
        }
        assert_eq!(with(0xff, b""), Some(RecordError::Critical(127)));
        assert_eq!(with(127, b""), None);
    }

    #[test]
    fn has_nothing_that_could_end_a_line() {
        for id in [1, 2, 3, 4, 5, 7, 8, 9, 11, 14] {
            assert_eq!(with(id, b""), Some(RecordError::Field), "{id}");
        }
        for id in [3, 4, 5, 7, 8, 9, 11, 14] {
            assert_eq!(with(id, b"a\r\nb"), Some(RecordError::Field), "{id}");
        }
        for header in [&b""[..], b"\0a", b"\x02a", b"\x01:a", b"\x01aa\nb"] {
            assert_eq!(with(6, header), Some(RecordError::Field));
        }
        assert_eq!(with(6, b"\x01a"), None);
        assert_eq!(with(10, &[0]), Some(RecordError::Field));
        assert_eq!(with(13, &[0]), Some(RecordError::Field));
        assert_eq!(with(13, &[1]), None);
        for duration in [&[200, 0, 1, 0, 0][..], &[88, 2, 1, 0, 0, 0], &[0, 0, 0, 0, 0, 128]] {
            assert_eq!(with(12, duration), Some(RecordError::Field));
        }
    }
}

mod combining {
    use super::*;

    const ALL: [Verdict; 6] = [
        Verdict::Granted,
        Verdict::Refused(Refusal::Forbidden),
        Verdict::Refused(Refusal::Unauthorized),
        Verdict::Undecided,
        Verdict::Failed(500),
        Verdict::Failed(503),
    ];

    fn combine(satisfy: Satisfy, checks: impl IntoIterator<Item = Verdict>) -> Verdict {
        let mut combination = Combination::new(satisfy);
        let clear = checks.into_iter().find_map(|verdict| combination.add(verdict).break_value());
        clear.unwrap_or(combination.verdict())
    }

    /// nginx's access phase, told as it is written there: `access_code`, one handler after the other. 200 is in.
    fn nginx(satisfy: Satisfy, handlers: &[Verdict]) -> u16 {
        let mut access_code = 0;
        for handler in handlers {
            let code = code(*handler);
            match (satisfy, code) {
                (_, 0) => {}
                (Satisfy::All, 200) => {}
                (Satisfy::All, _) => return code,
                (Satisfy::Any, 200) => return 200,
                (Satisfy::Any, 401 | 403) => {
                    if access_code != 401 {
                        access_code = code;
                    }
                }
                (Satisfy::Any, _) => return code,
            }
        }
        if access_code == 0 { 200 } else { access_code }
    }

    fn code(verdict: Verdict) -> u16 {
        match verdict {
            Verdict::Granted => 200,
            Verdict::Refused(Refusal::Forbidden) => 403,
            Verdict::Refused(Refusal::Unauthorized) => 401,
            Verdict::Undecided => 0,
            Verdict::Failed(status) => status,
            Verdict::Waiting => unreachable!(),
        }
    }

    #[test]
    fn is_what_nginx_does_for_every_three_checks() {
        for satisfy in [Satisfy::All, Satisfy::Any] {
            for checks in
                ALL.iter().flat_map(|a| ALL.iter().flat_map(move |b| ALL.map(|c| [*a, *b, c])))
            {
                let ours = match code(combine(satisfy, checks)) {
                    0 => 200,
                    code => code,
                };
                assert_eq!(ours, nginx(satisfy, &checks), "{satisfy:?} {checks:?}");
            }
        }
    }

    #[test]
    fn nobody_is_granted_anything_where_no_check_grants_it() {
        let refusing = ALL.into_iter().filter(|verdict| *verdict != Verdict::Granted);
        for satisfy in [Satisfy::All, Satisfy::Any] {
            assert_eq!(combine(satisfy, []), Verdict::Undecided);
            for checks in refusing.clone().flat_map(|a| refusing.clone().map(move |b| [a, b])) {
                assert_ne!(combine(satisfy, checks), Verdict::Granted, "{satisfy:?} {checks:?}");
            }
        }
    }

    #[test]
    fn no_check_is_asked_after_the_verdict_is_clear() {
        let asked = |satisfy, first| {
            let mut asked = 0;
            combine(satisfy, [first, Verdict::Granted].into_iter().inspect(|_| asked += 1));
            asked
        };
        assert_eq!(asked(Satisfy::Any, Verdict::Granted), 1);
        assert_eq!(asked(Satisfy::All, Verdict::Granted), 2);
        assert_eq!(asked(Satisfy::All, Verdict::Refused(Refusal::Forbidden)), 1);
        assert_eq!(asked(Satisfy::Any, Verdict::Refused(Refusal::Forbidden)), 2);
    }

    #[test]
    fn what_a_check_says_when_asked_again_is_what_counts() {
        for satisfy in [Satisfy::All, Satisfy::Any] {
            for [before, later] in ALL.iter().flat_map(|a| ALL.map(|b| [*a, b])) {
                let mut combination = Combination::new(satisfy);
                if combination.add(before).is_break() {
                    continue;
                }
                assert_eq!(combination.add(Verdict::Waiting).break_value(), Some(Verdict::Waiting));
                let said = combination.add(later).break_value().unwrap_or(combination.verdict());
                assert_eq!(said, combine(satisfy, [before, later]), "{before:?} {later:?}");
            }
        }
    }
}
