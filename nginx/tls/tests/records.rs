//! The crate as its users see it: records written as docs/wire.md 2 has them, and everything that is none.

#[path = "../../wire/tests/support/fixtures.rs"]
mod fixtures;

use proptest::prelude::*;
use wick_tls::{
    Authority, ClientVerification, MAX_NAME_BYTES, Pair, Passthrough, RecordError, Staple, TlsHost,
    Verify, name_in_extension, normalise,
};

/// `tag`: the id, and [`CRITICAL`] if it is.
fn field(tag: u8, bytes: &[u8]) -> Vec<u8> {
    let word = u32::from(tag) | (bytes.len() as u32) << 8;
    [&word.to_le_bytes(), bytes].concat()
}

/// Who does not know such a field must not serve without it.
const CRITICAL: u8 = 0x80;

fn record(fields: &[Vec<u8>]) -> Vec<u8> {
    field(3, &fields.concat())
}

fn fields(id: u8, values: &[&[u8]]) -> Vec<u8> {
    values.iter().flat_map(|value| field(id, value)).collect()
}

fn host(fields: &[Vec<u8>]) -> Result<TlsHost, RecordError> {
    TlsHost::decode(&record(fields))
}

fn pair(key: &[u8], chain: &[&[u8]]) -> Vec<u8> {
    record(&[fields(1, chain), field(2, key)])
}

fn authority(certificates: &[&[u8]], crls: &[&[u8]]) -> Vec<u8> {
    record(&[fields(1, certificates), fields(2 | CRITICAL, crls)])
}

fn staple(until_ms: i64, response: &[u8]) -> Vec<u8> {
    record(&[field(1, response), field(2, &until_ms.to_le_bytes())])
}

#[test]
fn a_pair_has_its_key_and_its_chain() {
    let record = pair(b"key", &[b"leaf", b"ca"]);
    let expected = Pair { key: b"key", chain: vec![b"leaf", b"ca"] };
    assert_eq!(Pair::decode(&record), Ok(expected));
}

#[test]
fn a_pair_without_key_or_leaf_lacks_it() {
    assert_eq!(Pair::decode(&pair(b"", &[b"leaf"])), Err(RecordError::Missing));
    assert_eq!(Pair::decode(&pair(b"key", &[])), Err(RecordError::Missing));
}

#[test]
fn a_length_that_is_not_that_of_the_record_is_an_error() {
    for extra in [1, 0xff] {
        let mut record = pair(b"key", &[b"leaf", b"ca"]);
        record[1] = record[1].wrapping_add(extra);
        assert_eq!(Pair::decode(&record), Err(RecordError::Length));
    }
}

#[test]
fn a_key_is_not_printed() {
    let printed = format!("{:?}", Pair { key: b"secret", chain: vec![b"leaf"] });
    assert!(!printed.contains(&format!("{:?}", b"secret".as_slice())), "{printed}");
    assert!(printed.contains(&format!("{:?}", b"leaf".as_slice())), "{printed}");
}

#[test]
fn an_authority_has_certificates_and_perhaps_crls() {
    let (both, one) = (authority(&[b"ca"], &[b"crl"]), authority(&[b"ca"], &[]));
    let expected = Authority { certificates: vec![b"ca"], crls: vec![b"crl"] };
    assert_eq!(Authority::decode(&both), Ok(expected));
    assert_eq!(Authority::decode(&one).unwrap().crls, Vec::<&[u8]>::new());
    assert_eq!(Authority::decode(&authority(&[], &[b"crl"])), Err(RecordError::Missing));
}

#[test]
fn a_staple_has_its_end_and_the_response() {
    let record = staple(1_795_000_000_000, b"der");
    let expected = Staple { until_ms: 1_795_000_000_000, response: b"der" };
    assert_eq!(Staple::decode(&record), Ok(expected));
    assert_eq!(Staple::decode(&staple(1, b"")), Err(RecordError::Missing));
}

#[test]
fn a_host_has_what_its_fields_say() {
    let fields = [
        field(1, b"9f3c"),
        field(1, b"A_-0"),
        field(2, b"ECDHE-RSA-AES256-GCM-SHA384:!aNULL:@SECLEVEL=1"),
        field(3, &[0]),
        field(4, b"5d1e"),
        field(5, &[2]),
        field(6, &100u32.to_le_bytes()),
        field(100, b"not known yet"),
    ];
    let client = ClientVerification {
        authority: b"5d1e".as_slice().into(),
        verify: Verify::Optional,
        depth: 100,
    };
    let expected = TlsHost {
        certificates: [b"9f3c".as_slice().into(), b"A_-0".as_slice().into()].into(),
        ciphers: Some(c"ECDHE-RSA-AES256-GCM-SHA384:!aNULL:@SECLEVEL=1".into()),
        prefer_server_ciphers: Some(false),
        client: Some(client),
        listener: None,
    };
    assert_eq!(host(&fields), Ok(expected));
    assert_eq!(host(&[]), Ok(TlsHost::default()));
}

#[test]
fn what_is_asked_of_clients_has_an_authority_and_a_mode() {
    assert_eq!(host(&[field(4, b"5d1e")]), Err(RecordError::Missing));
    assert_eq!(host(&[field(5, &[1])]), Err(RecordError::Missing));
    let client = host(&[field(4, b"5d1e"), field(5, &[1])]).unwrap().client.unwrap();
    assert_eq!((client.verify, client.depth), (Verify::On, 1));
}

#[test]
fn impossible_values_are_errors() {
    let long = [b'a'; 4097];
    let impossible: [(u8, &[u8]); 13] = [
        (1, b""),
        (1, &long[..65]),
        (1, b"a/b"),
        (2, b""),
        (2, &long),
        (2, b"a;b"),
        (2, b"a\0b"),
        (3, &[2]),
        (4, b"\xc3\xa4"),
        (5, &[0]),
        (5, &[5]),
        (6, &[0, 0, 0, 0]),
        (6, &[1, 0]),
    ];
    for (id, value) in impossible {
        assert_eq!(host(&[field(id, value)]), Err(RecordError::Field), "field {id}");
    }
    assert_eq!(host(&[b"a"; 5].map(|id| field(1, id))), Err(RecordError::Field));
}

#[test]
fn a_newer_version_is_refused() {
    let mut records = [pair(b"k", &[b"c"]), authority(&[b"c"], &[]), staple(1, b"r")];
    records.iter_mut().for_each(|record| record[0] = 4);
    let [pair, authority, staple] = &records;
    assert_eq!(Pair::decode(pair), Err(RecordError::Version(4)));
    assert_eq!(Authority::decode(authority), Err(RecordError::Version(4)));
    assert_eq!(Staple::decode(staple), Err(RecordError::Version(4)));
    assert_eq!(TlsHost::decode(&[4, 0, 0, 0]), Err(RecordError::Version(4)));
}

fn extension(name: &[u8]) -> Vec<u8> {
    let len = name.len() as u16;
    [&(len + 3).to_be_bytes()[..], &[0], &len.to_be_bytes(), name].concat()
}

#[test]
fn the_extension_has_one_name() {
    assert_eq!(name_in_extension(&extension(b"shop.test")), Some(&b"shop.test"[..]));
    let two = [&extension(b"a")[..], &extension(b"b")[2..]].concat();
    let mut other_kind = extension(b"a");
    other_kind[2] = 1;
    for none in [&b""[..], &extension(b""), &two, &other_kind, &extension(b"shop")[..6]] {
        assert_eq!(name_in_extension(none), None, "{}", none.escape_ascii());
    }
}

fn normal(name: &[u8]) -> Option<Vec<u8>> {
    normalise(name, &mut [0; MAX_NAME_BYTES]).map(<[u8]>::to_vec)
}

#[test]
fn a_name_is_lower_case_and_lacks_one_dot() {
    for name in [&b"shop.test"[..], b"SHOP.Test", b"shop.test."] {
        assert_eq!(normal(name).as_deref(), Some(&b"shop.test"[..]));
    }
    assert_eq!(normal(&[b'a'; 253]).unwrap().len(), 253);
}

#[test]
fn what_no_host_is_called_is_no_name() {
    let long = [b'a'; 255];
    for name in [
        &b""[..],
        b".",
        b"_",
        b":default",
        b"a..b",
        b"shop.test..",
        b"a\0b",
        b"a b",
        b"\xc3\xa4.test",
        &long[..254],
        &long,
    ] {
        assert_eq!(normal(name), None, "{}", name.escape_ascii());
    }
}

/// What a reader makes of the record `name`: the same with an unknown field at each place, and an error with a critical one.
fn skips_what_it_does_not_know<T: PartialEq + std::fmt::Debug>(
    name: &str,
    decode: impl Fn(&[u8]) -> Result<T, RecordError>,
) {
    let [known, newer, critical] = ["", "newer/", "newer/critical/"]
        .map(|folder| decode(&fixtures::record(&format!("{folder}{name}-everything.hex"))));
    assert!(known.is_ok(), "{name}");
    assert_eq!(newer, known, "{name}");
    assert_eq!(critical, Err(RecordError::Critical(127)), "{name}");
}

#[test]
fn what_a_newer_filter_adds_is_skipped_unless_it_is_critical() {
    skips_what_it_does_not_know("tls-host", TlsHost::decode);
    skips_what_it_does_not_know("pair", |bytes| {
        Pair::decode(bytes).map(|pair| format!("{pair:?}"))
    });
    let staple = |bytes: &[u8]| Staple::decode(bytes).map(|staple| format!("{staple:?}"));
    skips_what_it_does_not_know("staple", staple);
    let authority = |bytes: &[u8]| Authority::decode(bytes).map(|found| format!("{found:?}"));
    skips_what_it_does_not_know("authority", authority);
    let backend = |bytes: &[u8]| Ok(Passthrough::decode(bytes)?.backend.to_vec());
    skips_what_it_does_not_know("passthrough", backend);
}

#[test]
fn the_shared_records_say_what_their_json_says() {
    let pair = fixtures::record("pair-small.hex");
    let chain = vec![&[0x30, 3, 2, 1, 2][..]];
    assert_eq!(Pair::decode(&pair), Ok(Pair { key: b"KEY", chain }));
    let staple = fixtures::record("staple-everything.hex");
    let until_ms = 1_795_000_000_000;
    let response = &[0x30, 3, 10, 1, 0][..];
    assert_eq!(Staple::decode(&staple), Ok(Staple { until_ms, response }));
    let authority = fixtures::record("authority-everything.hex");
    let certificates = vec![&[0x30, 3, 2, 1, 3][..], &[0x30, 0]];
    let crls = vec![&[0x30, 3, 2, 1, 4][..]];
    assert_eq!(Authority::decode(&authority), Ok(Authority { certificates, crls }));
    let passthrough = fixtures::record("passthrough-everything.hex");
    assert_eq!(Passthrough::decode(&passthrough), Ok(Passthrough { backend: b"shop-db-443" }));
    let host = TlsHost::decode(&fixtures::record("tls-host-everything.hex")).unwrap();
    let client = ClientVerification {
        authority: b"5d1e".as_slice().into(),
        verify: Verify::OptionalNoCa,
        depth: 100,
    };
    let ciphers = Some(c"ECDHE-RSA-AES256-GCM-SHA384:!aNULL:@SECLEVEL=2".into());
    let certificates = [b"9f3c_A-z0".as_slice().into(), b"p".as_slice().into()].into();
    let prefer_server_ciphers = Some(true);
    let (client, listener) = (Some(client), Some(b"edge".as_slice().into()));
    let expected = TlsHost { certificates, ciphers, prefer_server_ciphers, client, listener };
    assert_eq!(host, expected);
}

proptest! {
    #[test]
    fn an_unknown_field_anywhere_changes_nothing_else(
        (place, id) in (0usize..5, prop_oneof![Just(0u8), 8u8..128]),
        (is_critical, bytes) in (any::<bool>(), any::<Vec<u8>>()),
    ) {
        let known = [field(1, b"9f3c"), field(3, &[1]), field(4, b"ca"), field(5, &[1])];
        let tag = if is_critical { id | CRITICAL } else { id };
        let mut newer = known.to_vec();
        newer.insert(place, field(tag, &bytes));
        let expected = if is_critical { Err(RecordError::Critical(id)) } else { host(&known) };
        prop_assert_eq!(host(&newer), expected);
    }

    #[test]
    fn any_bytes_are_a_record_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for bytes in [&bytes[..], &field(3, &bytes)] {
            let _ = (Pair::decode(bytes), Authority::decode(bytes), Staple::decode(bytes));
            let _ = (TlsHost::decode(bytes), name_in_extension(bytes), normal(bytes));
        }
    }

    #[test]
    fn a_record_that_is_cut_anywhere_is_none(cut in 0usize..1000, key in "[a-z]{1,50}", leaf in "[a-z]{1,50}") {
        let record = pair(key.as_bytes(), &[leaf.as_bytes()]);
        let cut = cut % record.len();
        prop_assert!(Pair::decode(&record[..cut]).is_err());
    }

    #[test]
    fn a_name_is_normal_already_once_it_was_made_so(name in "[ -~]{0,40}") {
        if let Some(once) = normal(name.as_bytes()) && !once.ends_with(b".") {
            prop_assert_eq!(normal(&once), Some(once));
        }
    }
}
