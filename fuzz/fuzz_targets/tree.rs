//! Fuzzer of the target `tree`: cargo +nightly fuzz run tree

#![no_main]
#![allow(dead_code)]

#[path = "../../tests/common/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::tree(data));
