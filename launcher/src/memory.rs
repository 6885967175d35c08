//! How much memory the container may have, and what Node is told of it.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

const MEBIBYTE: u64 = 1 << 20;

/// A heap that is smaller than the controller of a small cluster needs ends in a crash, whatever the limit is.
const MIN_HEAP_MEBIBYTES: u64 = 64;

/// Bytes that the control group grants; `None` without a limit. Source: cgroup v2 memory.max, v1 memory.limit_in_bytes.
///
/// # Arguments
/// * `root` - where control groups are mounted
pub fn limit(root: &Path) -> Option<u64> {
    ["memory.max", "memory/memory.limit_in_bytes"]
        .iter()
        .find_map(|file| fs::read_to_string(root.join(file)).ok())
        .and_then(|text| parse(&text))
}

/// v2 says `max` where there is no limit, v1 a number of 2^63 less a page.
fn parse(text: &str) -> Option<u64> {
    text.trim().parse().ok().filter(|&bytes| bytes < 1 << 60)
}

/// Node lets the space for young objects grow to 134 MB while a large cluster is read, and keeps it. With this it has 17 MB, and neither a start nor a pass
/// takes more processor time. With half of it what is young for a moment gets old: the heap is larger, not smaller.
const YOUNG: &str = "--max-semi-space-size=8";

/// Young objects are collected by the controller's own thread alone: where others need the processors, it waits longer for its helpers than they save. With
/// 10,000 applications and changes under way the longest such collection took 9 ms in the place of 19.
const ALONE: &str = "--no-parallel-scavenge";

/// What a compilation by V8's second compiler took is freed when it ends, not by another thread when that comes to it: meanwhile the allocator has taken
/// more, and of what it has once taken in small pieces it gives hardly any back. 23 MB less after 5,000 routes.
const FREED_AT_ONCE: &str = "--no-maglev-destroy-on-background";

/// Garbage among old objects is looked for when there is as much of it, or of what is new, as was live the last time: the rule of Go. V8 alone goes by
/// how fast objects came, and while 5,000 routes come it looks ten times in the place of three; each time other threads take the processors for a
/// second, and changes wait. Near the limit it looks as often as it would without. Given back at rest (controller/run/garbage.ts).
const GROWTH: &str = "--heap-growing-percent=100";

/// Half of the limit is for the controller's heap: nginx, its zones and what Node has beside the heap are in the same container. Without a
/// limit Node decides.
pub fn node_flags(limit: Option<u64>) -> Vec<OsString> {
    let old = limit
        .map(|bytes| (bytes / 2 / MEBIBYTE).max(MIN_HEAP_MEBIBYTES))
        .map(|mebibytes| format!("--max-old-space-size={mebibytes}").into());
    old.into_iter()
        .chain([YOUNG.into(), ALONE.into(), FREED_AT_ONCE.into(), GROWTH.into()])
        .collect()
}

/// What glibc is told, for Node alone: one heap for all threads, which gives back what is free at its end, and large pieces at once. Else a sixth of what
/// the controller of a large cluster has is free memory in heaps of its threads: 221 MB with 10,000 applications, 190 with this. Source: mallopt(3).
pub const ALLOCATOR: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_TRIM_THRESHOLD_", "65536"),
    ("MALLOC_MMAP_THRESHOLD_", "65536"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_bytes_or_none() {
        assert_eq!(parse("536870912\n"), Some(512 * MEBIBYTE));
        assert_eq!(parse("max\n"), None);
        assert_eq!(parse("9223372036854771712\n"), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn both_versions_of_control_groups_are_read() {
        let root = std::env::temp_dir().join(format!("wick-launcher-{}", std::process::id()));
        fs::create_dir_all(root.join("memory")).unwrap();
        assert_eq!(limit(&root), None);
        fs::write(root.join("memory/memory.limit_in_bytes"), "1048576\n").unwrap();
        assert_eq!(limit(&root), Some(MEBIBYTE));
        fs::write(root.join("memory.max"), "2097152\n").unwrap();
        assert_eq!(limit(&root), Some(2 * MEBIBYTE));
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn the_heap_gets_half_and_never_too_little() {
        let old = |limit| node_flags(Some(limit))[0].clone();
        assert_eq!(old(512 * MEBIBYTE), "--max-old-space-size=256");
        assert_eq!(old(90 * MEBIBYTE), "--max-old-space-size=64");
        assert_eq!(node_flags(None), [YOUNG, ALONE, FREED_AT_ONCE, GROWTH]);
    }
}
