//! The records of `test/fixtures/wire`, for the tests of each crate that reads some; the filter and the controller are tested with
//! the same files.
#![allow(dead_code)] // no crate needs all of it

use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/fixtures/wire")
}

/// The records whose names begin with `prefix`; none of a newer filter.
pub fn records(prefix: &str) -> Vec<PathBuf> {
    let files = read_dir(folder()).expect("the folder of fixtures");
    let files = files.map(|file| file.expect("a file").path());
    let is_wanted = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
        name.starts_with(prefix) && name.ends_with(".hex")
    };
    files.filter(is_wanted).collect()
}

/// The bytes of the record of this name.
pub fn record(name: &str) -> Vec<u8> {
    bytes(&folder().join(name))
}

/// The bytes that a file has in hexadecimal, with white space anywhere.
pub fn bytes(file: &Path) -> Vec<u8> {
    let hex = read_to_string(file).expect("the record");
    let digits: Vec<u8> = hex.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}
