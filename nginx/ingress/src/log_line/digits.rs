//! Numbers as nginx prints them.

pub fn put(number: u64, to: &mut Vec<u8>) {
    // Seconds and lengths often have one digit, which is no call.
    if number < 10 {
        to.push(b'0' + number as u8);
    } else {
        to.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    }
}

/// To three digits.
pub fn put_padded(number: u64, to: &mut Vec<u8>) {
    if number > 999 {
        return put(number, to);
    }
    let digit = |n: u64| b'0' + (n % 10) as u8;
    // Four bytes are one instruction, three are a call.
    to.extend_from_slice(&[digit(number / 100), digit(number / 10), digit(number), 0]);
    to.pop();
}

pub fn put_seconds(milliseconds: u64, to: &mut Vec<u8>) {
    put(milliseconds / 1000, to);
    to.push(b'.');
    put_padded(milliseconds % 1000, to);
}
