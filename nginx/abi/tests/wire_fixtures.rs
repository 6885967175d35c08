//! The backend records of `test/fixtures/wire`, which the filter and the controller are tested with too.

#[path = "../../wire/tests/support/fixtures.rs"]
mod fixtures;

use std::fs;
use std::path::Path;

use wick_abi::{EndpointList, RecordError};

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8")
}

/// The list of endpoints, in which no other list stands.
fn endpoints(json: &str) -> &str {
    let list = json.split_once("\"endpoints\": [").expect("a list of endpoints").1;
    list.split(']').next().expect("its end")
}

/// The values of all fields of this name, in the order of the text. The fixtures are plain enough for that.
fn values<'a>(json: &'a str, field: &str) -> Vec<&'a str> {
    let value =
        |rest: &'a str| rest.split([',', '\n']).next().map(|value| value.trim_matches([' ', '"']));
    json.split(&format!("\"{field}\":")).skip(1).filter_map(value).collect()
}

#[test]
fn backend_records_say_what_the_json_beside_them_says() {
    let fixtures = fixtures::records("backend-");
    assert!(fixtures.len() >= 3);
    for path in fixtures {
        let record = fixtures::bytes(&path);
        let json = fs::read_to_string(path.with_extension("json")).expect("the JSON beside it");
        let list = EndpointList::parse(&record).expect("a valid record");
        let fields = list.iter().map(|endpoint| {
            let address = endpoint.address;
            [address.ip.to_string(), address.port.to_string(), endpoint.weight.to_string()]
        });
        let fields: Vec<_> = fields.collect();
        for (at, field) in ["address", "port", "weight"].into_iter().enumerate() {
            let read: Vec<_> = fields.iter().map(|fields| &fields[at]).collect();
            assert_eq!(read, values(endpoints(&json), field), "{field} of {}", name(&path));
        }
    }
}

#[test]
fn what_a_newer_filter_adds_is_skipped_unless_it_is_critical() {
    let [known, newer, critical] = ["", "newer/", "newer/critical/"]
        .map(|folder| fixtures::record(&format!("{folder}backend-shop-all-80.hex")));
    let endpoints =
        |record| EndpointList::parse(record).map(|list| list.iter().collect::<Vec<_>>());
    assert!(endpoints(&known).is_ok_and(|list| !list.is_empty()));
    assert_eq!(endpoints(&newer), endpoints(&known));
    assert_eq!(endpoints(&critical), Err(RecordError::Critical(127)));
}
