//! Numbers with names. Spec: proxy-wasm v0.2.1, "Types"; names follow it.

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

codes! {
    /// What a host function answers.
    Status {
        Ok = 0,
        NotFound = 1,
        BadArgument = 2,
        SerializationFailure = 3,
        ParseFailure = 4,
        BadExpression = 5,
        InvalidMemoryAccess = 6,
        Empty = 7,
        CasMismatch = 8,
        ResultMismatch = 9,
        InternalFailure = 10,
        BrokenConnection = 11,
        Unimplemented = 12,
    }
    /// Levels of `proxy_log`.
    LogLevel {
        Trace = 0,
        Debug = 1,
        Info = 2,
        Warn = 3,
        Error = 4,
        Critical = 5,
    }
    /// What a callback of a stream wants: to go on, or to wait.
    Action {
        Continue = 0,
        Pause = 1,
    }
    /// What `proxy_get_buffer_bytes` can read.
    Buffer {
        HttpRequestBody = 0,
        HttpResponseBody = 1,
        DownstreamData = 2,
        UpstreamData = 3,
        HttpCallResponseBody = 4,
        GrpcCallMessage = 5,
        VmConfiguration = 6,
        PluginConfiguration = 7,
        ForeignFunctionArguments = 8,
        /// Of the upstream-selection extension.
        UpstreamConfiguration = 9,
    }
    /// The header maps.
    Map {
        HttpRequestHeaders = 0,
        HttpRequestTrailers = 1,
        HttpResponseHeaders = 2,
        HttpResponseTrailers = 3,
        GrpcCallInitialMetadata = 4,
        GrpcCallTrailingMetadata = 5,
        HttpCallResponseHeaders = 6,
        HttpCallResponseTrailers = 7,
        /// Of the upstream-selection extension: the response that is being judged.
        HttpUpstreamResponseHeaders = 8,
    }
    /// The two directions of the two kinds of traffic.
    Stream {
        HttpRequest = 0,
        HttpResponse = 1,
        Downstream = 2,
        Upstream = 3,
    }
    /// Who closed a connection.
    Peer {
        Unknown = 0,
        Local = 1,
        Remote = 2,
    }
    /// Kinds of metrics.
    Metric {
        Counter = 0,
        Gauge = 1,
        Histogram = 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number in a wide range is a code that converts back, or refused.
    fn round_trip<C: TryFrom<i32, Error = UnknownCode> + Into<i32> + Copy>(all: &[C]) {
        let known: Vec<i32> = all.iter().map(|code| (*code).into()).collect();
        for number in (-3..40).chain([i32::MIN, i32::MAX]) {
            match C::try_from(number) {
                Ok(code) => assert_eq!(code.into(), number),
                Err(error) => assert!(!known.contains(&error.0)),
            }
        }
        assert!(known.iter().all(|number| C::try_from(*number).is_ok()));
    }

    #[test]
    fn codes_convert_both_ways() {
        round_trip(Status::ALL);
        round_trip(LogLevel::ALL);
        round_trip(Action::ALL);
        round_trip(Buffer::ALL);
        round_trip(Map::ALL);
        round_trip(Stream::ALL);
        round_trip(Peer::ALL);
        round_trip(Metric::ALL);
    }
}
