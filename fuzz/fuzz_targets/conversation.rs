//! Fuzzer of the target `conversation`: cargo +nightly fuzz run conversation

#![no_main]
#![allow(dead_code)]

#[path = "../../tests/common/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::conversation(data));
