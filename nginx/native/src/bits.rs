//! Bit fields of nginx's structures, where the compiler of this very nginx has them: `build/` asks it. bindgen's own functions for them
//! (`internal()`, `set_internal(…)`) are wrong for some versions of nginx; clippy refuses them. What else bindgen says of nginx's structures is
//! compared with the compiler here: where they differ, nothing is built.

use std::marker::PhantomData;

include!(concat!(env!("OUT_DIR"), "/layout.rs"));

pub use self::{
    ngx_buf_s as buf, ngx_connection_s as connection, ngx_event_s as event,
    ngx_http_request_s as request, ngx_http_upstream_s as upstream, ngx_peer_connection_s as peer,
    ngx_ssl_connection_s as tls, ngx_stream_session_s as session, ngx_variable_value_t as value,
};

/// A bit field of `S`, within one word of 32 bits.
pub struct Bits<S> {
    /// Of the word, in bytes.
    word: usize,
    shift: u32,
    width: u32,
    of: PhantomData<fn(*const S)>,
}

impl<S> Bits<S> {
    const fn at(offset: usize, width: usize) -> Bits<S> {
        let shift = offset % 32;
        assert!(shift + width <= 32 && cfg!(target_endian = "little"));
        assert!(offset / 32 * 4 + 4 <= size_of::<S>() && align_of::<S>() >= 4);
        Bits { word: offset / 32 * 4, shift: shift as u32, width: width as u32, of: PhantomData }
    }

    const fn mask(&self) -> u32 {
        (u32::MAX >> (32 - self.width)) << self.shift
    }

    /// # Safety
    /// A live structure.
    #[inline(always)]
    pub unsafe fn get(self, structure: *const S) -> u32 {
        // SAFETY: within the structure, as `at` made sure; the caller's promise.
        let word = unsafe { structure.byte_add(self.word).cast::<u32>().read() };
        (word & self.mask()) >> self.shift
    }

    /// Whether it is anything but 0.
    ///
    /// # Safety
    /// A live structure.
    #[inline(always)]
    pub unsafe fn is_set(self, structure: *const S) -> bool {
        // SAFETY: the caller's promise.
        unsafe { self.get(structure) != 0 }
    }

    /// `value` fits into the field.
    ///
    /// # Safety
    /// A live structure, to which nobody holds a reference.
    #[inline(always)]
    pub unsafe fn set(self, structure: *mut S, value: u32) {
        // SAFETY: within the structure, as `at` made sure; the caller's promise.
        unsafe {
            let word = structure.byte_add(self.word).cast::<u32>();
            word.write(word.read() & !self.mask() | (value << self.shift) & self.mask());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_changed_without_its_neighbours() {
        for (offset, width) in [(0, 1), (31, 1), (32, 28), (37, 5), (56, 8), (96, 32)] {
            for before in [0, u64::MAX] {
                let mut structure = [before; 2];
                let all = u32::MAX >> (32 - width);
                let value = 0xa5a5_a5a5 & all;
                // SAFETY: two words of ours.
                let got = unsafe {
                    Bits::at(offset, width).set(&mut structure, value);
                    Bits::at(offset, width).get(&structure)
                };
                let bits = |number: u32| u128::from(number) << offset;
                let others = (u128::from(before) << 64 | u128::from(before)) & !bits(all);
                let now = u128::from(structure[1]) << 64 | u128::from(structure[0]);
                assert_eq!((got, now), (value, others | bits(value)), "{offset}, {width}");
            }
        }
    }
}
