//! The few safe wrappers over nginx that both modules need
