//! Fuzzer of the target `polyglot`: cargo +nightly fuzz run polyglot

#![no_main]
#![allow(dead_code)]

#[path = "../../tests/common/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::polyglot(data));
