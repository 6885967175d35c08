//! What policies and wick have agreed on (docs/abi.md, Policies).

/// Version of the ABI that this crate has; what a policy exports as `wick_abi_version` is at most this.
pub use wick_abi::table::POLICY_VERSION as ABI_VERSION;
/// What a policy needs: the bits of `wick_policy_needs`.
pub use wick_abi::table::needs;
