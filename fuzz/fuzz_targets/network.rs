//! Fuzzer of the target `network`: cargo +nightly fuzz run network

#![no_main]
#![allow(dead_code)]

#[path = "../../tests/common/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::network_file(data));
