//! Numbers of a route that are in force instead of its policy's own.

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

    /// Nothing to put in force.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
