//! What the metrics of a table are called.

use crate::shape::{Family, HISTOGRAMS};

/// What a table counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// By method and status; with classes, a status is told as `2xx`.
    Requests { has_classes: bool },
    /// Attempts of requests, by endpoint. Of the histograms only that of headers has a name here.
    Endpoints,
}

/// Metrics that are printed in turn: the counter of all, histograms, what failed by cause, what became of inspected requests.
pub const FAMILIES: usize = INSPECTIONS + 1;
pub const FAILED: usize = 1 + HISTOGRAMS.len();
pub const INSPECTIONS: usize = FAILED + 1;

/// The kind of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Counter,
    Gauge,
    Histogram,
}

/// A metric as it is described.
pub struct Name {
    pub text: String,
    pub kind: Type,
    pub help: &'static str,
}

impl Subject {
    pub fn names(self) -> [Name; FAMILIES] {
        std::array::from_fn(|family| match family {
            0 => self.all(),
            FAILED => self.failed(),
            INSPECTIONS => inspections(),
            _ => self.times(HISTOGRAMS[family - 1]),
        })
    }

    fn all(self) -> Name {
        match self {
            Subject::Requests { .. } => {
                counter("nginx_ingress_controller_requests", "Requests served")
            }
            Subject::Endpoints => counter(
                "wick_endpoint_attempts_total",
                "Attempts of requests with an endpoint, retries included",
            ),
        }
    }

    fn times(self, family: Family) -> Name {
        let (text, help) = match self {
            Subject::Requests { .. } => {
                (format!("nginx_ingress_controller_{}", family.name()), family.help())
            }
            Subject::Endpoints => (
                "wick_endpoint_response_seconds".into(),
                "Seconds until an endpoint's response began, of each attempt",
            ),
        };
        Name { text, kind: Type::Histogram, help }
    }

    fn failed(self) -> Name {
        match self {
            Subject::Requests { .. } => {
                counter("wick_retries_total", "Attempts that were made again, by cause")
            }
            Subject::Endpoints => counter(
                "wick_endpoint_failures_total",
                "Attempts with an endpoint that failed, by cause",
            ),
        }
    }

    /// Gauges of the series that there are and that there is room for, and the counter of what was folded.
    pub fn own(self) -> [Name; 3] {
        match self {
            Subject::Requests { .. } => [
                gauge("wick_request_series", "Series of request metrics"),
                gauge("wick_request_series_limit", "Series that there is room for"),
                counter(
                    "wick_request_samples_folded_total",
                    "Requests that were counted with fewer labels, because there was no room for their own",
                ),
            ],
            Subject::Endpoints => [
                gauge("wick_endpoint_series", "Endpoints whose attempts are counted"),
                gauge("wick_endpoint_series_limit", "Endpoints that there is room for"),
                counter(
                    "wick_endpoint_attempts_folded_total",
                    "Attempts that were counted without their endpoint, because there was no room for it",
                ),
            ],
        }
    }
}

fn inspections() -> Name {
    let help = "Requests that rules of ModSecurity were to look at, by what became of them";
    counter("wick_modsecurity_requests_total", help)
}

fn counter(text: &str, help: &'static str) -> Name {
    Name { text: text.into(), kind: Type::Counter, help }
}

fn gauge(text: &str, help: &'static str) -> Name {
    Name { text: text.into(), kind: Type::Gauge, help }
}
