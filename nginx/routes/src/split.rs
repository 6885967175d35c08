//! Backends that share the requests of a route by weight.

use std::cell::Cell;
use std::num::NonZeroU16;

use wick_tls::BackendTls;
use wick_wire::{Fields, RecordError, numbers, weighted_backend};

use crate::actions::Actions;
use crate::values::{Literal, literal, status};

/// All backends of a route.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// In the order of the record.
    pub backends: Vec<WeightedBackend>,
    /// Of each, the sum of its weight and those before.
    ends: Vec<u64>,
}

/// One of them. Texts are bytes as they were posted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightedBackend {
    pub backend: Box<[u8]>,
    pub service_name: Box<[u8]>,
    pub service_port: Box<[u8]>,
    /// 400 to 599: the answer in its place. `None`: it answers.
    pub status: Option<NonZeroU16>,
    /// Named location in the place of the route's; `None`: that.
    pub location: Option<Box<[u8]>>,
    /// In the place of the route's.
    pub variables: Box<[Literal]>,
    /// In the place of the route's; `None`: that, unless there is a `location`.
    pub backend_tls: Option<Box<BackendTls>>,
    /// Beside those of the route. `None`: none.
    pub actions: Option<Box<Actions>>,
}

impl Split {
    /// The backend at a point of the whole, which goes from 0 to 2^64: each has as much of it as its weight says. `None`: all
    /// weights are 0.
    #[inline]
    pub fn at(&self, point: u64) -> Option<usize> {
        let total = *self.ends.last()?;
        let nth = ((u128::from(point) * u128::from(total)) >> 64) as u64;
        let place = self.ends.partition_point(|end| *end <= nth);
        (place < self.ends.len()).then_some(place)
    }

    /// The weight of a backend, and the sum of all.
    pub fn weight(&self, place: usize) -> (u64, u64) {
        let before = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        (self.ends[place] - before, self.ends.last().copied().unwrap_or_default())
    }

    pub(crate) fn push(&mut self, (backend, weight): (WeightedBackend, u64)) {
        let before = self.ends.last().copied().unwrap_or_default();
        self.ends.push(before + weight);
        self.backends.push(backend);
    }
}

impl WeightedBackend {
    /// With its weight.
    ///
    /// # Errors: `Critical` when something in it must be understood and is not; `Missing` and `Field` as of any record.
    pub(crate) fn read(bytes: &[u8]) -> Result<(Self, u64), RecordError> {
        let (mut weight, mut backend, mut status) = (None, None, None);
        let [mut service_name, mut service_port] = [&b""[..]; 2];
        let (mut location, mut variables) = (None, Vec::new());
        let (mut backend_tls, mut actions) = (None, None);
        for field in Fields::new(bytes) {
            let field = field?;
            match field.id {
                weighted_backend::WEIGHT => {
                    weight = Some(numbers::SPLIT_WEIGHT.read(field.value)?);
                }
                weighted_backend::BACKEND => backend = Some(field.value),
                weighted_backend::SERVICE_NAME => service_name = field.value,
                weighted_backend::SERVICE_PORT => service_port = field.value,
                weighted_backend::STATUS => status = Some(self::status(field.value)?),
                weighted_backend::LOCATION => location = Some(field.value.into()),
                weighted_backend::VARIABLES => variables.push(literal(field.value)?),
                weighted_backend::BACKEND_TLS => {
                    backend_tls = Some(BackendTls::read(field.value)?.into());
                }
                weighted_backend::ACTIONS => actions = Some(Actions::read(field.value)?.into()),
                _ => field.skip()?,
            }
        }
        let one = Self {
            backend: backend.ok_or(RecordError::Missing)?.into(),
            service_name: service_name.into(),
            service_port: service_port.into(),
            status,
            location,
            variables: variables.into(),
            backend_tls,
            actions,
        };
        Ok((one, weight.ok_or(RecordError::Missing)?))
    }
}

/// Points of the whole, one for each request, spread more evenly than chance: of any number of points that follow each other,
/// a part of the whole gets its share but for a few (additive recurrence by the golden ratio).
#[derive(Debug)]
pub struct Spread(Cell<u64>);

/// 2^64 over the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Spread {
    /// `start`: random, so that workers and versions of a record do not all begin with the same backend.
    pub fn new(start: u64) -> Self {
        Self(Cell::new(start))
    }

    #[inline]
    pub fn next(&self) -> u64 {
        let point = self.0.get().wrapping_add(STEP);
        self.0.set(point);
        point
    }
}
