//! What rules say when they match: lines for the log, no more than a request should have.

use std::cell::RefCell;
use std::ffi::{CStr, c_void};

/// In one phase of a request.
const MAX_LINES: usize = 100;
const MAX_BYTES: usize = 2048;

/// Where the lines of a transaction go until somebody takes them.
#[derive(Default)]
pub struct LogLines(RefCell<Vec<Box<[u8]>>>);

impl LogLines {
    pub fn take(&self) -> Vec<Box<[u8]>> {
        self.0.take()
    }

    fn push(&self, line: &[u8]) {
        let mut lines = self.0.borrow_mut();
        if lines.len() < MAX_LINES {
            lines.push(line[..line.len().min(MAX_BYTES)].into());
        }
    }
}

/// # Safety
/// libmodsecurity calls it within a transaction's function, with what the transaction was made with: null, or its live [`LogLines`].
pub unsafe extern "C" fn collect(lines: *mut c_void, text: *const c_void) {
    // SAFETY: as promised; the text ends in NUL.
    unsafe {
        let (Some(lines), false) = (lines.cast::<LogLines>().as_ref(), text.is_null()) else {
            return;
        };
        lines.push(CStr::from_ptr(text.cast()).to_bytes());
    }
}
