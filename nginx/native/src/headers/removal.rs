//! Taking one header out of its list, and out of nginx's pointers to it.

use std::ptr::NonNull;

use ngx::ffi::ngx_table_elt_t;

use super::known;
use super::list::{self, Side};
use crate::request::Request;

pub(super) fn remove_element(r: Request, side: Side, mut h: NonNull<ngx_table_elt_t>) {
    match side {
        Side::Response => {
            known::forget_response(r, h);
            // SAFETY: a live element.
            unsafe { h.as_mut().hash = 0 };
        }
        Side::Request => {
            known::forget_request(r, h);
            list::cut(list::of(r, side), h);
        }
    }
}
