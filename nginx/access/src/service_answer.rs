//! What an authentication service has said, as far as it matters; and as bytes, to be kept.

use std::borrow::Cow;

/// An answer of a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceAnswer<'a> {
    pub status: u16,
    /// Parallel to the route's response headers: the value that the backend gets. `None`: none.
    pub headers: Vec<Option<Cow<'a, [u8]>>>,
    /// The values of `WWW-Authenticate`, in order.
    pub challenges: Vec<Cow<'a, [u8]>>,
}

impl<'a> ServiceAnswer<'a> {
    /// u16 status · u16 number of headers · each as a value · challenges as values, to the end. A value: u32 length and 1, 0 for
    /// none · bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut to = Vec::new();
        to.extend(self.status.to_le_bytes());
        to.extend((self.headers.len() as u16).to_le_bytes());
        self.headers.iter().for_each(|value| put(&mut to, value.as_deref()));
        self.challenges.iter().for_each(|value| put(&mut to, Some(value)));
        to
    }

    /// `None`: it is no answer to a route with so many response headers.
    pub fn read(mut bytes: &'a [u8], headers: usize) -> Option<ServiceAnswer<'a>> {
        let status = wick_wire::take_u16(&mut bytes)?;
        if usize::from(wick_wire::take_u16(&mut bytes)?) != headers {
            return None;
        }
        let borrowed = |value: Option<&'a [u8]>| value.map(Cow::Borrowed);
        let headers =
            (0..headers).map(|_| take(&mut bytes).map(borrowed)).collect::<Option<_>>()?;
        let mut challenges = Vec::new();
        while !bytes.is_empty() {
            challenges.push(borrowed(take(&mut bytes)?)?);
        }
        Some(ServiceAnswer { status, headers, challenges })
    }
}

fn put(to: &mut Vec<u8>, value: Option<&[u8]>) {
    to.extend((value.map_or(0, |value| value.len() as u32 + 1)).to_le_bytes());
    to.extend(value.unwrap_or_default());
}

fn take<'a>(bytes: &mut &'a [u8]) -> Option<Option<&'a [u8]>> {
    match wick_wire::take_u32(bytes)? {
        0 => Some(None),
        len => wick_wire::take(bytes, len as usize - 1).map(Some),
    }
}
