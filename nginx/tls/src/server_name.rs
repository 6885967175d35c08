//! The server name that a client asks for (RFC 6066, 3).

/// The longest name that has a record (RFC 1035, 2.3.4).
pub const MAX_NAME_BYTES: usize = 253;

const HOST_NAME: u8 = 0;

/// The name in the content of the extension `server_name`; `None` when it has not exactly one, as OpenSSL reads it.
pub fn name_in_extension(extension: &[u8]) -> Option<&[u8]> {
    let list = behind_its_length(extension)?;
    let (&[HOST_NAME], name) = list.split_first_chunk()? else { return None };
    behind_its_length(name).filter(|name| !name.is_empty())
}

/// All that comes after a length of two bytes which says just that.
fn behind_its_length(bytes: &[u8]) -> Option<&[u8]> {
    let (len, rest) = bytes.split_first_chunk()?;
    (usize::from(u16::from_be_bytes(*len)) == rest.len()).then_some(rest)
}

/// The name as records are called: lower-case, without one dot at its end. `None` for what no record of a host can be
/// called: nothing, too much, other than visible ASCII, and the names that records have for themselves (`_`, `:default`).
pub fn normalise<'b>(name: &[u8], buffer: &'b mut [u8; MAX_NAME_BYTES]) -> Option<&'b [u8]> {
    let name = name.strip_suffix(b".").unwrap_or(name);
    let lower = buffer.get_mut(..name.len())?;
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    let is_of_a_host = match &*lower {
        [] | [b':', ..] | [.., b'.'] | b"_" => false,
        name => name.iter().all(u8::is_ascii_graphic) && !has_empty_label(name),
    };
    is_of_a_host.then_some(lower)
}

/// nginx takes no such name for a host either (ngx_http_validate_host).
fn has_empty_label(name: &[u8]) -> bool {
    name.array_windows().any(|pair| pair == b"..")
}
