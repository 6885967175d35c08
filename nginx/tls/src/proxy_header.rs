//! Where the header of the PROXY protocol ends. What it says is nginx's to read.

/// Of both versions. Source: haproxy, "The PROXY protocol", 2.1 and 2.2.
const V1_START: &[u8] = b"PROXY ";
const V1_MAX_BYTES: usize = 107;
const V2_START: &[u8] = b"\r\n\r\n\0\r\nQUIT\n";
const V2_FIXED_BYTES: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyHeader {
    /// The header has this many bytes; all of them are there.
    Whole(usize),
    /// More bytes will tell.
    Partial,
    /// No header, or none that ends where it must.
    Foreign,
}

impl ProxyHeader {
    pub fn read(bytes: &[u8]) -> ProxyHeader {
        if starts_alike(bytes, V1_START) {
            v1(bytes)
        } else if starts_alike(bytes, V2_START) {
            v2(bytes)
        } else {
            ProxyHeader::Foreign
        }
    }
}

/// Whether one begins with the other.
fn starts_alike(bytes: &[u8], start: &[u8]) -> bool {
    bytes.iter().zip(start).all(|(a, b)| a == b)
}

fn v1(bytes: &[u8]) -> ProxyHeader {
    let line = &bytes[..bytes.len().min(V1_MAX_BYTES)];
    match line.windows(2).position(|two| two == b"\r\n") {
        Some(at) => ProxyHeader::Whole(at + 2),
        None if line.len() < V1_MAX_BYTES => ProxyHeader::Partial,
        None => ProxyHeader::Foreign,
    }
}

fn v2(bytes: &[u8]) -> ProxyHeader {
    let Some(fixed) = bytes.first_chunk::<V2_FIXED_BYTES>() else { return ProxyHeader::Partial };
    let len = V2_FIXED_BYTES + usize::from(u16::from_be_bytes([fixed[14], fixed[15]]));
    if bytes.len() < len { ProxyHeader::Partial } else { ProxyHeader::Whole(len) }
}
