//! Prometheus' text format (version 0.0.4), in pages: a reader asks for the next one where the last one ended.
//!
//! Nothing is locked. A set that is removed meanwhile is left out; the numbers of a histogram are of one reading.

use std::sync::atomic::Ordering::Relaxed;

use crate::labels::{METHODS, put};
use crate::names::{FAMILIES, Name, Subject};
use crate::retries::CAUSES;
use crate::rows::Kind;
use crate::shape::{Family, HISTOGRAMS, Histogram, RETRIES};
use crate::table::{FOLDED, Table};
use crate::texts;

/// Where a page begins: metric (high half) and series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor(pub u64);

/// Prints one table. Keeps what is the same for all series.
pub struct Printer {
    /// Labels of all series, `{a="b",`.
    common: Vec<u8>,
    subject: Subject,
    names: [Name; FAMILIES],
    /// Of the sets that are printed; `None`: all are.
    owner: Option<u128>,
    /// For each histogram the ends of its lines, ` le="0.5"} `.
    ends: [Vec<Vec<u8>>; 7],
}

impl Printer {
    /// `common`: labels of all series.
    pub fn new(table: &Table, common: &[(&str, &[u8])], subject: Subject) -> Printer {
        let mut braced = vec![b'{'];
        for (name, value) in common {
            put(&mut braced, name, value);
            braced.push(b',');
        }
        let ends = HISTOGRAMS.map(|family| {
            table.shape.histograms[family as usize].as_ref().map(ends).unwrap_or_default()
        });
        Printer { common: braced, subject, names: subject.names(), owner: None, ends }
    }

    /// Prints endpoints of this backend only.
    pub fn only_backend(mut self, table: &Table, backend: &[u8]) -> Printer {
        self.owner = Some(table.owner_of_backend(backend));
        self
    }

    /// Appends at least one series and about `bytes` at most. `None`: that was all.
    pub fn page(
        &self,
        table: &Table,
        from: Cursor,
        bytes: usize,
        to: &mut Vec<u8>,
    ) -> Option<Cursor> {
        let (mut family, mut series) = ((from.0 >> 32) as usize, from.0 as u32 as usize);
        let end = to.len() + bytes;
        let mut labels = Vec::with_capacity(1024);
        while family < FAMILIES {
            if to.len() >= end {
                return Some(Cursor((family as u64) << 32));
            }
            if !is_printed(table, family) {
                (family, series) = (family + 1, 0);
                continue;
            }
            if series == 0 {
                describe(&self.names[family], to);
            }
            while series < table.rows.layout.series {
                self.series(table, family, series, &mut labels, to);
                series += 1;
                if to.len() >= end && series < table.rows.layout.series {
                    return Some(Cursor((family as u64) << 32 | series as u64));
                }
            }
            (family, series) = (family + 1, 0);
        }
        if self.owner.is_none() {
            self.own(table, to);
        }
        None
    }

    /// False: no such series.
    fn labels(&self, table: &Table, series: usize, labels: &mut Vec<u8>) -> bool {
        let Some(row) = table.rows.series(series) else { return false };
        let Some(generation) = table.rows.generation(row.set) else { return false };
        if self.owner.is_some_and(|owner| table.rows.owner(row.set) != owner) {
            return false;
        }
        labels.clear();
        labels.extend_from_slice(&self.common);
        if let Subject::Requests { has_classes } = self.subject {
            kind(series, row.kind, has_classes, labels);
        }
        texts::read(&table.rows, table.rows.text(row.set), labels);
        table.rows.generation(row.set) == Some(generation)
    }

    /// Labels are put together only for what was counted.
    fn series(
        &self,
        table: &Table,
        family: usize,
        series: usize,
        labels: &mut Vec<u8>,
        to: &mut Vec<u8>,
    ) {
        if table.rows.series(series).is_none() {
            return;
        }
        if family == 0 {
            let requests = sum(table, series, 0);
            if requests > 0 && self.labels(table, series, labels) {
                line(to, &self.names[family].text, "", labels, b"} ", requests);
            }
        } else if family == FAMILIES - 1 {
            self.retries(table, series, labels, to);
        } else if let Some(histogram) = &table.shape.histograms[family - 1] {
            self.histogram(table, histogram, series, labels, to);
        }
    }

    fn retries(&self, table: &Table, series: usize, labels: &mut Vec<u8>, to: &mut Vec<u8>) {
        let counts = CAUSES.map(|cause| sum(table, series, RETRIES + cause as usize));
        if counts == [0; CAUSES.len()] || !self.labels(table, series, labels) {
            return;
        }
        for (cause, count) in CAUSES.iter().zip(counts).filter(|(_, count)| *count > 0) {
            to.extend_from_slice(self.names[FAMILIES - 1].text.as_bytes());
            to.extend_from_slice(labels);
            to.extend_from_slice(format!(",cause=\"{}\"}} {count}\n", cause.name()).as_bytes());
        }
    }

    fn histogram(
        &self,
        table: &Table,
        histogram: &Histogram,
        series: usize,
        labels: &mut Vec<u8>,
        to: &mut Vec<u8>,
    ) {
        let ends = &self.ends[histogram.family as usize];
        let mut counts = [0; 64];
        let mut total = 0;
        for (nth, count) in counts.iter_mut().enumerate().take(ends.len()) {
            total += sum(table, series, histogram.at + nth);
            *count = total;
        }
        if total == 0 || !self.labels(table, series, labels) {
            return;
        }
        let name = &self.names[1 + histogram.family as usize].text;
        for (end, count) in ends.iter().zip(counts) {
            line(to, name, "_bucket", labels, end, count);
        }
        let value = sum(table, series, histogram.sum);
        if histogram.family.is_time() {
            line(to, name, "_sum", labels, b"} ", value / 1000);
            to.pop();
            to.extend_from_slice(format!(".{:03}\n", value % 1000).as_bytes());
        } else {
            line(to, name, "_sum", labels, b"} ", value);
        }
        line(to, name, "_count", labels, b"} ", total);
    }

    /// What the table says of itself.
    fn own(&self, table: &Table, to: &mut Vec<u8>) {
        let mut labels = self.common.clone();
        labels.pop();
        let header = table.header();
        let numbers = [header.used(), table.rows.layout.series as u64 - 1, header.folded()];
        for (name, value) in self.subject.own().iter().zip(numbers) {
            describe(name, to);
            to.extend_from_slice(name.text.as_bytes());
            if !labels.is_empty() {
                to.extend_from_slice(&labels);
                to.push(b'}');
            }
            to.extend_from_slice(format!(" {value}\n").as_bytes());
        }
    }
}

/// Of all planes.
fn sum(table: &Table, series: usize, at: usize) -> u64 {
    let planes = table.rows.used_planes(series);
    planes.map(|plane| table.rows.cells(plane, series)[at].load(Relaxed)).sum()
}

/// Whether a metric is there at all. Retries go with requests.
fn is_printed(table: &Table, family: usize) -> bool {
    match family.checked_sub(1).and_then(|nth| table.shape.histograms.get(nth)) {
        None => table.shape.has_requests,
        Some(histogram) => histogram.is_some(),
    }
}

fn describe(Name { text, kind, help }: &Name, to: &mut Vec<u8>) {
    let lines = format!("# HELP {text} {help}\n# TYPE {text} {kind}\n");
    to.extend_from_slice(lines.as_bytes());
}

/// The labels of a request's kind.
fn kind(series: usize, kind: Kind, has_classes: bool, to: &mut Vec<u8>) {
    let method = METHODS.get(usize::from(kind.method)).unwrap_or(&METHODS[0]);
    let digit = |number: u16| b'0' + (number % 10) as u8;
    to.extend_from_slice(b"status=\"");
    match kind.status {
        _ if series == FOLDED => to.extend_from_slice(b"_folded"),
        class if class < 10 && (has_classes || class != 9 && class != 0) => {
            to.extend_from_slice(&[digit(class), b'x', b'x']);
        }
        status => {
            to.extend_from_slice(&[digit(status / 100), digit(status / 10), digit(status)]);
        }
    }
    to.extend_from_slice(b"\",method=\"");
    to.extend_from_slice(method.as_bytes());
    to.extend_from_slice(b"\",");
}

fn ends(histogram: &Histogram) -> Vec<Vec<u8>> {
    let bounds = histogram.buckets.iter().map(|bucket| &*bucket.text).chain(["+Inf"]);
    bounds.map(|le| format!(",le=\"{le}\"}} ").into_bytes()).collect()
}

#[inline]
fn line(to: &mut Vec<u8>, name: &str, suffix: &str, labels: &[u8], end: &[u8], value: u64) {
    to.extend_from_slice(name.as_bytes());
    to.extend_from_slice(suffix.as_bytes());
    to.extend_from_slice(labels);
    to.extend_from_slice(end);
    to.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    to.push(b'\n');
}

const _: () = assert!(Family::BytesSent as usize + 1 == HISTOGRAMS.len());
