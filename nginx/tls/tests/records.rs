//! The crate as its users see it: records written as docs/wire.md 2 has them, and everything that is none.

use proptest::prelude::*;
use wick_tls::{
    Authority, ClientVerification, MAX_NAME_BYTES, Pair, RecordError, Staple, TlsHost, Verify,
    name_in_extension, normalise,
};

fn field(id: u8, bytes: &[u8]) -> Vec<u8> {
    let word = u32::from(id) | (bytes.len() as u32) << 8;
    [&word.to_le_bytes(), bytes].concat()
}

fn text(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u32).to_le_bytes(), bytes].concat()
}

fn host(fields: &[Vec<u8>]) -> Result<TlsHost, RecordError> {
    TlsHost::decode(&[&[1, 0, 0, 0], &fields.concat()[..]].concat())
}

fn pair(count: u8, key: &[u8], chain: &[&[u8]]) -> Vec<u8> {
    let chain: Vec<u8> = chain.iter().flat_map(|der| text(der)).collect();
    [&[1, 0, count, 0], &text(key)[..], &chain].concat()
}

fn authority(counts: [u8; 2], texts: &[&[u8]]) -> Vec<u8> {
    let texts: Vec<u8> = texts.iter().flat_map(|der| text(der)).collect();
    [&[1, 0, counts[0], 0, counts[1], 0, 0, 0], &texts[..]].concat()
}

fn staple(until_ms: i64, response: &[u8]) -> Vec<u8> {
    [&[1, 0, 0, 0, 0, 0, 0, 0], &until_ms.to_le_bytes()[..], response].concat()
}

#[test]
fn a_pair_has_its_key_and_its_chain() {
    let record = pair(2, b"key", &[b"leaf", b"ca"]);
    let expected = Pair { key: b"key", chain: vec![b"leaf", b"ca"] };
    assert_eq!(Pair::decode(&record), Ok(expected));
}

#[test]
fn a_pair_without_key_or_leaf_lacks_it() {
    assert_eq!(Pair::decode(&pair(1, b"", &[b"leaf"])), Err(RecordError::Missing));
    assert_eq!(Pair::decode(&pair(0, b"key", &[])), Err(RecordError::Missing));
}

#[test]
fn a_count_that_is_not_that_of_the_texts_is_an_error() {
    for count in [1, 3] {
        let record = pair(count, b"key", &[b"leaf", b"ca"]);
        assert_eq!(Pair::decode(&record), Err(RecordError::Length));
    }
    assert_eq!(Authority::decode(&authority([2, 1], &[b"ca", b"crl"])), Err(RecordError::Length));
}

#[test]
fn a_key_is_not_printed() {
    let printed = format!("{:?}", Pair { key: b"secret", chain: vec![b"leaf"] });
    assert!(!printed.contains(&format!("{:?}", b"secret".as_slice())), "{printed}");
    assert!(printed.contains(&format!("{:?}", b"leaf".as_slice())), "{printed}");
}

#[test]
fn an_authority_has_certificates_and_perhaps_crls() {
    let (both, one) = (authority([1, 1], &[b"ca", b"crl"]), authority([1, 0], &[b"ca"]));
    let expected = Authority { certificates: vec![b"ca"], crls: vec![b"crl"] };
    assert_eq!(Authority::decode(&both), Ok(expected));
    assert_eq!(Authority::decode(&one).unwrap().crls, Vec::<&[u8]>::new());
    assert_eq!(Authority::decode(&authority([0, 1], &[b"crl"])), Err(RecordError::Missing));
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
        field(200, b"not known yet"),
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
        (5, &[4]),
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
    let mut records = [pair(1, b"k", &[b"c"]), authority([1, 0], &[b"c"]), staple(1, b"r")];
    records.iter_mut().for_each(|record| record[0] = 2);
    let [pair, authority, staple] = &records;
    assert_eq!(Pair::decode(pair), Err(RecordError::Version(2)));
    assert_eq!(Authority::decode(authority), Err(RecordError::Version(2)));
    assert_eq!(Staple::decode(staple), Err(RecordError::Version(2)));
    assert_eq!(TlsHost::decode(&[2, 0, 0, 0]), Err(RecordError::Version(2)));
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
    assert_eq!(normal(b"shop.test..").as_deref(), Some(&b"shop.test."[..]));
    assert_eq!(normal(&[b'a'; 253]).unwrap().len(), 253);
}

#[test]
fn what_no_host_is_called_is_no_name() {
    let long = [b'a'; 255];
    for name in
        [&b""[..], b".", b"_", b":default", b"a\0b", b"a b", b"\xc3\xa4.test", &long[..254], &long]
    {
        assert_eq!(normal(name), None, "{}", name.escape_ascii());
    }
}

proptest! {
    #[test]
    fn any_bytes_are_a_record_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for bytes in [&bytes[..], &[&[1, 0][..], &bytes].concat()] {
            let _ = (Pair::decode(bytes), Authority::decode(bytes), Staple::decode(bytes));
            let _ = (TlsHost::decode(bytes), name_in_extension(bytes), normal(bytes));
        }
    }

    #[test]
    fn a_record_that_is_cut_anywhere_is_none(cut in 0usize..1000, key in "[a-z]{1,50}", leaf in "[a-z]{1,50}") {
        let record = pair(1, key.as_bytes(), &[leaf.as_bytes()]);
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
