//! Modules that are no policies, or hostile ones: each is refused with a sentence, or contained.

mod support;

use support::{compiled, policy, problem};

#[test]
fn what_is_no_policy_is_refused_before_it_is_compiled() {
    let cases = [
        ("(module)", "It exports none of proxy_abi_version_0_2_1, proxy_abi_version_0_2_0"),
        (
            "(module (func (export \"proxy_abi_version_0_2_1\")))",
            "It does not export proxy_on_upstream_select, which chooses endpoints",
        ),
        ("(module (import \"env\" \"open\" (func)))", "It imports env.open, which no policy has"),
        (
            "(module (import \"wasi_snapshot_preview1\" \"path_open\" (func)))",
            "It imports wasi_snapshot_preview1.path_open, which no policy has",
        ),
        (
            "(module (import \"env\" \"memory\" (memory 1)))",
            "It imports env.memory, which no policy has",
        ),
        (
            "(module (memory 65536))",
            "It begins with 4294967296 bytes of memory, and a policy has at most 16777216",
        ),
        ("(module (memory i64 1))", "Its memory is shared or of 64 bits, which no policy's is"),
        (
            "(module (memory 1 1 shared))",
            "Its memory is shared or of 64 bits, which no policy's is",
        ),
        (
            "(module (table 10000000 funcref))",
            "It has a table of 10000000 elements, and a policy's have at most 10000",
        ),
        ("(module (memory 1) (memory 1))", "It is no valid Wasm: multiple memories"),
    ];
    for (wat, sentence) in cases {
        let found = problem(wat);
        assert!(found.starts_with(sentence), "{wat}: {found}");
    }
    assert_eq!(
        problem(&format!("(module {})", "(func)".repeat(100_000))),
        "It has 100000 functions, and a policy has at most 10000"
    );
    let relaxed = policy("(drop (i32x4.relaxed_trunc_f32x4_s (v128.const i32x4 0 0 0 0)))", "");
    assert!(problem(&relaxed).contains("relaxed SIMD"), "{}", problem(&relaxed));
}

#[test]
fn an_export_of_another_type_is_refused() {
    let other = policy("", "(func (export \"proxy_on_vm_start\") (param i32))");
    assert_eq!(
        problem(&other),
        "Its export proxy_on_vm_start has another type than the ABI gives it"
    );
}

#[test]
fn what_faults_or_lies_in_the_trial_is_refused() {
    let deadline = "it took longer than its deadline";
    let cases = [
        (policy("(loop $l (br $l))", ""), deadline),
        (policy("", "(func $s (loop $l (br $l))) (start $s)"), deadline),
        (policy("unreachable", ""), "unreachable"),
        (policy("(drop (i32.load (i32.const -1)))", ""), "out of bounds memory access"),
        (policy("(drop (i32.div_u (i32.const 1) (i32.const 0)))", ""), "divide by zero"),
        (policy("(call $deep)", "(func $deep (call $deep))"), "call stack exhausted"),
        (policy("(i32.store (i32.const 8) (i32.const 1))", ""), "It chose endpoint 1 of 1"),
        (
            policy("(i32.store (i32.const 8) (i32.const -2))", ""),
            "It chose endpoint 4294967294 of 1",
        ),
        (
            policy("", "(global (export \"wick_abi_version\") i32 (i32.const 2))"),
            "It is for version 2 of the ABI",
        ),
        (
            policy("", "(global (export \"wick_policy_needs\") i32 (i32.const 1024))"),
            "Its wick_policy_needs is 1024",
        ),
        (
            policy(
                "",
                "(func (export \"proxy_on_vm_start\") (param i32 i32) (result i32) (i32.const 0))",
            ),
            "proxy_on_vm_start returned 0",
        ),
    ];
    for (wat, part) in cases {
        let found = problem(&wat);
        assert!(found.contains(part), "{wat}: {found}");
    }
}

#[test]
fn memory_ends_where_the_limit_is_and_the_policy_is_told() {
    // Grows by 1 MiB until it is refused, which must come after fifteen times; then chooses the first endpoint.
    let grows = policy(
        "(local $n i32) (loop $l (if (i32.ne (memory.grow (i32.const 16)) (i32.const -1)) (then (local.set $n (i32.add (local.get $n) (i32.const 1))) (br $l))))
         (i32.store (i32.const 8) (i32.const 0)) (if (i32.gt_u (local.get $n) (i32.const 15)) (then unreachable))",
        "",
    );
    let tried = compiled(&grows).expect("it is contained");
    assert!(tried.memory_bytes <= 16 << 20 && tried.memory_bytes > 15 << 20);
}

#[test]
fn one_that_declines_is_no_problem_and_needs_are_found_in_both_forms() {
    let tried = compiled(&policy("", "(global (export \"wick_policy_needs\") i32 (i32.const 9))"));
    let tried = tried.expect("it declines");
    assert_eq!((tried.picks, tried.declines, tried.needs, tried.abi_version), (4000, 4000, 9, 1));
    let function = policy("", "(func (export \"wick_policy_needs\") (result i32) (i32.const 5))");
    assert_eq!(compiled(&function).map(|tried| tried.needs), Ok(5));
    let no_configuration = policy(
        "unreachable",
        "(func (export \"proxy_on_configure\") (param i32 i32) (result i32) (i32.const 0))",
    );
    assert_eq!(compiled(&no_configuration).map(|tried| tried.picks), Ok(0));
}
