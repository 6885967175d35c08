//! Prometheus' protobuf format: messages `io.prometheus.client.MetricFamily`, each with its length in front.
//!
//! A metric whose series are on several pages is a message on each: what reads them takes one after the other.

use crate::labels::unescaped;
use crate::names::{Name, Type};
use crate::native::Native;
use crate::print::wire::{double, length, message, number, packed, zigzag};
use crate::print::writer::{Counted, Writer};
use crate::shape::Histogram;

/// Numbers of fields. Source: client_model, io/prometheus/client/metrics.proto.
mod family {
    pub const NAME: u32 = 1;
    pub const HELP: u32 = 2;
    pub const TYPE: u32 = 3;
    pub const METRIC: u32 = 4;
}
mod metric {
    pub const LABEL: u32 = 1;
    pub const GAUGE: u32 = 2;
    pub const COUNTER: u32 = 3;
    pub const HISTOGRAM: u32 = 7;
}
mod label {
    pub const NAME: u32 = 1;
    pub const VALUE: u32 = 2;
}
/// Of counters and gauges.
const VALUE: u32 = 1;
mod histogram {
    pub const COUNT: u32 = 1;
    pub const SUM: u32 = 2;
    pub const BUCKET: u32 = 3;
    pub const SCHEMA: u32 = 5;
    pub const ZERO_THRESHOLD: u32 = 6;
    pub const ZERO_COUNT: u32 = 7;
    pub const POSITIVE_SPAN: u32 = 12;
    pub const POSITIVE_DELTA: u32 = 13;
}
mod bucket {
    pub const CUMULATIVE_COUNT: u32 = 1;
    pub const UPPER_BOUND: u32 = 2;
}
mod span {
    pub const OFFSET: u32 = 1;
    pub const LENGTH: u32 = 2;
}

/// 2^-128, as Go's client library has it: of values that are not 0 none is so small.
const ZERO_THRESHOLD: f64 = f64::from_bits((1023 - 128) << 52);

/// Empty buckets between two spans that rather stand in one of them, as Go's client library does it.
const MAX_GAP: i32 = 2;

pub struct Protobuf<'t> {
    to: &'t mut Vec<u8>,
    /// Name, help and type.
    head: Vec<u8>,
    kind: Type,
    metrics: Vec<u8>,
    /// The messages that are being written, kept for their memory.
    metric: Vec<u8>,
    value: Vec<u8>,
    part: Vec<u8>,
}

impl Protobuf<'_> {
    pub fn new(to: &mut Vec<u8>) -> Protobuf<'_> {
        let [head, metrics, metric, value, part] = [const { Vec::new() }; 5];
        Protobuf { to, head, kind: Type::Counter, metrics, metric, value, part }
    }

    /// The value that was written is this field of the series with these labels.
    fn put(&mut self, labels: &[u8], field: u32) {
        self.metric.clear();
        put_labels(labels, &mut self.part, &mut self.metric);
        message(field, &self.value, &mut self.metric);
        message(family::METRIC, &self.metric, &mut self.metrics);
    }

    /// `count`: of all; what is being counted meanwhile may be in the buckets already.
    fn classic(&mut self, counted: &Counted, count: u64) {
        number(histogram::COUNT, count, &mut self.value);
        let sum = counted.sum as f64;
        let sum = if counted.of.family.is_time() { sum / 1000.0 } else { sum };
        double(histogram::SUM, sum, &mut self.value);
        for (bucket, cumulative) in counted.of.buckets.iter().zip(counted.cumulative) {
            self.part.clear();
            number(bucket::CUMULATIVE_COUNT, count.min(*cumulative), &mut self.part);
            double(bucket::UPPER_BOUND, bucket.bound, &mut self.part);
            message(histogram::BUCKET, &self.part, &mut self.value);
        }
    }

    fn native(&mut self, native: &Native) {
        number(histogram::SCHEMA, zigzag(native.schema.into()), &mut self.value);
        double(histogram::ZERO_THRESHOLD, ZERO_THRESHOLD, &mut self.value);
        number(histogram::ZERO_COUNT, native.zero, &mut self.value);
        let filled = filled(&native.buckets);
        for (offset, length) in spans(&filled) {
            self.part.clear();
            number(span::OFFSET, zigzag(offset.into()), &mut self.part);
            number(span::LENGTH, length, &mut self.part);
            message(histogram::POSITIVE_SPAN, &self.part, &mut self.value);
        }
        let mut before = 0;
        let deltas = filled.iter().map(|(_, count)| {
            let delta = zigzag(*count as i64 - before);
            before = *count as i64;
            delta
        });
        packed(histogram::POSITIVE_DELTA, deltas, &mut self.part, &mut self.value);
    }
}

impl Writer for Protobuf<'_> {
    fn open(&mut self, name: &Name, _: Option<&Histogram>, _: bool) {
        self.kind = name.kind;
        self.head.clear();
        self.metrics.clear();
        message(family::NAME, name.text.as_bytes(), &mut self.head);
        message(family::HELP, name.help.as_bytes(), &mut self.head);
        let kind = match name.kind {
            Type::Counter => 0,
            Type::Gauge => 1,
            Type::Histogram => 4,
        };
        number(family::TYPE, kind, &mut self.head);
    }

    fn number(&mut self, labels: &[u8], value: u64) {
        self.value.clear();
        double(VALUE, value as f64, &mut self.value);
        let field = if self.kind == Type::Gauge { metric::GAUGE } else { metric::COUNTER };
        self.put(labels, field);
    }

    fn histogram(&mut self, labels: &[u8], counted: &Counted) {
        self.value.clear();
        let native = match (&counted.of.native, counted.native) {
            (Some(buckets), Some(read)) => {
                Some(buckets.shown((0..buckets.words).map(|nth| read(buckets.at + nth))))
            }
            _ => None,
        };
        // Prometheus refuses a native histogram whose buckets are not as many as it says.
        let count = native.as_ref().map_or(counted.count(), Native::count);
        self.classic(counted, count);
        if let Some(native) = native {
            self.native(&native);
        }
        self.put(labels, metric::HISTOGRAM);
    }

    /// A metric without series is left out.
    fn close(&mut self) {
        if !self.metrics.is_empty() {
            length(self.head.len() + self.metrics.len(), self.to);
            self.to.extend_from_slice(&self.head);
            self.to.extend_from_slice(&self.metrics);
            self.metrics.clear();
        }
    }

    fn len(&self) -> usize {
        self.to.len() + self.metrics.len()
    }
}

/// Labels of the text format: `a="x",b="y"`.
fn put_labels(mut labels: &[u8], pair: &mut Vec<u8>, to: &mut Vec<u8>) {
    while let Some(equals) = labels.iter().position(|byte| *byte == b'=') {
        pair.clear();
        message(label::NAME, &labels[..equals], pair);
        let quoted = labels.get(equals + 2..).unwrap_or_default();
        let (end, has_escapes) = closing_quote(quoted);
        match has_escapes {
            true => message(label::VALUE, &unescaped(&quoted[..end]), pair),
            false => message(label::VALUE, &quoted[..end], pair),
        }
        message(metric::LABEL, pair, to);
        labels = quoted.get(end + 2..).unwrap_or_default();
    }
}

/// Where it is, and whether something in front of it is escaped.
fn closing_quote(text: &[u8]) -> (usize, bool) {
    let mut from = 0;
    loop {
        let rest = text.get(from..).unwrap_or_default();
        match rest.iter().position(|byte| matches!(byte, b'"' | b'\\')) {
            Some(at) if rest[at] == b'\\' => from += at + 2,
            Some(at) => return (from + at, from > 0),
            None => return (text.len(), from > 0),
        }
    }
}

/// With the small gaps filled by empty buckets.
fn filled(buckets: &[(i32, u64)]) -> Vec<(i32, u64)> {
    let mut filled: Vec<(i32, u64)> = Vec::with_capacity(buckets.len() * 2);
    for (bucket, count) in buckets {
        if let Some((last, _)) = filled.last()
            && bucket - last - 1 <= MAX_GAP
        {
            filled.extend((last + 1..*bucket).map(|empty| (empty, 0)));
        }
        filled.push((*bucket, *count));
    }
    filled
}

/// Buckets one behind the other: how far they are from the end of those before (the first: from bucket 0), and how many they are.
fn spans(buckets: &[(i32, u64)]) -> Vec<(i32, u64)> {
    let mut next = 0;
    let mut spans: Vec<(i32, u64)> = Vec::new();
    for (bucket, _) in buckets {
        match spans.last_mut() {
            Some((_, length)) if *bucket == next => *length += 1,
            _ => spans.push((bucket - next, 1)),
        }
        next = bucket + 1;
    }
    spans
}
