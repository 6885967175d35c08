//! The module's place among nginx's, and its configuration.

use wick_native::module::ModuleIndex;

use super::location::Copies;
use super::protocols::Protocols;

pub static MODULE: ModuleIndex = ModuleIndex::unset();

#[derive(Default)]
pub struct MainConf {
    pub protocols: Protocols,
    pub copies: Copies,
}
