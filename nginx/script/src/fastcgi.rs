//! Parameters for FastCGI servers (fastcgi-archives.github.io, "FastCGI Specification", 3.4 and 5.2).

const VERSION: u8 = 1;
const PARAMS: u8 = 4;
/// Version, type, id, length of the content and of what fills it up, and one byte for later.
const HEAD_BYTES: usize = 8;
const MOST_BYTES: usize = 65_535 & !7;

/// Appends a parameter to the stream of them.
pub fn push_parameter(stream: &mut Vec<u8>, name: &[u8], value: &[u8]) {
    push_length(stream, name.len());
    push_length(stream, value.len());
    stream.extend_from_slice(name);
    stream.extend_from_slice(value);
}

fn push_length(stream: &mut Vec<u8>, length: usize) {
    match u8::try_from(length) {
        Ok(short) if short < 0x80 => stream.push(short),
        _ => stream.extend_from_slice(&(length as u32 | 1 << 31).to_be_bytes()),
    }
}

/// The records of a part of the stream, for request 1; none for an empty part, because that would end it.
pub fn records(stream: &[u8]) -> Vec<u8> {
    stream.chunks(MOST_BYTES).flat_map(record).collect()
}

fn record(content: &[u8]) -> Vec<u8> {
    let [high, low] = (content.len() as u16).to_be_bytes();
    let padding = content.len().wrapping_neg() % 8;
    let head = [VERSION, PARAMS, 0, 1, high, low, padding as u8, 0];
    [&head, content, &[0; 8][..padding]].concat()
}

/// Where the record is that ends the stream of parameters. `None`: there is none.
pub fn end_of_parameters(head: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let &[_, kind, _, _, high, low, padding, _] = head.get(at..at + HEAD_BYTES)? else {
            return None;
        };
        let content = usize::from(u16::from_be_bytes([high, low]));
        if kind == PARAMS && content == 0 {
            return Some(at);
        }
        at += HEAD_BYTES + content + usize::from(padding);
    }
}

/// The header of clients of which CGI makes the parameter `HTTP_…`; `rest` is what follows that, in small letters.
pub fn header_of(rest: &[u8]) -> Vec<u8> {
    rest.iter().map(|byte| if *byte == b'_' { b'-' } else { *byte }).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lengths_take_one_byte_or_four() {
        let mut stream = Vec::new();
        push_parameter(&mut stream, b"A", &[b'x'; 128]);
        assert_eq!(stream[..6], [1, 0x80, 0, 0, 128, b'A']);
        assert_eq!(stream.len(), 6 + 128);
    }

    #[test]
    fn a_record_is_filled_up_to_eight_bytes() {
        assert_eq!(records(b"abc"), b"\x01\x04\x00\x01\x00\x03\x05\x00abc\0\0\0\0\0");
        assert_eq!(records(b""), b"");
        let two = records(&vec![1; MOST_BYTES + 1]);
        assert_eq!(two.len(), MOST_BYTES + 2 * HEAD_BYTES + 8);
    }

    #[test]
    fn the_stream_of_parameters_ends_with_an_empty_record() {
        let begin = [1, 1, 0, 1, 0, 8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        let own = records(b"abc");
        let empty = [1, PARAMS, 0, 1, 0, 0, 0, 0];
        let stdin = [1, 5, 0, 1, 0, 0, 0, 0];
        let head = [&begin[..], &own, &empty, &stdin].concat();
        assert_eq!(end_of_parameters(&head), Some(begin.len() + own.len()));
        assert_eq!(end_of_parameters(&[&begin[..], &own].concat()), None);
        assert_eq!(end_of_parameters(b""), None);
    }

    #[test]
    fn a_parameter_is_that_of_a_header() {
        assert_eq!(header_of(b"x_forwarded_for"), b"x-forwarded-for");
    }

    proptest! {
        #[test]
        fn any_bytes_are_looked_through(head in proptest::collection::vec(any::<u8>(), 0..64)) {
            if let Some(at) = end_of_parameters(&head) {
                prop_assert_eq!(head[at + 1], PARAMS);
            }
        }
    }
}
