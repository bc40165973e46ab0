//! Fuzzer of the target `records`: cargo +nightly fuzz run records

#![no_main]
#![allow(dead_code)]

#[path = "../../tests/common/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::records(data));
