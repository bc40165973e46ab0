//! Fuzzer of the target `pgn`: cargo +nightly fuzz run pgn

#![no_main]
#![allow(dead_code)]

#[path = "../../tests/common/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::pgn(data));
