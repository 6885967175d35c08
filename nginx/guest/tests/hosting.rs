//! Guests from text, in a host that knows nothing but what every host has.

use wasmtime::{Config, Engine, Linker, Module, Trap};
use wick_abi::{LogLevel, Status};
use wick_guest::deadline::Ticker;
use wick_guest::{Answer, Embedder, Guest, Parts, Sandbox, Taken, define};
use wick_guest::{log, sandbox, unimplemented, wasi};

const MEMORY_BYTES: usize = 4 << 16;

/// Splits what is written into lines, or not.
struct State<const SPLITS: bool> {
    parts: Parts,
    lines: Vec<(LogLevel, String)>,
}

impl<const SPLITS: bool> Embedder for State<SPLITS> {
    const TAKEN: Taken =
        Taken { line_bytes: 8, output_parts: 3, splits_output: SPLITS, random_bytes: 512 };

    fn parts(&self) -> &Parts {
        &self.parts
    }

    fn parts_mut(&mut self) -> &mut Parts {
        &mut self.parts
    }

    fn print(&mut self, level: LogLevel, text: &str) -> Result<(), Status> {
        self.lines.push((level, text.into()));
        Ok(())
    }

    fn log_level(&self) -> LogLevel {
        LogLevel::Warn
    }
}

wick_guest::exports! {
    struct Exports {
        run: "run"() -> i32;
        twice: "twice"(i32, i32);
    }
}

type Host = State<false>;
type Running<const SPLITS: bool> = Sandbox<State<SPLITS>, Exports>;

fn give(guest: &mut Guest<'_, Host>, at: i32, len: i32, data_at: i32, size_at: i32) -> Answer {
    let bytes = guest.bytes(at, len)?.to_vec();
    guest.give(&bytes, data_at, size_at)
}

fn engine() -> Engine {
    let mut config = Config::new();
    config.epoch_interruption(true).signals_based_traps(false);
    Engine::new(&config).expect("an engine")
}

fn linker<const SPLITS: bool>(engine: &Engine) -> Linker<State<SPLITS>> {
    let mut linker = Linker::new(engine);
    log::link(&mut linker).expect("log");
    wasi::link(&mut linker).expect("wasi");
    unimplemented::link(&mut linker, unimplemented::NOWHERE, Status::Unimplemented).expect("rest");
    linker
}

fn start<const SPLITS: bool>(
    linker: &Linker<State<SPLITS>>,
    wat: &str,
) -> wasmtime::Result<(Running<SPLITS>, wasmtime::Instance)> {
    let module = Module::new(linker.engine(), wat::parse_str(wat).expect("it is a module"))?;
    let state = State { parts: Parts::new(MEMORY_BYTES), lines: Vec::new() };
    let code = linker.instantiate_pre(&module)?;
    Sandbox::instantiate(sandbox::store(linker.engine(), state), &code, Exports::of)
}

/// What `run` returns whose body this is.
fn run(imports: &str, allocate: &str, body: &str) -> (i32, Running<false>) {
    let mut linker = linker::<false>(&engine());
    define(&mut linker).expect("give");
    let wat = format!(
        "(module
          (import \"env\" \"give\" (func $give (param i32 i32 i32 i32) (result i32)))
          {imports}
          (memory (export \"memory\") 1)
          (data (i32.const 16) \"wick\")
          (func (export \"proxy_on_memory_allocate\") (param i32) (result i32) {allocate})
          (func (export \"run\") (result i32) {body}))"
    );
    let (mut running, _) = start(&linker, &wat).expect("it starts");
    let answer =
        running.call(|exports| &exports.run, ()).expect("it returns").expect("it is there");
    (answer, running)
}

fn define(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    define!(linker: Host, "give"(at, len, data_at, size_at) => give;);
    Ok(())
}

fn numbers<const N: usize>(values: [i32; N]) -> String {
    values.map(|value| format!("(i32.const {value}) ")).concat()
}

#[test]
fn bytes_are_given_where_the_guest_wants_them() {
    let body = format!("(call $give {})", numbers([16, 4, 100, 104]));
    let (status, mut running) = run("", "(i32.const 1024)", &body);
    assert_eq!(status, Status::Ok as i32);
    assert_eq!(running.memory()[1024..1028], *b"wick");
    assert_eq!(running.memory()[100..108], [0, 4, 0, 0, 4, 0, 0, 0]);
}

#[test]
fn nothing_outside_of_the_memory_is_read_or_written() {
    let cases = [
        ([16, -1, 100, 104], "(i32.const 1024)", Status::InvalidMemoryAccess),
        ([65533, 4, 100, 104], "(i32.const 1024)", Status::InvalidMemoryAccess),
        ([16, 4, 65533, 104], "(i32.const 1024)", Status::InvalidMemoryAccess),
        ([16, 4, 100, -4], "(i32.const 1024)", Status::InvalidMemoryAccess),
        ([16, 4, 100, 104], "(i32.const 65533)", Status::InvalidMemoryAccess),
        ([16, 4, 100, 104], "(i32.const 0)", Status::InternalFailure),
    ];
    for (arguments, allocate, wanted) in cases {
        let (status, _) = run("", allocate, &format!("(call $give {})", numbers(arguments)));
        assert_eq!(status, wanted as i32, "{arguments:?} {allocate}");
    }
}

#[test]
fn the_allocator_cannot_ask_for_memory_again() {
    let again = format!("(i32.store (i32.const 200) (call $give {}))", numbers([16, 4, 100, 104]));
    let body = format!("(call $give {})", numbers([16, 4, 100, 104]));
    let (status, mut running) = run("", &format!("{again} (i32.const 1024)"), &body);
    assert_eq!(status, Status::Ok as i32);
    assert_eq!(running.memory()[200], Status::InternalFailure as u8);
}

#[test]
fn memory_is_limited() {
    let (before, _) = run("", "(i32.const 0)", "(memory.grow (i32.const 3))");
    assert_eq!(before, 1);
    let (before, _) = run("", "(i32.const 0)", "(memory.grow (i32.const 4))");
    assert_eq!(before, -1);
    let five = start(&linker::<false>(&engine()), "(module (memory (export \"memory\") 5))");
    assert!(five.is_err());
}

/// Three parts, "one", "two and more" and "three", and a fourth that is not looked at.
const OUTPUT: &str = "(module
  (import \"wasi_snapshot_preview1\" \"fd_write\" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export \"memory\") 1)
  (data (i32.const 0) \"\\40\\00\\00\\00\\03\\00\\00\\00\\43\\00\\00\\00\\0c\\00\\00\\00\\4f\\00\\00\\00\\05\\00\\00\\00\\ff\\ff\\ff\\ff\\01\\00\\00\\00\")
  (data (i32.const 64) \"onetwo and morethree\")
  (func (export \"run\") (result i32)
    (call $write (i32.const 2) (i32.const 0) (i32.const 4) (i32.const 32))))";

#[test]
fn what_is_written_becomes_one_line_or_a_line_for_each_part() {
    let (mut whole, _) = start(&linker::<false>(&engine()), OUTPUT).expect("it starts");
    assert_eq!(whole.call(|exports| &exports.run, ()).expect("it returns"), Some(0));
    assert_eq!(whole.store.data().lines, [(LogLevel::Error, "onetwo a".into())]);
    assert_eq!(whole.memory()[32], 20);

    let (mut split, _) = start(&linker::<true>(&engine()), OUTPUT).expect("it starts");
    assert_eq!(split.call(|exports| &exports.run, ()).expect("it returns"), Some(0));
    let lines = ["one", "two and", "three"].map(|line| (LogLevel::Error, line.to_string()));
    assert_eq!(split.store.data().lines, lines);
    assert_eq!(split.memory()[32], 20);
}

#[test]
fn what_no_host_has_says_so() {
    for (name, parameters) in unimplemented::NOWHERE {
        let long = |c| if c == 'I' { "i64" } else { "i32" };
        let types: Vec<_> = parameters.chars().map(long).collect();
        let values: Vec<_> = types.iter().map(|kind| format!("({kind}.const 0)")).collect();
        let import = format!(
            "(import \"env\" \"{name}\" (func $asked (param {}) (result i32)))",
            types.join(" ")
        );
        let (status, _) =
            run(&import, "(i32.const 0)", &format!("(call $asked {})", values.join(" ")));
        assert_eq!(status, Status::Unimplemented as i32, "{name}");
    }
    let mut linker = linker::<false>(&engine());
    assert!(unimplemented::link(&mut linker, &[("proxy_done", "")], Status::Ok).is_err());
}

#[test]
fn exports_have_the_types_that_are_declared() {
    assert_eq!(Exports::signature("run"), Some((0, 1)));
    assert_eq!(Exports::signature("twice"), Some((2, 0)));
    assert_eq!(Exports::signature("malloc"), Some((1, 1)));
    assert_eq!(Exports::signature("memory"), None);
    let other = "(module (func (export \"run\") (param i32)))";
    let (mut running, _) = start(&linker::<false>(&engine()), other).expect("it starts");
    assert_eq!(running.call(|exports| &exports.run, ()).expect("nothing is called"), None);
}

#[test]
fn an_attempt_record_is_found_where_it_lies_in_the_memory() {
    for (at, size, wanted) in [(64, 136, Some(136)), (64, 4096, Some(400)), (65500, 136, None)] {
        let wat = format!(
            "(module
              (memory (export \"memory\") 1)
              (global (export \"wick_attempt\") i32 (i32.const {at}))
              (func $set (i32.store (i32.const {at}) (i32.const {size})))
              (start $set))"
        );
        let (mut running, instance) = start(&linker::<false>(&engine()), &wat).expect("it starts");
        running.find_record(&instance, 400);
        assert_eq!(running.record().map(|record| record.len()), wanted, "{at} {size}");
    }
}

#[test]
fn a_call_that_does_not_end_is_stopped() {
    let engine = engine();
    let wat = "(module (func (export \"run\") (result i32) (loop (br 0)) (i32.const 0)))";
    let (mut running, _) = start(&linker::<false>(&engine), wat).expect("it starts");
    let _ticker = Ticker::start(vec![engine], 2).expect("a timer");
    let stopped = running.call(|exports| &exports.run, ()).expect_err("it is stopped");
    assert_eq!(stopped.downcast_ref::<Trap>(), Some(&Trap::Interrupt));
}
