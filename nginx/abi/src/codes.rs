//! Numbers with names. Spec: proxy-wasm v0.2.1, "Types"; names follow it.
// Printed by `npm run wire` from wire/: change it there.

pub use crate::code::UnknownCode;
use crate::code::codes;

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
    use crate::code::tests::round_trip;

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
