//! Round robin in Rust, for wasm32-unknown-unknown: each worker goes round the endpoints of each backend. The ABI is in
//! docs/abi.md of wick, "Policies".

use std::cell::RefCell;
use std::collections::HashMap;

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    fn proxy_call_foreign_function(
        name: *const u8,
        name_length: usize,
        arguments: *const u8,
        length: usize,
        result: *mut *mut u8,
        result_length: *mut usize,
    ) -> i32;
}

/// Calls a function of wick; its result, or nothing if it has none.
fn call(name: &str, arguments: &[u8]) -> Option<Vec<u8>> {
    let (mut at, mut length) = (std::ptr::null_mut(), 0);
    // SAFETY: the host reads the two slices, and stores a block that `proxy_on_memory_allocate` made, or leaves both alone.
    unsafe {
        let (name_at, arguments_at) = (name.as_ptr(), arguments.as_ptr());
        let status = proxy_call_foreign_function(name_at, name.len(), arguments_at, arguments.len(), &mut at, &mut length);
        (status == 0 && !at.is_null()).then(|| Vec::from_raw_parts(at, length, length))
    }
}

/// The host asks for memory for its answers; `call` takes it over.
#[unsafe(no_mangle)]
extern "C" fn proxy_on_memory_allocate(size: usize) -> *mut u8 {
    Vec::leak(vec![0; size]).as_mut_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn proxy_abi_version_0_2_1() {}

/// What is kept of a backend.
#[derive(Default)]
struct Backend {
    count: u32,
    next: u32,
}

thread_local! {
    /// By root context: each backend that uses the policy is one.
    static BACKENDS: RefCell<HashMap<u32, Backend>> = RefCell::default();
}

/// The endpoints of a backend are new. Of the list only its length matters: none of its entries is asked for.
#[unsafe(no_mangle)]
extern "C" fn proxy_on_shared_data_changed(root: u32) {
    let answer = call("wick_get_endpoints", &[0; 8]);
    let count = answer.and_then(|answer| Some(u32::from_le_bytes(answer.get(..4)?.try_into().ok()?)));
    BACKENDS.with_borrow_mut(|backends| backends.entry(root).or_default().count = count.unwrap_or(0));
}

/// An endpoint is wanted. One to keep away from is passed over.
#[unsafe(no_mangle)]
extern "C" fn proxy_on_upstream_select(root: u32) {
    let avoided = call("wick_get_avoided", &[]).unwrap_or_default();
    let is_avoided = |index: u32| avoided.get(index as usize / 8).is_some_and(|bits| bits >> (index % 8) & 1 == 1);
    let chosen = BACKENDS.with_borrow_mut(|backends| {
        let Backend { count, next } = backends.get_mut(&root)?;
        let index = (0..*count).map(|i| (*next + i) % *count).find(|index| !is_avoided(*index))?;
        *next = index + 1;
        Some(index)
    });
    // Nothing: it declines.
    if let Some(index) = chosen {
        call("wick_choose_endpoint", &index.to_le_bytes());
    }
}

/// The backend is gone.
#[unsafe(no_mangle)]
extern "C" fn proxy_on_delete(root: u32) {
    BACKENDS.with_borrow_mut(|backends| backends.remove(&root));
}
