//! What a request asks for: method, path, arguments and host.

use std::cmp::Ordering;
use std::slice;
use std::str::FromStr;

use ngx::ffi::{NGX_HTTP_GET, NGX_HTTP_HEAD, NGX_HTTP_VERSION_20, ngx_http_set_exten, ngx_str_t};

use super::Request;
use crate::bits;
use crate::text::{borrowed, number};

impl<'r> Request<'r> {
    pub fn method(self) -> &'r [u8] {
        // SAFETY: a string of the request; see `str`.
        self.str(unsafe { (*self.as_ptr()).method_name })
    }

    /// The place of the method's bit: 1 is GET, 2 HEAD, 3 POST …, 0 one that nginx does not know.
    #[inline]
    pub fn method_number(self) -> usize {
        // SAFETY: a live request.
        match unsafe { (*self.as_ptr()).method } {
            0 => 0,
            bit => bit.trailing_zeros() as usize,
        }
    }

    /// The decoded, normalised path.
    pub fn uri(self) -> &'r [u8] {
        // SAFETY: a string of the request; see `str`.
        self.str(unsafe { (*self.as_ptr()).uri })
    }

    /// The arguments as the client sent them, without `?`.
    pub fn args(self) -> &'r [u8] {
        // SAFETY: a string of the request; see `str`.
        self.str(unsafe { (*self.as_ptr()).args })
    }

    /// The arguments where they are a number and nothing else; `default` without any, `None` where they are something else.
    pub fn numeric_args<N: FromStr>(self, default: N) -> Option<N> {
        number(self.args(), default)
    }

    /// The path as the client sent it, with its escapes. `None`: by now the request asks for another one, where an error page, `X-Accel-Redirect`
    /// or rewriting has led it.
    pub fn written_path(self) -> Option<&'r [u8]> {
        let target = self.unparsed_uri();
        let end = target.iter().position(|byte| matches!(byte, b'?' | b'#'));
        (!self.is_led_on()).then(|| &target[..end.unwrap_or(target.len())])
    }

    /// Its path is not the client's: whatever gives it another one does both, and what changes arguments alone, or leads to a named location, one.
    fn is_led_on(self) -> bool {
        // SAFETY: a live request.
        unsafe {
            bits::request::INTERNAL.is_set(self.as_ptr())
                && !bits::request::VALID_UNPARSED_URI.is_set(self.as_ptr())
        }
    }

    /// Path and query as the client sent them.
    pub fn unparsed_uri(self) -> &'r [u8] {
        // SAFETY: a string of the request; see `str`.
        self.str(unsafe { (*self.as_ptr()).unparsed_uri })
    }

    /// The client has written its path with escapes, or with a plus.
    pub fn has_escaped_path(self) -> bool {
        // SAFETY: a live request.
        unsafe {
            bits::request::QUOTED_URI.is_set(self.as_ptr())
                || bits::request::PLUS_IN_URI.is_set(self.as_ptr())
        }
    }

    /// Gives the request another path in the way of nginx's `rewrite … break`: from now on it is escaped anew for the
    /// upstream, and the arguments stay.
    ///
    /// # Safety
    /// `uri` lives as long as the request.
    pub unsafe fn set_uri(self, uri: &[u8]) {
        // SAFETY: a live request; the caller's promise.
        unsafe {
            let r = self.as_ptr();
            (*r).uri = borrowed(uri);
            bits::request::INTERNAL.set(r, 1);
            bits::request::VALID_UNPARSED_URI.set(r, 0);
            bits::request::VALID_LOCATION.set(r, 0);
            bits::request::URI_CHANGED.set(r, 0);
            ngx_http_set_exten(r);
        }
    }

    /// Gives the request other arguments, as `set $args` does.
    ///
    /// # Safety
    /// `args` lives as long as the request.
    pub unsafe fn set_args(self, args: &[u8]) {
        // SAFETY: a live request; the caller's promise.
        unsafe {
            (*self.as_ptr()).args = borrowed(args);
            bits::request::VALID_UNPARSED_URI.set(self.as_ptr(), 0);
        }
    }

    /// Behind [`Request::set_uri`]: the path has its escapes already, and the upstream gets it byte by byte.
    pub fn pass_path_as_it_is(self) {
        // SAFETY: a live request.
        unsafe {
            bits::request::INTERNAL.set(self.as_ptr(), 0);
            bits::request::QUOTED_URI.set(self.as_ptr(), 0);
        }
    }

    /// Has the request ask for another path, by GET unless it is a HEAD, as nginx's `error_page` does.
    ///
    /// # Safety
    /// `uri` and `args` live as long as the request.
    pub unsafe fn get_instead(self, uri: &[u8], args: &[u8]) {
        // SAFETY: the caller's promise.
        unsafe { self.set_uri(uri) };
        // SAFETY: a live request; the caller's promise.
        unsafe {
            let r = self.as_ptr();
            (*r).args = borrowed(args);
            if (*r).method != NGX_HTTP_HEAD as usize {
                (*r).method = NGX_HTTP_GET as usize;
                (*r).method_name = borrowed(b"GET");
            }
        }
    }

    /// Whether [`Request::spend_change`] would be false.
    pub fn has_last_change(self) -> bool {
        // SAFETY: a live request.
        unsafe { bits::request::URI_CHANGES.get(self.as_ptr()) <= 1 }
    }

    /// The request is looked for once more. False: it was too often, as nginx counts its rewrites and internal redirects.
    pub fn spend_change(self) -> bool {
        // SAFETY: a live request.
        unsafe {
            let left = bits::request::URI_CHANGES.get(self.as_ptr()).saturating_sub(1);
            bits::request::URI_CHANGES.set(self.as_ptr(), left);
            left > 0
        }
    }

    /// What group `n` of the latest regular expression of the configuration captured, for `$1` to `$9`.
    pub fn capture(self, n: u8) -> Option<&'r [u8]> {
        let at = 2 * usize::from(n);
        // SAFETY: a live request; nginx keeps two offsets into the captured text per group.
        unsafe {
            let r = self.as_ptr();
            if at + 1 >= (*r).ncaptures {
                return None;
            }
            let (start, end) = (*(*r).captures.add(at), *(*r).captures.add(at + 1));
            let (start, end) = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
            let data = (*r).captures_data.add(start);
            Some(self.str(ngx_str_t { len: end.checked_sub(start)?, data }))
        }
    }

    /// The requested host: lower-case, without port.
    pub fn host(self) -> &'r [u8] {
        // SAFETY: a string of the request; see `str`.
        self.str(unsafe { (*self.as_ptr()).headers_in.server })
    }

    /// Says which host is requested, of a request that nginx makes itself: lower-case, without port.
    pub fn set_host(self, host: &'r [u8]) {
        // SAFETY: a live request, whose memory the string lies in.
        unsafe { (*self.as_ptr()).headers_in.server = borrowed(host) };
    }

    /// The Host header as it is, or what HTTP/2 has in its place; `None`: there is none.
    #[inline]
    pub fn host_header(self) -> Option<&'r [u8]> {
        // SAFETY: null, or an element of the request's list; see `str`.
        unsafe { (*self.as_ptr()).headers_in.host.as_ref().map(|header| self.str(header.value)) }
    }

    /// Host and port that the client asks for beside any header, as it wrote them: in the request line of HTTP/1.x, whose target is
    /// in absolute form (RFC 9112, 3.2.2), or `:authority` of HTTP/3. `None`: there are none, or it is HTTP/2, where nginx makes a
    /// header of them.
    #[inline]
    pub fn target_authority(self) -> Option<&'r [u8]> {
        // SAFETY: a live request.
        let (start, version) =
            unsafe { ((*self.as_ptr()).host_start, (*self.as_ptr()).http_version) };
        if start.is_null() {
            return None;
        }
        match version.cmp(&(NGX_HTTP_VERSION_20 as usize)) {
            Ordering::Less => self.authority_in_line(start.addr()),
            Ordering::Equal => None,
            Ordering::Greater => self.pseudo_authority(),
        }
    }

    /// Of HTTP/3; nginx has both ends of it.
    fn pseudo_authority(self) -> Option<&'r [u8]> {
        // SAFETY: a live request, in whose memory both lie where one does.
        unsafe {
            let (start, end) = ((*self.as_ptr()).host_start, (*self.as_ptr()).host_end);
            let len = end.addr().checked_sub(start.addr())?;
            Some(slice::from_raw_parts(start, len))
        }
    }

    #[cold]
    fn authority_in_line(self, start: usize) -> Option<&'r [u8]> {
        // SAFETY: a string of the request; see `str`.
        let line = self.str(unsafe { (*self.as_ptr()).request_line });
        let rest = line.get(start.checked_sub(line.as_ptr().addr())?..)?;
        rest.split(|byte| matches!(byte, b'/' | b'?' | b' ')).next()
    }
}
