//! One request before the rules.

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr::{NonNull, null_mut};
use std::sync::Arc;

use crate::compiler::Compiled;
use crate::library::{Library, RawIntervention, RawTransaction};
use crate::log_lines::LogLines;

/// Its functions are called in the order in which they stand here. It keeps its rules alive.
pub struct Transaction {
    raw: NonNull<RawTransaction>,
    set: Arc<Compiled>,
    /// `None`: nobody reads them.
    lines: Option<Box<LogLines>>,
}

/// The rules want the request stopped.
pub struct Intervention {
    /// As the rule says it; nobody has looked whether HTTP has it.
    pub status: u16,
    /// Where the client is sent in place of a refusal; any bytes.
    pub url: Option<Box<[u8]>>,
    /// Any bytes.
    pub log: Box<[u8]>,
}

impl Transaction {
    /// `None`: out of memory.
    pub fn begin(set: &Arc<Compiled>, id: &CStr, keeps_lines: bool) -> Option<Transaction> {
        let lines = keeps_lines.then(Box::<LogLines>::default);
        let engine = set.rules.engine;
        let to = lines.as_deref().map_or(null_mut(), |lines| std::ptr::from_ref(lines).cast_mut());
        // SAFETY: the set and the lines live as long as the transaction, which copies the id.
        let raw = unsafe {
            let new = engine.library.new_transaction_with_id;
            new(engine.raw.as_ptr(), set.rules.as_ptr(), id.as_ptr(), to.cast())
        };
        Some(Transaction { raw: NonNull::new(raw)?, set: set.clone(), lines })
    }

    pub fn set(&self) -> &Compiled {
        &self.set
    }

    fn library(&self) -> &'static Library {
        &self.set.rules.engine.library
    }

    pub fn connection(&mut self, client: (&CStr, u16), server: (&CStr, u16)) {
        let (client, client_port) = (client.0.as_ptr(), c_int::from(client.1));
        let (server, server_port) = (server.0.as_ptr(), c_int::from(server.1));
        let connection = self.library().process_connection;
        // SAFETY: a live transaction, which copies the texts.
        unsafe { connection(self.raw.as_ptr(), client, client_port, server, server_port) };
    }

    /// `uri`: path and arguments as the client wrote them; `version`: `1.1` for instance.
    pub fn uri(&mut self, uri: &[u8], method: &[u8], version: &CStr) {
        let (uri, method) = (c_text(uri), c_text(method));
        let (uri, method, version) = (uri.as_ptr(), method.as_ptr(), version.as_ptr());
        // SAFETY: as above.
        unsafe { (self.library().process_uri)(self.raw.as_ptr(), uri, method, version) };
    }

    pub fn request_header(&mut self, name: &[u8], value: &[u8]) {
        let add = self.library().add_n_request_header;
        // SAFETY: as above.
        unsafe { add(self.raw.as_ptr(), name.as_ptr(), name.len(), value.as_ptr(), value.len()) };
    }

    pub fn request_headers(&mut self) {
        // SAFETY: a live transaction.
        unsafe { (self.library().process_request_headers)(self.raw.as_ptr()) };
    }

    pub fn append_request_body(&mut self, bytes: &[u8]) {
        let append = self.library().append_request_body;
        // SAFETY: a live transaction, which copies the bytes.
        unsafe { append(self.raw.as_ptr(), bytes.as_ptr(), bytes.len()) };
    }

    pub fn request_body(&mut self) {
        // SAFETY: a live transaction.
        unsafe { (self.library().process_request_body)(self.raw.as_ptr()) };
    }

    pub fn response_header(&mut self, name: &[u8], value: &[u8]) {
        let add = self.library().add_n_response_header;
        // SAFETY: a live transaction, which copies the texts.
        unsafe { add(self.raw.as_ptr(), name.as_ptr(), name.len(), value.as_ptr(), value.len()) };
    }

    /// `protocol`: `HTTP/1.1` for instance.
    pub fn response_headers(&mut self, status: u16, protocol: &CStr) {
        let process = self.library().process_response_headers;
        // SAFETY: as above.
        unsafe { process(self.raw.as_ptr(), c_int::from(status), protocol.as_ptr()) };
    }

    /// Whether the rules take more: they leave out types that they are not for, and what is beyond their limit.
    pub fn append_response_body(&mut self, bytes: &[u8]) -> bool {
        let Library { append_response_body, response_body_length, .. } = self.library();
        // SAFETY: as above.
        unsafe {
            let before = response_body_length(self.raw.as_ptr());
            append_response_body(self.raw.as_ptr(), bytes.as_ptr(), bytes.len());
            response_body_length(self.raw.as_ptr()) - before == bytes.len()
        }
    }

    pub fn response_body(&mut self) {
        // SAFETY: a live transaction.
        unsafe { (self.library().process_response_body)(self.raw.as_ptr()) };
    }

    /// What was decided since the last call; `None`: the request goes on.
    pub fn intervention(&mut self) -> Option<Intervention> {
        const NONE: c_int = 200;
        let (pause, url, log, disruptive) = (0, null_mut(), null_mut(), 0);
        let mut it = RawIntervention { status: NONE, pause, url, log, disruptive };
        // SAFETY: a live transaction; what it answers with is ours from here on.
        let stops = unsafe { (self.library().intervention)(self.raw.as_ptr(), &raw mut it) } != 0;
        let (url, log) = (taken(it.url), taken(it.log));
        let status = u16::try_from(it.status).unwrap_or(0);
        stops.then(|| Intervention { status, url, log: log.unwrap_or_default() })
    }

    /// Behind everything else: writes the audit log. `status`: what the client has got.
    pub fn logging(&mut self, status: u16) {
        // SAFETY: a live transaction.
        unsafe {
            (self.library().update_status_code)(self.raw.as_ptr(), c_int::from(status));
            (self.library().process_logging)(self.raw.as_ptr());
        }
    }

    /// What rules have said since the last call; any bytes.
    pub fn take_lines(&self) -> Vec<Box<[u8]>> {
        self.lines.as_deref().map(LogLines::take).unwrap_or_default()
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        // SAFETY: nobody else has it.
        unsafe { (self.library().transaction_cleanup)(self.raw.as_ptr()) };
    }
}

/// It becomes a part of the name of a file where audit logs are one for each request: clients, whose headers may be a part of it, must not choose where.
pub fn transaction_id(text: &[u8]) -> CString {
    const MAX_BYTES: usize = 128;
    let plain = |byte: &u8| match byte {
        byte if byte.is_ascii_alphanumeric() || b"-_.:@+=".contains(byte) => *byte,
        _ => b'_',
    };
    CString::new(text.iter().take(MAX_BYTES).map(plain).collect::<Vec<_>>()).unwrap_or_default()
}

/// Nothing of HTTP has a NUL.
fn c_text(bytes: &[u8]) -> CString {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    CString::new(&bytes[..end]).unwrap_or_default()
}

fn taken(text: *mut c_char) -> Option<Box<[u8]>> {
    if text.is_null() {
        return None;
    }
    // SAFETY: a text that the library has allocated for us with malloc.
    unsafe {
        let bytes = CStr::from_ptr(text).to_bytes().into();
        libc::free(text.cast());
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_leads_nowhere() {
        assert_eq!(transaction_id(b"../../etc/a b\0c").as_bytes(), b".._.._etc_a_b_c");
        assert_eq!(transaction_id(&[b'a'; 300]).as_bytes().len(), 128);
    }
}
