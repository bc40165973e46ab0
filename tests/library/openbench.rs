//! The engine files for OpenBench: the keys that its server demands, and options that the engine has.

use std::path::Path;

use engine::settings::Settings;
use serde_json::Value;

/// The engine files under `openbench/`.
fn engine_files() -> [(&'static str, Value); 2] {
    ["Ajedrecista.json", "AjedrecistaTune.json"].map(|name| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openbench").join(name);
        (name, serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
    })
}

#[test]
fn engine_files_have_the_keys_that_the_server_demands() {
    for (name, file) in engine_files() {
        assert!(file["private"] == false && file["nps"].as_u64().unwrap() > 0, "{name}");
        assert!(file["source"].as_str().unwrap().starts_with("https://"), "{name}");
        for key in ["compilers", "cpuflags", "systems"] {
            assert!(file["build"][key].is_array(), "{name}: {key}");
        }
        let compiler = file["build"]["compilers"][0].as_str().unwrap();
        assert_eq!(compiler, format!("cargo>={}.0", env!("CARGO_PKG_RUST_VERSION")), "{name}");
        for group in ["test_presets", "tune_presets", "datagen_presets"] {
            let default = &file[group]["default"];
            assert!(default["win_adj"].is_string() && default["draw_adj"].is_string(), "{group}");
        }
        for key in ["base_branch", "book_name", "test_bounds", "test_confidence"] {
            assert!(file["test_presets"]["default"][key].is_string(), "{name}: {key}");
        }
    }
}

#[test]
fn every_build_path_has_a_makefile() {
    for (name, file) in engine_files() {
        let path = file["build"]["path"].as_str().unwrap();
        let makefile = Path::new(env!("CARGO_MANIFEST_DIR")).join(path).join("Makefile");
        assert!(makefile.is_file(), "{name}: {}", makefile.display());
    }
}

/// Link-time optimisation compiles the search at the level of the last crate, and at cargo's own one it has no vectors and
/// makes 0.6 of the nodes.
#[test]
fn link_time_optimisation_has_the_level_of_the_search() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Makefile");
    let makefile = std::fs::read_to_string(path).unwrap().replace("\\\n", " ");
    let builds: Vec<&str> = makefile.lines().filter(|line| line.contains(".lto=")).collect();
    assert!(!builds.is_empty());
    for build in builds {
        assert!(build.contains("--config profile.release.opt-level=3"), "{build}");
    }
}

#[test]
fn presets_name_options_with_values_that_the_engine_takes() {
    for (name, file) in engine_files() {
        for group in ["test_presets", "tune_presets", "datagen_presets"] {
            for (preset, value) in file[group].as_object().unwrap() {
                let options = value["both_options"].as_str().unwrap_or_default();
                for option in options.split_whitespace() {
                    let (key, value) = option.split_once('=').unwrap();
                    let taken = Settings::default().set(key, value);
                    assert!(taken.is_ok(), "{name}, {preset}: {option}");
                }
            }
        }
    }
}
