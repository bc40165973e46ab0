//! Fuzzer of the target `annotation`: cargo +nightly fuzz run annotation

#![no_main]
#![allow(dead_code)]

#[path = "../../tests/common/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::annotation(data));
