//! What a host asks of its clients' certificates: the host's own fields.

use wick_routes::{ClientCertificate, HostRoutes, PathMatch, RecordError, Verify};

use crate::support::{CRITICAL, field, record_of, required, route};

fn decode(own: &[Vec<u8>]) -> Result<Option<ClientCertificate>, RecordError> {
    let record = record_of(own, &[route(&required("/", PathMatch::Prefix))]);
    let host = HostRoutes::decode(b"shop.test", &record)?;
    assert_eq!(host.routes().len(), 1);
    Ok(host.client_certificate().cloned())
}

fn with(extra: Vec<u8>) -> Result<Option<ClientCertificate>, RecordError> {
    decode(&[field(1, b"ca"), field(2, &[1]), extra])
}

#[test]
fn nothing_is_asked_where_there_are_no_fields() {
    assert_eq!(decode(&[]), Ok(None));
}

#[test]
fn every_field_comes_back() {
    let own = [
        field(1, b"ca"),
        field(2, &[3]),
        field(3, b"CN=a"),
        field(4, b"/login"),
        field(5, &[1]),
        field(100, b"from the future"),
    ];
    let wanted = ClientCertificate {
        authority: (*b"ca").into(),
        verify: Verify::OptionalNoCa,
        match_cn: Some((*b"CN=a").into()),
        error_page: Some((*b"/login").into()),
        passes_certificate: true,
    };
    assert_eq!(decode(&own), Ok(Some(wanted)));
}

#[test]
fn every_way_to_verify_has_its_number() {
    for (number, verify) in
        (1..).zip([Verify::On, Verify::Optional, Verify::OptionalNoCa, Verify::Off])
    {
        let asked = decode(&[field(1, b"ca"), field(2, &[number])]).unwrap();
        assert_eq!(asked.map(|asked| asked.verify), Some(verify));
    }
}

#[test]
fn what_is_absent_is_not_asked() {
    let wanted = ClientCertificate {
        authority: (*b"ca").into(),
        verify: Verify::Optional,
        match_cn: None,
        error_page: None,
        passes_certificate: false,
    };
    assert_eq!(decode(&[field(2, &[2]), field(1, b"ca")]), Ok(Some(wanted)));
}

#[test]
fn authority_and_verify_go_together() {
    let missing = Err(RecordError::Missing);
    for own in [field(1, b"ca"), field(2, &[1]), field(3, b"CN=a"), field(5, &[1])] {
        assert_eq!(decode(&[own]), missing);
    }
    assert_eq!(decode(&[field(100, b"")]), Ok(None));
}

#[test]
fn what_must_be_understood_and_is_not_refuses_the_host() {
    assert_eq!(with(field(100 | CRITICAL, b"")), Err(RecordError::Critical(100)));
    assert_eq!(decode(&[field(100 | CRITICAL, b"")]), Err(RecordError::Critical(100)));
}

#[test]
fn what_cannot_be_is_refused() {
    for (id, bytes) in [
        (1, &b""[..]),
        (1, &[b'a'; 65]),
        (1, b"a\nb"),
        (2, &[]),
        (2, &[0]),
        (2, &[6]),
        (2, &[1, 0]),
        (3, b""),
        (3, &[b'a'; 4097]),
        (4, b""),
        (4, b"https://a\r\nX-B: b"),
        (4, &[b'/'; 4097]),
        (5, &[0]),
        (5, &[]),
    ] {
        assert_eq!(with(field(id, bytes)), Err(RecordError::Field), "{id} {bytes:?}");
    }
    for cut in [vec![1, 5, 0, 0, b'a'], vec![1]] {
        let record = record_of(&[field(1, b"ca"), field(2, &[1]), cut], &[]);
        assert_eq!(HostRoutes::decode(b"shop.test", &record).err(), Some(RecordError::Length));
    }
}
