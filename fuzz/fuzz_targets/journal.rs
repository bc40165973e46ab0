//! Fuzzer of the target `journal`: cargo +nightly fuzz run journal

#![no_main]
#![allow(dead_code)]

#[path = "../../tests/common/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::journal(data));
