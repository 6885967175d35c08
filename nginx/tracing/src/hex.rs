//! Hexadecimal digits in lower case, eight at a time.

/// The digits of a number, the highest first.
#[inline]
pub fn digits(number: u32) -> [u8; 8] {
    // One nibble for each byte, the highest in the first.
    let word = u64::from(number.swap_bytes());
    let word = (word | word << 16) & 0x0000_ffff_0000_ffff;
    let word = (word | word << 8) & 0x00ff_00ff_00ff_00ff;
    let nibbles = (word >> 4 | word << 8) & 0x0f0f_0f0f_0f0f_0f0f;
    // 1 in each byte of a letter.
    let letters = (nibbles + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
    (nibbles + 0x3030_3030_3030_3030 + letters * 0x27).to_le_bytes()
}

/// The number that the digits are; capital letters are none (W3C Trace Context).
#[inline]
pub fn number(digits: &[u8]) -> Option<u128> {
    let mut number = 0;
    let mut seen = 0;
    for digit in digits {
        let value = VALUES[usize::from(*digit)];
        seen |= value;
        number = number << 4 | u128::from(value & 0xf);
    }
    (seen & NONE == 0).then_some(number)
}

const NONE: u8 = 0x80;

/// By digit; [`NONE`] for what is no digit.
static VALUES: [u8; 256] = {
    let mut values = [NONE; 256];
    let mut value = 0;
    while value < 16 {
        values[b"0123456789abcdef"[value] as usize] = value as u8;
        value += 1;
    }
    values
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn digits_are_those_of_the_number(value: u32) {
            let expected = format!("{value:08x}");
            prop_assert_eq!(&digits(value), expected.as_bytes());
            prop_assert_eq!(number(&digits(value)), Some(u128::from(value)));
        }

        #[test]
        fn only_small_digits_are_read(text in "[0-9a-fA-FgG :\u{80}]{1,32}") {
            let is_number = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            let expected = is_number.then(|| u128::from_str_radix(&text, 16).unwrap());
            prop_assert_eq!(number(text.as_bytes()), expected);
        }
    }
}
