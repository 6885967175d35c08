//! The numbers of a table as Prometheus reads them, in pages: a reader asks for the next one where the last one ended.
//!
//! Nothing is locked. A set that is removed meanwhile is left out; the numbers of a histogram are of one reading.

mod protobuf;
mod text;
mod wire;
mod writer;

use std::sync::atomic::Ordering::Relaxed;

use self::protobuf::Protobuf;
use self::text::Text;
use self::writer::{Counted, Writer};
use crate::inspections::OUTCOMES;
use crate::labels::{METHODS, put};
use crate::names::{FAILED, FAMILIES, INSPECTIONS, Name, Subject};
use crate::retries::CAUSES;
use crate::rows::Kind;
use crate::shape::{Family, HISTOGRAMS, Histogram, RETRIES};
use crate::table::{FOLDED, Table};
use crate::texts;

/// Where a page begins: metric (high half) and series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor(pub u64);

impl Cursor {
    /// Where a histogram of requests begins, by its name behind `nginx_ingress_controller_`. `None`: there is none of this name.
    pub fn of_histogram(name: &[u8]) -> Option<Cursor> {
        let nth = HISTOGRAMS.iter().position(|family| family.name().as_bytes() == name)?;
        Some(Cursor((nth as u64 + 1) << 32))
    }
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Version 0.0.4. Without native histograms, which it does not know.
    Text,
    /// Delimited messages `io.prometheus.client.MetricFamily`.
    Protobuf,
}

/// Prints one table. Keeps what is the same for all series.
pub struct Printer {
    /// Labels of all series, `a="b",`.
    common: Vec<u8>,
    subject: Subject,
    names: [Name; FAMILIES],
    /// Of the sets that are printed; `None`: all are.
    owner: Option<u128>,
}

impl Printer {
    /// `common`: labels of all series.
    pub fn new(common: &[(&str, &[u8])], subject: Subject) -> Printer {
        let mut text = Vec::new();
        for (name, value) in common {
            put(&mut text, name, value);
            text.push(b',');
        }
        Printer { common: text, subject, names: subject.names(), owner: None }
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
        format: Format,
        to: &mut Vec<u8>,
    ) -> Option<Cursor> {
        match format {
            Format::Text => self.write(table, from, bytes, &mut Text::new(to)),
            Format::Protobuf => self.write(table, from, bytes, &mut Protobuf::new(to)),
        }
    }

    fn write(
        &self,
        table: &Table,
        from: Cursor,
        bytes: usize,
        to: &mut impl Writer,
    ) -> Option<Cursor> {
        let (mut family, mut series) = ((from.0 >> 32) as usize, from.0 as u32 as usize);
        let end = to.len() + bytes;
        while family < FAMILIES {
            if to.len() >= end {
                return Some(Cursor((family as u64) << 32));
            }
            if let Some(next) = self.family(table, family, series, end, to) {
                return Some(Cursor((family as u64) << 32 | next as u64));
            }
            (family, series) = (family + 1, 0);
        }
        if self.owner.is_none() {
            self.own(table, to);
        }
        None
    }

    /// A metric's series from `series` on. Answers the one that goes on the next page.
    fn family(
        &self,
        table: &Table,
        family: usize,
        mut series: usize,
        end: usize,
        to: &mut impl Writer,
    ) -> Option<usize> {
        if !is_printed(table, family) {
            return None;
        }
        let mut labels = Vec::with_capacity(1024);
        let all = table.rows.layout.series;
        to.open(&self.names[family], histogram_of(table, family), series == 0);
        while series < all {
            self.series(table, family, series, &mut labels, to);
            series += 1;
            if to.len() >= end {
                break;
            }
        }
        to.close();
        (series < all).then_some(series)
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
        to: &mut impl Writer,
    ) {
        if table.rows.series(series).is_none() {
            return;
        }
        if family == 0 {
            let requests = sum(table, series, 0);
            if requests > 0 && self.labels(table, series, labels) {
                to.number(labels, requests);
            }
        } else if family == FAILED {
            let causes = CAUSES.map(|it| (it.name(), sum(table, series, RETRIES + it as usize)));
            self.counters(table, "cause", &causes, series, labels, to);
        } else if family == INSPECTIONS
            && let Some(at) = table.shape.inspections
        {
            let outcomes = OUTCOMES.map(|it| (it.name(), sum(table, series, at + it as usize)));
            self.counters(table, "outcome", &outcomes, series, labels, to);
        } else if let Some(histogram) = histogram_of(table, family) {
            self.histogram(table, histogram, series, labels, to);
        }
    }

    /// Counters of a series that one more label tells apart, without those that have counted nothing.
    fn counters(
        &self,
        table: &Table,
        label: &str,
        counts: &[(&str, u64)],
        series: usize,
        labels: &mut Vec<u8>,
        to: &mut impl Writer,
    ) {
        let mut counted = counts.iter().filter(|(_, count)| *count > 0).peekable();
        if counted.peek().is_none() || !self.labels(table, series, labels) {
            return;
        }
        labels.push(b',');
        let common = labels.len();
        for (value, count) in counted {
            labels.truncate(common);
            put(labels, label, value.as_bytes());
            to.number(labels, *count);
        }
    }

    fn histogram(
        &self,
        table: &Table,
        histogram: &Histogram,
        series: usize,
        labels: &mut Vec<u8>,
        to: &mut impl Writer,
    ) {
        let mut cumulative = [0; 64];
        let cumulative = &mut cumulative[..=histogram.buckets.len()];
        let mut total = 0;
        for (nth, count) in cumulative.iter_mut().enumerate() {
            total += sum(table, series, histogram.at + nth);
            *count = total;
        }
        if total == 0 || !self.labels(table, series, labels) {
            return;
        }
        let native = |at| native_sum(table, series, at);
        let has_native = histogram.native.is_some();
        to.histogram(
            labels,
            &Counted {
                of: histogram,
                cumulative,
                sum: sum(table, series, histogram.sum),
                native: has_native.then_some(&native),
            },
        );
    }

    /// What the table says of itself.
    fn own(&self, table: &Table, to: &mut impl Writer) {
        let labels = self.common.strip_suffix(b",").unwrap_or_default();
        let header = table.header();
        let numbers = [header.used(), table.rows.layout.series as u64 - 1, header.folded()];
        for (name, value) in self.subject.own().iter().zip(numbers) {
            to.open(name, None, true);
            to.number(labels, value);
            to.close();
        }
    }
}

/// Of all planes.
fn sum(table: &Table, series: usize, at: usize) -> u64 {
    let planes = table.rows.used_planes(series);
    planes.map(|plane| table.rows.cells(plane, series)[at].load(Relaxed)).sum()
}

fn native_sum(table: &Table, series: usize, at: usize) -> u64 {
    let planes = table.rows.used_native_planes(series);
    planes.map(|plane| table.rows.native(plane, series)[at].load(Relaxed)).sum()
}

/// `None`: the metric is none, or it is left out.
fn histogram_of<'s>(table: &Table<'_, 's>, family: usize) -> Option<&'s Histogram> {
    table.shape.histograms.get(family.checked_sub(1)?)?.as_ref()
}

/// Whether a metric is there at all. Retries go with requests.
fn is_printed(table: &Table, family: usize) -> bool {
    if family == INSPECTIONS {
        return table.shape.inspections.is_some();
    }
    match family.checked_sub(1).and_then(|nth| table.shape.histograms.get(nth)) {
        None => table.shape.has_requests,
        Some(histogram) => histogram.is_some(),
    }
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

const _: () = assert!(Family::BytesSent as usize + 1 == HISTOGRAMS.len());
