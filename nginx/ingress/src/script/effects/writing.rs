//! The request that nginx is writing for a backend, while headers of ours stand among its own.

use std::ptr::NonNull;

use ngx::ffi::{ngx_http_request_t, ngx_http_upstream_init_peer_pt};
use wick_native::headers::Passed;
use wick_native::request::Request;

use super::protocols::{Block, Protocol};

/// The request whose headers are not only its own now; nginx does nothing else meanwhile.
#[derive(Default)]
pub struct Writing {
    request: Option<(NonNull<ngx_http_request_t>, NonNull<Passed>, Protocol)>,
    /// Blocks that call us, and what they called before.
    blocks: Vec<(Block, ngx_http_upstream_init_peer_pt)>,
}

impl Writing {
    /// Of a request that has the headers already; `written` is what the blocks call until the end.
    #[inline]
    pub fn begin(
        &mut self,
        (r, passed, protocol): (Request, NonNull<Passed>, Protocol),
        blocks: &[Block],
        written: ngx_http_upstream_init_peer_pt,
    ) {
        self.end();
        self.request = NonNull::new(r.as_ptr()).map(|r| (r, passed, protocol));
        for block in blocks {
            // SAFETY: a block of the configuration, whose function nginx reads when it calls it.
            let init = unsafe { &mut (**block).peer.init };
            self.blocks.push((*block, std::mem::replace(init, written)));
        }
    }

    /// Puts everything back, and says how the request is passed on. `None`: it was back before.
    #[inline]
    pub fn end(&mut self) -> Option<Protocol> {
        let (request, passed, protocol) = self.request.take()?;
        while let Some((block, init)) = self.blocks.pop() {
            // SAFETY: a block of the configuration, whose function nginx reads when it calls it.
            unsafe { (*block).peer.init = init };
        }
        // SAFETY: what was begun for this request, which lives.
        unsafe { passed.as_ref().end(Request::from_raw(request.as_ptr())) };
        Some(protocol)
    }
}
