//! The module's place among nginx's, and its configuration.

use std::cell::RefCell;

use wick_native::module::ModuleIndex;

use super::location::Copies;
use super::protocols::Protocols;
use super::writing::Writing;

pub static MODULE: ModuleIndex = ModuleIndex::unset();

#[derive(Default)]
pub struct MainConf {
    pub protocols: Protocols,
    pub copies: Copies,
    pub writing: RefCell<Writing>,
}
