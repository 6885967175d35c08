//! `wick-policy`: checks, compiles and tries a policy, outside of nginx and within limits.
//!
//!     wick-policy compile IN.wasm OUT.cwasm
//!     wick-policy check IN.wasm
//!
//! One line of JSON tells what came of it: what was learned and 0, or `{"problem": sentence}` and 2. 1: it was called wrongly, or
//! the system failed.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use sha2::{Digest, Sha256};
use wasmtime::Module;
use wick_confined::{Ended, Limits as ProcessLimits, confined};
use wick_policy::check::{MAX_CODE_BYTES, MAX_WASM_BYTES, check};
use wick_policy::engine::{MEMORY_BYTES, engine};
use wick_policy::instance::Limits;
use wick_policy::{Code, kept, trial};

const USAGE: &str = "wick-policy compile IN.wasm OUT.cwasm | wick-policy check IN.wasm";

/// In a trial: a machine may be busy, and counts what it does.
const LIMITS: Limits = Limits { memory_bytes: MEMORY_BYTES, deadline_ms: 1 };

/// To compile and try it.
const PROCESS: ProcessLimits =
    ProcessLimits { cpu_seconds: 10, memory_bytes: 1 << 30, file_bytes: 64 << 20 };

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (from, to) = match words[..] {
        ["compile", from, to] => (from, Some(Path::new(to))),
        ["check", from] => (from, None),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(1);
        }
    };
    match confined(PROCESS, || work(Path::new(from), to)) {
        Ended::Itself(code) => ExitCode::from(code),
        Ended::OutOfTime => problem("It takes longer than 10 s to compile and try"),
        Ended::OutOfMemory => {
            problem("It takes more than 1 GiB of memory to compile and try, or the compiler failed")
        }
        Ended::NotBegun(why) => {
            eprintln!("wick-policy: {why}");
            ExitCode::from(1)
        }
    }
}

fn problem(sentence: &str) -> ExitCode {
    println!("{{\"problem\":{}}}", quoted(sentence));
    ExitCode::from(2)
}

/// The exit code.
fn work(from: &Path, to: Option<&Path>) -> u8 {
    match make(from, to) {
        Ok(line) => {
            println!("{line}");
            0
        }
        Err(Refusal::Policy(sentence)) => {
            println!("{{\"problem\":{}}}", quoted(&sentence));
            2
        }
        Err(Refusal::System(why)) => {
            eprintln!("wick-policy: {why}");
            1
        }
    }
}

enum Refusal {
    /// Of the policy.
    Policy(String),
    /// Of the machine.
    System(String),
}

impl From<String> for Refusal {
    fn from(sentence: String) -> Refusal {
        Refusal::Policy(sentence)
    }
}

fn make(from: &Path, to: Option<&Path>) -> Result<String, Refusal> {
    let system = |what: &Path, error: std::io::Error| {
        Refusal::System(format!("{}: {error}", what.display()))
    };
    let bytes = fs::metadata(from).map_err(|error| system(from, error))?.len();
    if bytes > MAX_WASM_BYTES as u64 {
        return Err(Refusal::Policy(format!(
            "It has {bytes} bytes, and a policy has at most {MAX_WASM_BYTES}"
        )));
    }
    let wasm = fs::read(from).map_err(|error| system(from, error))?;
    let digest: kept::Digest = Sha256::digest(&wasm).into();
    let no_engine =
        |error: wasmtime::Error| Refusal::System(format!("Cannot start the engine: {error:#}"));
    let engine = engine().map_err(no_engine)?;
    let code = Code::new(&engine).map_err(no_engine)?;
    check(&code, &wasm, LIMITS.memory_bytes)?;
    let module = Module::from_binary(&engine, &wasm);
    let module = module.map_err(|error| format!("It does not compile: {}", error.root_cause()))?;
    let linked =
        code.link(&module).map_err(|error| format!("It does not link: {}", error.root_cause()))?;
    let compiled = module.serialize().map_err(|error| Refusal::System(error.to_string()))?;
    if compiled.len() > MAX_CODE_BYTES {
        return Err(Refusal::Policy(format!(
            "It is {} bytes when it is compiled, and a policy has at most {MAX_CODE_BYTES}",
            compiled.len()
        )));
    }
    let tried = trial::run(&code, &linked, LIMITS)?;
    if let Some(to) = to {
        kept::write_policy(to, &digest, tried.needs, &compiled)
            .map_err(|error| system(to, error))?;
    }
    Ok(format!(
        "{{\"digest\":\"{}\",\"abiVersion\":{},\"needs\":{},\"wasmBytes\":{},\"codeBytes\":{},\"memoryBytes\":{},\"picks\":{},\"declines\":{}}}",
        hex(&digest),
        tried.abi_version,
        tried.needs,
        wasm.len(),
        compiled.len(),
        tried.memory_bytes,
        tried.picks,
        tried.declines,
    ))
}

fn hex(digest: &[u8]) -> String {
    digest.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// As JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => {
                let _ = write!(quoted, "\\u{:04x}", c as u32);
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
