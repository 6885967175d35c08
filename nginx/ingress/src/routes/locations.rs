//! The named locations of one server block, by name.

use std::collections::HashMap;
use std::ptr::NonNull;

use ngx::ffi::{
    ngx_http_conf_ctx_t, ngx_http_core_loc_conf_t, ngx_http_core_module, ngx_http_core_srv_conf_t,
};
use wick_native::bits;
use wick_native::conf::Conf;
use wick_native::text::bytes;

/// A named location: the core module's configuration of a named location.
pub type Location = NonNull<ngx_http_core_loc_conf_t>;

/// The location and the server block in which a directive stands.
#[derive(Clone, Copy)]
pub struct Place {
    location: Location,
    server: NonNull<ngx_http_core_srv_conf_t>,
}

impl Place {
    /// # Safety
    /// The parser is inside a location.
    pub unsafe fn of(conf: Conf) -> Place {
        // SAFETY: ctx then has the configurations of main, server and location; the core module has all three.
        unsafe {
            let core = ngx_http_core_module.ctx_index;
            let ctx = (*conf.as_ptr()).ctx.cast::<ngx_http_conf_ctx_t>();
            let location = (*(*ctx).loc_conf.add(core)).cast();
            let server = conf.http_srv(core);
            Place {
                location: NonNull::new_unchecked(location),
                server: NonNull::new_unchecked(server),
            }
        }
    }

    /// The same in the first server block that is called `name`. `None`: none is.
    pub fn in_server(self, conf: Conf, name: &[u8]) -> Option<Place> {
        // SAFETY: the parser is inside `http`, and names live as long as the configuration.
        let server = unsafe {
            conf.http_servers().find(|server| bytes(server.as_ref().server_name) == name)
        };
        server.map(|server| Place { server, ..self })
    }

    pub fn is_named(self) -> bool {
        // SAFETY: a live configuration.
        unsafe { bits::ngx_http_core_loc_conf_s::NAMED.is_set(self.location.as_ptr()) }
    }

    /// The location has a `limit_except`, which would lead requests past `ingress_route`.
    pub fn limits_methods(self) -> bool {
        // SAFETY: a live configuration.
        unsafe { self.location.as_ref() }.limit_except != 0
    }
}

/// Names without `@` → named locations.
#[derive(Default)]
pub struct Locations {
    by_name: HashMap<Box<[u8]>, Location>,
    /// Takes the place of all.
    only: Option<Location>,
}

impl Locations {
    /// Finds the named locations of the server block around `place`. They are known once the
    /// whole `http` block was read.
    ///
    /// Per server, because nginx's own search by name would find the first server's location of that name.
    pub fn of(place: Place) -> Locations {
        let by_name = named_locations(place).map(|location| (name(location), location)).collect();
        Locations { by_name, only: None }
    }

    /// From now on every name means this one. `None`: there is none.
    pub fn lead_to(&mut self, name: &[u8]) -> Option<()> {
        self.only = Some(self.get(name)?);
        Some(())
    }

    pub fn get(&self, name: &[u8]) -> Option<Location> {
        self.only.or_else(|| self.by_name.get(name).copied())
    }

    /// Where a service is asked, which `only` does not take the place of.
    pub fn service(&self, name: &[u8]) -> Option<Location> {
        self.by_name.get(name).copied()
    }
}

/// Those of the server block around `place`, once the whole `http` block was read.
pub fn named_locations(place: Place) -> impl Iterator<Item = Location> {
    // SAFETY: an array of pointers that ends with null, or null when there are none.
    unsafe {
        let first = place.server.as_ref().named_locations;
        (0..).map_while(move |i| {
            NonNull::new(if first.is_null() { first.cast() } else { *first.add(i) })
        })
    }
}

fn name(location: Location) -> Box<[u8]> {
    // SAFETY: the name lives as long as the configuration.
    let name = unsafe { bytes(location.as_ref().name) };
    name.strip_prefix(b"@").unwrap_or(name).into()
}
