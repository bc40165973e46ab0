//! Fuzzer of the target `archive`: cargo +nightly fuzz run archive

#![no_main]
#![allow(dead_code)]

#[path = "../../tests/common/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::archive(data));
