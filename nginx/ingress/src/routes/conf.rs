//! What the module keeps of the configuration: for all requests, and per location.

use std::ptr::NonNull;

use wick_native::module::ModuleIndex;

use super::backend_tls::Means;
use super::overrides::Patches;
use super::table::RouteTable;
use super::variables::Variables;
use super::variables::route::RouteVariables;
use super::worker::Worker;
use crate::zone::ZoneUses;

pub static MODULE: ModuleIndex = ModuleIndex::unset();

/// One configuration's routes; dropped with it.
#[derive(Default)]
pub struct MainConf {
    /// One per `ingress_route`; they live in the configuration's pool.
    pub tables: Vec<NonNull<RouteTable>>,
    pub zones: ZoneUses,
    pub variables: Variables,
    pub route_variables: RouteVariables,
    /// `ingress_route_max_overrides`; `None`: the default.
    pub max_overrides: Option<usize>,
    /// `ingress_backend_tls`; `None`: it does not stand there.
    pub backend_tls: Option<Means>,
    pub patches: Patches,
    pub worker: Worker,
}

/// What the module keeps per location.
#[derive(Default)]
pub struct LocConf {
    /// Set where `ingress_route` stands.
    pub table: Option<NonNull<RouteTable>>,
    /// Of a named location: where its server block's routes are.
    pub routes: Option<NonNull<RouteTable>>,
    /// Of the named location that errors come through on their way to those of routes (`ingress_route_page`).
    pub enters_page: bool,
}
