//! Names that nginx looks up by their hash, while requests run: what it makes of directives when it reads its configuration.

use std::ptr::null_mut;

use ngx::ffi::{ngx_hash_elt_t, ngx_hash_t};

use crate::headers::hash;

/// A table of names; nginx must not use it longer than it lives.
pub struct Names {
    buckets: Box<[*mut ngx_hash_elt_t]>,
    /// The elements of each bucket one behind the other, and a zero.
    _elements: Box<[u64]>,
}

const WORD: usize = size_of::<u64>();
/// Value and length; the name follows.
const HEAD_BYTES: usize = WORD + size_of::<u16>();

impl Names {
    /// `names` are in small letters, and at most 65535 bytes long.
    pub fn new(names: &[&[u8]]) -> Names {
        let size = (2 * names.len()).max(1);
        let in_bucket = |bucket: usize| names.iter().filter(move |n| hash(n) % size == bucket);
        let words: usize = names.iter().map(|name| words(name)).sum::<usize>() + size;
        let mut elements = vec![0u64; words].into_boxed_slice();
        let mut free = elements.as_mut_ptr();
        let mut buckets = vec![null_mut(); size].into_boxed_slice();
        for (at, place) in buckets.iter_mut().enumerate() {
            if in_bucket(at).next().is_none() {
                continue;
            }
            *place = free.cast::<ngx_hash_elt_t>();
            for name in in_bucket(at) {
                // SAFETY: there is room for each name once, and for a zero behind each bucket; elements begin with a word.
                free = unsafe { write(free, name) };
            }
            // SAFETY: as above; the memory is zero.
            free = unsafe { free.add(1) };
        }
        Names { buckets, _elements: elements }
    }

    pub fn table(&self) -> ngx_hash_t {
        ngx_hash_t { buckets: self.buckets.as_ptr().cast_mut(), size: self.buckets.len() }
    }
}

fn words(name: &[u8]) -> usize {
    (HEAD_BYTES + name.len()).div_ceil(WORD)
}

/// Writes an element whose value is itself, and returns what is behind it.
///
/// # Safety
/// There is room for it.
unsafe fn write(place: *mut u64, name: &[u8]) -> *mut u64 {
    // SAFETY: the caller's promise.
    unsafe {
        let bytes = place.cast::<u8>();
        place.cast::<*mut u64>().write(place);
        bytes.add(WORD).cast::<u16>().write(name.len() as u16);
        bytes.add(HEAD_BYTES).copy_from_nonoverlapping(name.as_ptr(), name.len());
        place.add(words(name))
    }
}
