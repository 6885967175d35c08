//! How numbers with names are declared.

use std::fmt;

/// A number that is none of the enumeration's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownCode(pub i32);

impl fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown code {}", self.0)
    }
}

impl std::error::Error for UnknownCode {}

/// Declares enumerations of the ABI: `i32`s, checked when they come from a filter.
macro_rules! codes {
    ($($(#[$about:meta])* $name:ident { $($(#[$note:meta])* $code:ident = $number:literal,)* })*) => {$(
        $(#[$about])*
        #[repr(i32)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$note])* $code = $number,)* }

        impl TryFrom<i32> for $name {
            type Error = UnknownCode;

            fn try_from(code: i32) -> Result<Self, UnknownCode> {
                match code {
                    $($number => Ok(Self::$code),)*
                    _ => Err(UnknownCode(code)),
                }
            }
        }

        impl From<$name> for i32 {
            fn from(code: $name) -> i32 {
                code as i32
            }
        }

        #[cfg(test)]
        impl $name {
            const ALL: &[$name] = &[$(Self::$code,)*];
        }
    )*};
}
pub(crate) use codes;

#[cfg(test)]
pub(crate) mod tests {
    use super::UnknownCode;

    /// Every number in a wide range is a code that converts back, or refused.
    pub(crate) fn round_trip<C: TryFrom<i32, Error = UnknownCode> + Into<i32> + Copy>(all: &[C]) {
        let known: Vec<i32> = all.iter().map(|code| (*code).into()).collect();
        for number in (-3..40).chain([i32::MIN, i32::MAX]) {
            match C::try_from(number) {
                Ok(code) => assert_eq!(code.into(), number),
                Err(error) => assert!(!known.contains(&error.0)),
            }
        }
        assert!(known.iter().all(|number| C::try_from(*number).is_ok()));
    }
}
