//! What nginx's `$upstream_…` say of a request with one attempt, as almost all are. They need no escapes: addresses and numbers.

use ngx::ffi::{ngx_http_upstream_state_t, ngx_msec_t};
use wick_native::request::Request;
use wick_native::text::bytes;

use super::digits::{put, put_seconds};

#[derive(Clone, Copy)]
pub enum Attempt {
    Address,
    Status,
    ResponseLength,
    ResponseTime,
}

impl Attempt {
    /// `None`: it is another variable.
    pub fn called(name: &[u8]) -> Option<Attempt> {
        match name {
            b"upstream_addr" => Some(Attempt::Address),
            b"upstream_status" => Some(Attempt::Status),
            b"upstream_response_length" => Some(Attempt::ResponseLength),
            b"upstream_response_time" => Some(Attempt::ResponseTime),
            _ => None,
        }
    }

    /// False, and nothing is written: there was another number of attempts, or this one has no such value.
    pub fn write(self, r: Request, to: &mut Vec<u8>) -> bool {
        let [attempt] = r.attempts() else { return false };
        match self {
            Attempt::Address => return put_address(attempt, to),
            Attempt::Status if attempt.status == 0 => return false,
            Attempt::Status => put(attempt.status as u64, to),
            Attempt::ResponseLength => match u64::try_from(attempt.response_length) {
                Ok(length) => put(length, to),
                Err(_) => return false,
            },
            Attempt::ResponseTime if attempt.response_time == ngx_msec_t::MAX => return false,
            Attempt::ResponseTime => put_seconds(attempt.response_time as u64, to),
        }
        true
    }
}

fn put_address(attempt: &ngx_http_upstream_state_t, to: &mut Vec<u8>) -> bool {
    // SAFETY: the name of a peer lives as long as the request.
    let Some(address) = (unsafe { attempt.peer.as_ref() }) else { return false };
    // SAFETY: as above.
    to.extend_from_slice(unsafe { bytes(*address) });
    true
}
