//! Numbers of a route that are in force instead of its location's own.

#[rustfmt::skip]
mod fields;
mod values;

pub use fields::Overrides;
pub use values::NextUpstream;

impl Overrides {
    /// Those that hold for questions to the route's authentication service, too: times, and room for its headers.
    pub fn of_services(&self) -> Self {
        Self {
            proxy_connect_timeout_ms: self.proxy_connect_timeout_ms,
            proxy_send_timeout_ms: self.proxy_send_timeout_ms,
            proxy_read_timeout_ms: self.proxy_read_timeout_ms,
            proxy_buffer_size_bytes: self.proxy_buffer_size_bytes,
            proxy_buffers_number: self.proxy_buffers_number,
            proxy_busy_buffers_size_bytes: self.proxy_busy_buffers_size_bytes,
            ..Self::default()
        }
    }

    /// The codes of errors that have a page, from 400 to 599, in order; `None`: those of the location.
    pub fn error_codes(&self) -> Option<impl Iterator<Item = u16> + Clone + use<>> {
        let sets = [
            self.error_pages_400,
            self.error_pages_450,
            self.error_pages_500,
            self.error_pages_550,
        ];
        let codes = (400..600).filter(move |code| {
            let (set, bit) = ((code - 400) / 50, (code - 400) % 50);
            sets[usize::from(set)].is_some_and(|bits| bits >> bit & 1 != 0)
        });
        sets.iter().any(Option::is_some).then_some(codes)
    }

    /// Nothing to put in force.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
