//! The module's place among nginx's, and its configuration.

use std::cell::RefCell;

use wick_native::module::ModuleIndex;

use super::content::Writing;
use super::location::Copies;
use super::protocols::Protocols;
use crate::limited_log::LimitedLog;
use crate::matching::Matching;

pub static MODULE: ModuleIndex = ModuleIndex::unset();

#[derive(Default)]
pub struct MainConf {
    pub protocols: Protocols,
    pub copies: Copies,
    pub matching: Matching,
    /// Of patterns.
    pub complaints: LimitedLog,
    pub writing: RefCell<Writing>,
}
