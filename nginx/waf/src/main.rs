//! `wick-waf check [--library PATH] FILE.json…`: whether libmodsecurity takes rule sets, outside of nginx and within limits.
//!
//! For each file one line of JSON: `{"file":…,"ok":true,"rules":N}`, or `{"file":…,"ok":false,"part":I,"line":L,"error":…}` with part
//! and line where they are known. `{"library":false,"error":…}` where there is no library. 1: it was called wrongly, or the system failed.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use wick_confined::{Ended, Limits, confined};
use wick_waf::{Compiler, Engine, Fault, Source};

const USAGE: &str = "wick-waf check [--library PATH] FILE.json...";
const LIBRARY: &str = "libmodsecurity.so.3";
const LIMITS: Limits = Limits { cpu_seconds: 30, memory_bytes: 2 << 30, file_bytes: 1 << 20 };

/// What the process returns that could not use the library.
const NO_LIBRARY: u8 = 3;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (library, files) = match &words[..] {
        ["check", "--library", library, files @ ..] if !files.is_empty() => (*library, files),
        ["check", files @ ..] if !files.is_empty() && !files[0].starts_with('-') => {
            (LIBRARY, files)
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(1);
        }
    };
    check_all(Path::new(library), files)
}

/// One process for all files, so that what they have in common is read once; where one of them ends it, another one for the rest.
fn check_all(library: &Path, files: &[&str]) -> ExitCode {
    let Some(checked) = shared_number() else {
        eprintln!("wick-waf: {}", io::Error::last_os_error());
        return ExitCode::from(1);
    };
    let mut next = 0;
    while next < files.len() {
        checked.store(0, Ordering::Relaxed);
        let error = match confined(LIMITS, || work(library, &files[next..], checked)) {
            Ended::Itself(0 | NO_LIBRARY) => return ExitCode::SUCCESS,
            Ended::Itself(_) | Ended::OutOfMemory => {
                "It takes more than 2 GiB of memory to compile, or libmodsecurity failed"
            }
            Ended::OutOfTime => "It takes longer than 30 s to compile",
            Ended::NotBegun(why) => {
                eprintln!("wick-waf: {why}");
                return ExitCode::from(1);
            }
        };
        next += checked.load(Ordering::Relaxed);
        if let Some(file) = files.get(next) {
            print(&refused(file, &Fault::new(error)));
        }
        next += 1;
    }
    ExitCode::SUCCESS
}

/// The exit code.
fn work(library: &Path, files: &[&str], checked: &AtomicUsize) -> u8 {
    let engine = match Engine::load(library) {
        Ok(engine) => engine,
        Err(error) => {
            print(&json!({ "library": false, "error": error }));
            return NO_LIBRARY;
        }
    };
    let mut compiler = Compiler::new(engine);
    for file in files {
        let source = Source::read(Path::new(file), None);
        print(&match source.and_then(|source| compiler.compile(&source)) {
            Ok(set) => json!({ "file": file, "ok": true, "rules": set.count }),
            Err(fault) => refused(file, &fault),
        });
        checked.fetch_add(1, Ordering::Relaxed);
    }
    0
}

fn refused(file: &str, fault: &Fault) -> Value {
    let mut line = json!({ "file": file, "ok": false, "error": fault.error });
    if let Some(part) = fault.part {
        line["part"] = part.into();
    }
    if let Some(number) = fault.line {
        line["line"] = number.into();
    }
    line
}

fn print(line: &Value) {
    let mut out = io::stdout();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Zero; what a child does to it the parent sees.
fn shared_number() -> Option<&'static AtomicUsize> {
    let (access, kind) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    // SAFETY: fresh zeroed memory, which stays as long as the process.
    unsafe {
        let page = libc::mmap(null_mut(), size_of::<AtomicUsize>(), access, kind, -1, 0);
        (page != libc::MAP_FAILED).then(|| &*page.cast::<AtomicUsize>())
    }
}
