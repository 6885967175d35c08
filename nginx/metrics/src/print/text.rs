//! Prometheus' text format, version 0.0.4.

use crate::names::{Name, Type};
use crate::print::writer::{Counted, Writer};
use crate::shape::Histogram;

pub struct Text<'t> {
    to: &'t mut Vec<u8>,
    name: Vec<u8>,
    /// The ends of a histogram's lines, `,le="0.5"} `.
    ends: Vec<Vec<u8>>,
}

impl Text<'_> {
    pub fn new(to: &mut Vec<u8>) -> Text<'_> {
        Text { to, name: Vec::new(), ends: Vec::new() }
    }

    #[inline]
    fn line(&mut self, suffix: &[u8], labels: &[u8], end: &[u8], value: u64) {
        self.start(suffix, labels, end);
        self.to.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
        self.to.push(b'\n');
    }

    #[inline]
    fn start(&mut self, suffix: &[u8], labels: &[u8], end: &[u8]) {
        self.to.extend_from_slice(&self.name);
        self.to.extend_from_slice(suffix);
        self.to.push(b'{');
        self.to.extend_from_slice(labels);
        self.to.extend_from_slice(end);
    }
}

impl Writer for Text<'_> {
    fn open(&mut self, name: &Name, histogram: Option<&Histogram>, is_new: bool) {
        let Name { text, kind, help } = name;
        self.name = text.as_bytes().into();
        self.ends = histogram.map(ends).unwrap_or_default();
        if is_new {
            let kind = match kind {
                Type::Counter => "counter",
                Type::Gauge => "gauge",
                Type::Histogram => "histogram",
            };
            let lines = format!("# HELP {text} {help}\n# TYPE {text} {kind}\n");
            self.to.extend_from_slice(lines.as_bytes());
        }
    }

    fn number(&mut self, labels: &[u8], value: u64) {
        if labels.is_empty() {
            self.to.extend_from_slice(&self.name);
            self.to.extend_from_slice(format!(" {value}\n").as_bytes());
        } else {
            self.line(b"", labels, b"} ", value);
        }
    }

    fn histogram(&mut self, labels: &[u8], counted: &Counted) {
        let ends = std::mem::take(&mut self.ends);
        for (end, count) in ends.iter().zip(counted.cumulative) {
            self.line(b"_bucket", labels, end, *count);
        }
        self.ends = ends;
        let sum = counted.sum;
        if counted.of.family.is_time() {
            self.start(b"_sum", labels, b"} ");
            let seconds = format!("{}.{:03}\n", sum / 1000, sum % 1000);
            self.to.extend_from_slice(seconds.as_bytes());
        } else {
            self.line(b"_sum", labels, b"} ", sum);
        }
        self.line(b"_count", labels, b"} ", counted.count());
    }

    fn close(&mut self) {}

    fn len(&self) -> usize {
        self.to.len()
    }
}

fn ends(histogram: &Histogram) -> Vec<Vec<u8>> {
    let bounds = histogram.buckets.iter().map(|bucket| &*bucket.text).chain(["+Inf"]);
    bounds.map(|le| format!(",le=\"{le}\"}} ").into_bytes()).collect()
}
