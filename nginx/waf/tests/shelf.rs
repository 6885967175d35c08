//! Which set serves whom, seen from outside.

use std::sync::Arc;

use wick_waf::{Asked, DIGITS, Digest, Shelf};

const A: Digest = [b'a'; DIGITS];
const B: Digest = [b'b'; DIGITS];
const SECOND: u64 = 1000;

fn told(asked: Asked<&'static str>) -> String {
    match asked {
        Asked::Set(set) => set.to_string(),
        Asked::Wait => "wait".into(),
        Asked::Order(former) => format!("order, {}", former.map_or("nothing", |set| *set)),
        Asked::Failed(why) => format!("failed: {why}"),
    }
}

fn ask(shelf: &mut Shelf<&'static str>, owner: &str, digest: &Digest, now_ms: u64) -> String {
    told(shelf.ask(owner.as_bytes(), digest, now_ms))
}

#[test]
fn equal_sets_are_ordered_once() {
    let mut shelf = Shelf::default();
    assert_eq!(ask(&mut shelf, "x", &A, 0), "order, nothing");
    assert_eq!(ask(&mut shelf, "y", &A, 0), "wait");
    shelf.finish(&A, Ok(Arc::new("a")), 0);
    assert_eq!(ask(&mut shelf, "x", &A, 0), "a");
    assert_eq!(ask(&mut shelf, "y", &A, 0), "a");
    assert_eq!(shelf.len(), 1);
}

#[test]
fn the_former_set_of_the_same_owner_serves_until_the_new_one_is_there() {
    let mut shelf = Shelf::default();
    ask(&mut shelf, "x", &A, 0);
    shelf.finish(&A, Ok(Arc::new("a")), 0);
    ask(&mut shelf, "x", &A, 0);
    assert_eq!(ask(&mut shelf, "x", &B, 1), "order, a");
    assert_eq!(ask(&mut shelf, "x", &B, 2), "a");
    assert_eq!(ask(&mut shelf, "y", &B, 2), "wait");
    shelf.finish(&B, Ok(Arc::new("b")), 3);
    assert_eq!(ask(&mut shelf, "x", &B, 3), "b");
}

#[test]
fn what_cannot_be_made_serves_nobody_and_is_tried_again() {
    let mut shelf = Shelf::default();
    ask(&mut shelf, "x", &A, 0);
    shelf.finish(&A, Ok(Arc::new("a")), 0);
    ask(&mut shelf, "x", &A, 0);
    ask(&mut shelf, "x", &B, 0);
    shelf.finish(&B, Err("no".into()), 0);
    assert_eq!(ask(&mut shelf, "x", &B, 9 * SECOND), "failed: no");
    assert_eq!(ask(&mut shelf, "x", &B, 10 * SECOND), "order, a");
}

#[test]
fn what_nobody_asks_for_is_dropped() {
    let mut shelf = Shelf::default();
    for digest in [A, B] {
        ask(&mut shelf, "x", &digest, 0);
        shelf.finish(&digest, Ok(Arc::new("set")), 0);
        ask(&mut shelf, "x", &digest, 0);
    }
    ask(&mut shelf, "x", &B, 599 * SECOND);
    shelf.sweep(600 * SECOND);
    assert_eq!(shelf.len(), 1);
    assert_eq!(ask(&mut shelf, "x", &B, 600 * SECOND), "set");
    shelf.sweep(1200 * SECOND);
    assert!(shelf.is_empty());
    assert_eq!(ask(&mut shelf, "x", &A, 1200 * SECOND), "order, nothing");
}

#[test]
fn what_its_owner_has_replaced_goes_after_a_minute_and_what_another_one_has_stays() {
    let mut shelf = Shelf::default();
    for (owner, digest) in [("x", A), ("x", B)] {
        ask(&mut shelf, owner, &digest, 0);
        shelf.finish(&digest, Ok(Arc::new("set")), 0);
        ask(&mut shelf, owner, &digest, 0);
    }
    ask(&mut shelf, "y", &B, 0);
    shelf.sweep(59 * SECOND);
    assert_eq!(shelf.len(), 2);
    shelf.sweep(60 * SECOND);
    assert_eq!(shelf.len(), 1);
    assert_eq!(ask(&mut shelf, "x", &A, 60 * SECOND), "order, set");
    assert_eq!(ask(&mut shelf, "y", &B, 60 * SECOND), "set");
}

#[test]
fn what_is_being_compiled_stays() {
    let mut shelf = Shelf::default();
    ask(&mut shelf, "x", &A, 0);
    shelf.sweep(3600 * SECOND);
    assert_eq!(ask(&mut shelf, "x", &A, 3600 * SECOND), "wait");
}
