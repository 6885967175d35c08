//! What policies and wick have agreed on (docs/abi.md, Policies).

/// Version of the ABI that this crate has; what a policy exports as `wick_abi_version` is at most this.
pub const ABI_VERSION: u32 = 1;

/// What a policy needs: the bits of `wick_policy_needs`.
pub mod needs {
    /// Attempts that run are counted over all workers.
    pub const RUNNING: u32 = 1;
    /// Attempts are measured, and their moving average is kept.
    pub const TIMES: u32 = 2;
    /// The policy is told how each attempt ended.
    pub const INFO: u32 = 4;
    /// Four shared numbers of its own per endpoint.
    pub const OWN: u32 = 8;
    /// The zones of endpoints.
    pub const ZONES: u32 = 16;
    pub const ALL: u32 = 31;
}
