//! Modules that nobody wrote, through all that a worker does with one: none may crash it, whatever they are.
//!
//! `WICK_MODULES=100000 cargo test --release -p wick-policy --test generated` tries more than the few of every run.

mod support;

use std::collections::BTreeMap;

use arbitrary::Unstructured;
use support::{LIMITS, code, made};
use wasm_smith::{Config, Module};
use wick_policy::Code;
use wick_policy::check::check;

/// What a policy exports and may import: so that many get as far as the trial.
const SHAPE: &str = "(module
  (import \"env\" \"proxy_call_foreign_function\" (func (param i32 i32 i32 i32 i32 i32) (result i32)))
  (import \"env\" \"proxy_get_buffer_bytes\" (func (param i32 i32 i32 i32 i32) (result i32)))
  (import \"env\" \"proxy_log\" (func (param i32 i32 i32) (result i32)))
  (import \"wasi_snapshot_preview1\" \"random_get\" (func (param i32 i32) (result i32)))
  (import \"wasi_snapshot_preview1\" \"fd_write\" (func (param i32 i32 i32 i32) (result i32))))";

const EXPORTS: &str = "(module
  (memory (export \"memory\") 1)
  (global (export \"wick_attempt\") i32 (i32.const 0))
  (func (export \"proxy_abi_version_0_2_1\"))
  (func (export \"proxy_on_memory_allocate\") (param i32) (result i32) (i32.const 0))
  (func (export \"proxy_on_configure\") (param i32 i32) (result i32) (i32.const 0))
  (func (export \"proxy_on_shared_data_changed\") (param i32))
  (func (export \"proxy_on_upstream_info\") (param i32 i32))
  (func (export \"proxy_on_upstream_select\") (param i32)))";

#[test]
fn generated_modules_are_refused_or_contained() {
    let count = std::env::var("WICK_MODULES").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let code = code();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut outcomes = BTreeMap::<String, usize>::new();
    for _ in 0..count {
        let bytes: Vec<u8> = (0..2048).map(|_| random.next() as u8).collect();
        let Ok(module) = Module::new(config(), &mut Unstructured::new(&bytes)) else { continue };
        let outcome = match made(&code, &module.to_bytes()) {
            Ok(_) => "it is a policy".into(),
            Err(sentence) => sentence.replace(|c: char| c.is_ascii_digit(), ""),
        };
        *outcomes.entry(outcome).or_default() += 1;
    }
    println!("{outcomes:#?}");
    assert!(outcomes.values().sum::<usize>() > count / 2);
}

#[test]
fn damaged_modules_are_refused_or_contained() {
    let whole = wat::parse_str(support::policy("(call $f)", "(func $f)")).expect("it is a module");
    let code = code();
    let mut random = Random(4711);
    for _ in 0..3000 {
        let mut damaged = whole.clone();
        for _ in 0..=random.next() % 3 {
            let at = random.next() as usize % damaged.len();
            damaged[at] = random.next() as u8;
        }
        damaged.truncate(damaged.len() - random.next() as usize % 8);
        contained(&code, &damaged);
    }
}

/// What passes the check compiles: nothing reaches the compiler that is not valid.
fn contained(code: &Code, wasm: &[u8]) {
    if check(code, wasm, LIMITS.memory_bytes).is_ok() {
        let _ = made(code, wasm);
    }
}

fn config() -> Config {
    let wasm = |text| Some(wat::parse_str(text).expect("it is a module"));
    Config {
        available_imports: wasm(SHAPE),
        exports: wasm(EXPORTS),
        max_memory32_bytes: 17 << 20,
        max_memories: 0, // beside the exported one
        reference_types_enabled: false,
        max_tables: 4,
        max_instructions: 200,
        max_funcs: 30,
        threads_enabled: false,
        memory64_enabled: false,
        gc_enabled: false,
        exceptions_enabled: false,
        relaxed_simd_enabled: false,
        custom_page_sizes_enabled: false,
        shared_everything_threads_enabled: false,
        wide_arithmetic_enabled: false,
        ..Config::default()
    }
}

/// SplitMix64: the same modules in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
}
