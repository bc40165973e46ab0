//! Fuzzer of the target `analysis`: cargo +nightly fuzz run analysis

#![no_main]
#![allow(dead_code)]

#[path = "../../tests/common/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::analysis(data));
