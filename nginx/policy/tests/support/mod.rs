//! Policies from text.
#![allow(dead_code)] // each test uses a part

use wasmtime::Module;
use wick_policy::check::check;
use wick_policy::engine::{MEMORY_BYTES, engine};
use wick_policy::instance::{Limits, Linked};
use wick_policy::trial::{Tried, run};
use wick_policy::{Code, trial};

pub const LIMITS: Limits = Limits { memory_bytes: MEMORY_BYTES, deadline_ms: 1 };

/// One whose select has this body, and with these other fields. Its attempt record lies at 0.
pub fn policy(select: &str, more: &str) -> String {
    format!(
        "(module
          (import \"env\" \"proxy_call_foreign_function\" (func $foreign (param i32 i32 i32 i32 i32 i32) (result i32)))
          (memory (export \"memory\") 1)
          (data (i32.const 0) \"\\88\\01\\00\\00\")
          (global (export \"wick_attempt\") i32 (i32.const 0))
          (func (export \"proxy_abi_version_0_2_1\"))
          (func (export \"proxy_on_memory_allocate\") (param i32) (result i32) (i32.const 32768))
          (func (export \"proxy_on_upstream_select\") (param i32) {select})
          {more})"
    )
}

pub fn code() -> Code {
    let engine = engine().expect("an engine");
    Code::new(&engine).expect("a linker")
}

pub fn linked(code: &Code, wasm: &[u8]) -> Linked {
    code.link(&Module::from_binary(code.engine(), wasm).expect("it compiles")).expect("it links")
}

/// What the program makes of a module.
pub fn made(code: &Code, wasm: &[u8]) -> Result<Tried, String> {
    check(code, wasm, LIMITS.memory_bytes)?;
    let module = Module::from_binary(code.engine(), wasm).map_err(|error| format!("{error:#}"))?;
    let linked = code.link(&module).map_err(|error| format!("{error:#}"))?;
    run(code, &linked, LIMITS)
}

pub fn compiled(wat: &str) -> Result<trial::Tried, String> {
    made(&code(), &wat::parse_str(wat).expect("it is a module"))
}

pub fn problem(wat: &str) -> String {
    compiled(wat).expect_err("it is refused")
}
