//! Databases that harness/geo-database.ts makes, whole and damaged.

use std::net::IpAddr;

use maxminddb::PathElement::{self, Index, Key};
use proptest::prelude::*;
use wick_geo::{Database, Edition, Family, VARIABLES, Value, places_of_asn, places_of_country};

const DATABASES: [&[u8]; 4] = [
    include_bytes!("../../../test/fixtures/geoip/city-24.mmdb"),
    include_bytes!("../../../test/fixtures/geoip/city-28.mmdb"),
    include_bytes!("../../../test/fixtures/geoip/city-32.mmdb"),
    include_bytes!("../../../test/fixtures/geoip/country-v4.mmdb"),
];
const COUNTRY: &[PathElement] = &[Key("country"), Key("iso_code")];

fn address(text: &str) -> IpAddr {
    text.parse().unwrap()
}

fn get(bytes: &[u8], client: &str, path: &'static [PathElement<'static>]) -> Option<String> {
    let database = Database::open(bytes).unwrap();
    database.get(address(client), path).unwrap().map(|value| value.to_string())
}

#[test]
fn a_value_is_found_whatever_a_record_is_long() {
    for bytes in DATABASES {
        assert_eq!(get(bytes, "81.2.69.7", COUNTRY).as_deref(), Some("GB"));
        assert_eq!(get(bytes, "::ffff:81.2.69.7", COUNTRY).as_deref(), Some("GB"));
        assert_eq!(get(bytes, "81.2.70.7", COUNTRY), None);
    }
    assert_eq!(get(DATABASES[0], "2001:db8::1", COUNTRY).as_deref(), Some("FR"));
    assert_eq!(get(DATABASES[3], "2001:db8::1", COUNTRY), None, "a database of IPv4");
}

#[test]
fn values_are_printed_as_variables_have_them() {
    let at = |path| get(DATABASES[0], "81.2.69.7", path);
    assert_eq!(at(&[Key("country"), Key("geoname_id")]).as_deref(), Some("2635167"));
    assert_eq!(at(&[Key("location"), Key("latitude")]).as_deref(), Some("51.51420"));
    assert_eq!(at(&[Key("subdivisions"), Index(1), Key("iso_code")]).as_deref(), Some("LND"));
    assert_eq!(at(&[Key("subdivisions"), Index(2), Key("iso_code")]), None);
    assert_eq!(at(&[Key("is_anonymous")]).as_deref(), Some("1"));
    assert_eq!(at(&[Key("city"), Key("names"), Key("en")]), None);
    assert_eq!(Value::Flag(false).to_string(), "0");
    assert_eq!(Value::Signed(-3).to_string(), "-3");
}

#[test]
fn what_is_no_text_and_no_number_is_damaged() {
    let database = Database::open(DATABASES[0]).unwrap();
    assert!(database.get(address("81.2.69.7"), &[Key("country")]).is_err());
    assert!(database.get(address("81.2.69.7"), &[Key("long"), Key("en")]).is_err());
}

#[test]
fn half_a_file_is_none() {
    for bytes in DATABASES {
        assert!((0..bytes.len() / 2).all(|len| Database::open(&bytes[..len]).is_err()));
    }
}

#[test]
fn each_variable_has_a_name_and_a_place_of_its_own() {
    for (at, variable) in VARIABLES.iter().enumerate() {
        assert!(variable.name.starts_with("geoip2_") && !variable.places.is_empty());
        assert!(VARIABLES[..at].iter().all(|other| other.name != variable.name));
    }
}

#[test]
fn editions_are_known_by_name() {
    assert_eq!(Edition::named(b"GeoIP2-ISP").unwrap().family, Family::Isp);
    assert!(Edition::named(b"GeoLite2-city").is_none());
    let families =
        |places: &[wick_geo::Place]| places.iter().map(|it| it.family).collect::<Vec<_>>();
    assert_eq!(families(places_of_country()), [Family::Country, Family::City]);
    assert_eq!(families(places_of_asn()), [Family::Asn, Family::Isp]);
}

proptest! {
    /// Overwritten, cut and lengthened: a lookup says something or that it cannot, and comes back.
    #[test]
    fn damage_does_no_harm(
        which in 0..DATABASES.len(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
        client in any::<[u8; 16]>(),
        is_v4 in any::<bool>(),
    ) {
        let mut bytes = DATABASES[which].to_vec();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if is_cut {
            bytes.drain(..cut.index(bytes.len()));
        }
        let client = if is_v4 { address("81.2.69.7") } else { IpAddr::from(client) };
        if let Ok(database) = Database::open(&bytes[..]) {
            for place in VARIABLES.iter().flat_map(|variable| variable.places) {
                let _ = database.get(client, place.path).map(|value| value.map(|value| value.to_string()));
            }
        }
    }
}
