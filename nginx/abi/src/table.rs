// Printed by `npm run wire` from wire/: change it there.

/// Bytes of the attempt record that this host knows of a filter's, and of a policy's.
pub const FILTER_BYTES: usize = 392;
pub const POLICY_BYTES: usize = 4228;
/// Tags of earlier attempts that fit.
pub const MAX_TAGS: usize = 16;
/// No tag, and no key.
pub const NONE: u32 = u32::MAX;
/// Version of what this host adds to Proxy-Wasm.
pub const HOST_VERSION: u32 = 1;
/// Version of the ABI of policies.
pub const POLICY_VERSION: u32 = 1;

/// Where the fields of the attempt record begin.
pub mod at {
    pub const SIZE: usize = 0;
    pub const ATTEMPT: usize = 4;
    pub const TAG: usize = 8;
    pub const TRIED: usize = 12;
    pub const TAGS: usize = 16;
    pub const WANTS: usize = 80;
    pub const OUTCOME: usize = 84;
    pub const STATUS: usize = 88;
    pub const VERSION: usize = 92;
    pub const NOTE: usize = 96;
    pub const NOW: usize = 104;
    pub const CONNECT_TIME: usize = 112;
    pub const FIRST_BYTE_TIME: usize = 120;
    pub const KEY_LENGTH: usize = 128;
    pub const KEY: usize = 132;
}

/// Bits of `wants`: what a filter wants to hear of an attempt.
pub mod wants {
    pub const INFO: u32 = 1;
    pub const TIMES: u32 = 2;
}

/// Bits that a policy finds in the place of the outcome, in select.
pub mod flags {
    pub const AVOIDS: u32 = 1;
}

/// What became of an attempt.
pub mod outcomes {
    pub const ANSWERED: u32 = 0;
    pub const NOT_CONNECTED: u32 = 1;
    pub const NO_HEAD: u32 = 2;
    pub const FAILED_STATUS: u32 = 3;
    pub const INCONCLUSIVE: u32 = 4;
}

/// Bits of `wick_policy_needs`.
pub mod needs {
    pub const RUNNING: u32 = 1;
    pub const TIMES: u32 = 2;
    pub const INFO: u32 = 4;
    pub const OWN: u32 = 8;
    pub const ZONES: u32 = 16;
    pub const ALL: u32 = 31;
}

/// Kinds of `wick_get_numbers`; 0 to 3 are the policy's own.
pub mod numbers {
    pub const RUNNING: u32 = 4;
    pub const LATENCY: u32 = 5;
}

/// Names of foreign functions.
pub mod foreign {
    pub const SET_CALLBACKS: &[u8] = b"wick_set_callbacks";
    pub const SET_SHARED_DATA_MANY: &[u8] = b"wick_set_shared_data_many";
    pub const SHARED_DATA_VERSION: &[u8] = b"wick_shared_data_version";
    pub const LIST_SHARED_DATA: &[u8] = b"wick_list_shared_data";
    pub const EXPAND: &[u8] = b"wick_expand";
    pub const GET_COOKIE: &[u8] = b"wick_get_cookie";
    pub const SET_COOKIE: &[u8] = b"wick_set_cookie";
    pub const MATCH: &[u8] = b"wick_match";
    pub const CHECK_PATTERN: &[u8] = b"wick_check_pattern";
    pub const OPEN_SLOTS: &[u8] = b"wick_open_slots";
    pub const FIND_SLOTS: &[u8] = b"wick_find_slots";
    pub const GET_SLOTS: &[u8] = b"wick_get_slots";
    pub const ADD_SLOT: &[u8] = b"wick_add_slot";
    pub const SWAP_SLOT: &[u8] = b"wick_swap_slot";
    pub const SET_POLICY: &[u8] = b"wick_set_policy";
    pub const DROP_POLICY: &[u8] = b"wick_drop_policy";
    pub const PICK: &[u8] = b"wick_pick";
    pub const REPORT: &[u8] = b"wick_report";
    pub const GET_ENDPOINTS: &[u8] = b"wick_get_endpoints";
    pub const GET_ENDPOINT_ADDRESS: &[u8] = b"wick_get_endpoint_address";
    pub const GET_AVOIDED: &[u8] = b"wick_get_avoided";
    pub const GET_NUMBERS: &[u8] = b"wick_get_numbers";
    pub const ADD_NUMBER: &[u8] = b"wick_add_number";
    pub const SWAP_NUMBER: &[u8] = b"wick_swap_number";
    pub const CHOOSE_ENDPOINT: &[u8] = b"wick_choose_endpoint";
    pub const GET_ATTEMPT: &[u8] = b"wick_get_attempt";
}
