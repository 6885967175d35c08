//! Compiled filters on disk: what was kept is loaded again, and nothing else is.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use wasmtime::{Engine, Module};
use wick_guest::compiled::Cache;

/// A folder of this test's own, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("wick-guest-{}-{name}", std::process::id()));
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const FILTER: &[u8] = b"\0asm\x01\0\0\0";

fn kept(folder: &Folder) -> Engine {
    let engine = Engine::default();
    let module = Module::new(&engine, FILTER).expect("it compiles");
    Cache { dir: &folder.0 }.save("balancer", FILTER, &module).expect("it is kept");
    engine
}

fn is_loaded(folder: &Folder, engine: &Engine, name: &str, wasm: &[u8]) -> bool {
    Cache { dir: &folder.0 }.load(engine, name, wasm).is_some()
}

#[test]
fn a_filter_is_loaded_by_its_name_and_bytes() {
    let folder = Folder::new("names");
    let engine = kept(&folder);
    assert!(is_loaded(&folder, &engine, "balancer", FILTER));
    assert!(!is_loaded(&folder, &engine, "other", FILTER));
    assert!(!is_loaded(&folder, &engine, "balancer", b"\0asm\x01\0\0\0\0\x02\x01a"));
    assert!(!is_loaded(&folder, &engine, "../balancer", FILTER));
}

#[test]
fn a_damaged_file_is_none() {
    let folder = Folder::new("damage");
    let engine = kept(&folder);
    let file = folder.0.join("balancer.cwasm");
    let mut content = fs::read(&file).expect("it is there");
    *content.last_mut().expect("it has bytes") ^= 1;
    fs::write(&file, content).expect("it can be written");
    assert!(!is_loaded(&folder, &engine, "balancer", FILTER));
}

#[test]
fn what_others_can_write_is_not_executed() {
    let folder = Folder::new("rights");
    let engine = kept(&folder);
    let file = folder.0.join("balancer.cwasm");
    let set = |path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).expect("ours");
    set(&file, 0o620);
    assert!(!is_loaded(&folder, &engine, "balancer", FILTER));
    set(&file, 0o600);
    set(&folder.0, 0o770);
    assert!(!is_loaded(&folder, &engine, "balancer", FILTER));
    set(&folder.0, 0o700);
    assert!(is_loaded(&folder, &engine, "balancer", FILTER));
}
