//! How often properties are tried.

/// `usual` times, with WICK_TEST_ALL=1 ten times as often, and hardly ever under Miri.
pub fn tries(usual: u32) -> u32 {
    let all = std::env::var("WICK_TEST_ALL").is_ok_and(|value| value == "1");
    match (cfg!(miri), all) {
        (true, _) => 5,
        (false, true) => 10 * usual,
        (false, false) => usual,
    }
}
