//! What a compiler takes for the output: `cargo check` of a crate that holds nothing else, ours and
//! tonic's from one schema. What they depend on is checked before, and costs nothing here.

use crate::process::median;
use crate::schema::{LOTS, Language, Size};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use stubwire_codegen::configure;

/// One generator's output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Check {
    pub(crate) generator: String,
    /// Of Rust.
    pub(crate) bytes: usize,
    /// That a method adds.
    pub(crate) bytes_per_method: f64,
    /// Medians, in milliseconds.
    pub(crate) wall_ms: f64,
    /// Of cargo and all compilers, which a busy machine changes less.
    pub(crate) cpu_ms: f64,
}

/// Who generates, with what the output needs.
struct Generator {
    name: &'static str,
    dependencies: &'static str,
    build_script: Option<&'static str>,
}

const GENERATORS: [Generator; 2] = [
    Generator {
        name: "stubwire",
        dependencies: "stubwire = { path = \"ROOT/runtime\" }\n",
        build_script: None,
    },
    // By a build script of that crate: as a dependency of this one, tonic would switch on features of
    // prost-build for everything that is measured here.
    Generator {
        name: "tonic",
        dependencies: "tonic = \"0.14\"\ntonic-prost = \"0.14\"\n\n\
                       [build-dependencies]\nprotox = { version = \"0.10\", default-features = false }\n\
                       tonic-prost-build = \"0.14\"\n",
        build_script: Some(TONIC),
    },
];

/// Descriptors by protox, so that no protoc is needed; twice, with services and without.
const TONIC: &str = r#"
fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    for folder in ["src/generated", "messages"] {
        let descriptors = protox::compile(["lots.proto"], [folder])?;
        let builder = tonic_prost_build::configure().out_dir(folder).emit_rerun_if_changed(false);
        builder.compile_fds(descriptors)?;
        std::fs::write(format!("{folder}/mod.rs"), "pub mod lots;\n")?;
    }
    Ok(())
}
"#;

/// Measures both, in turn.
pub(crate) fn checks(repeat: u32) -> io::Result<Vec<Check>> {
    let folder = tempfile::tempdir()?;
    let mut crates = Vec::new();
    for generator in &GENERATORS {
        eprintln!("what the output of {} needs", generator.name);
        crates.push(Crate::new(generator, folder.path())?);
    }
    let mut times = vec![Vec::new(); crates.len()];
    for _ in 0..repeat {
        for (one, times) in crates.iter().zip(&mut times) {
            times.push(one.check()?);
        }
    }
    let checks = crates.iter().zip(times);
    Ok(checks.map(|(one, times)| one.result(times)).collect())
}

/// A crate with generated code in it, ready to be checked.
struct Crate {
    name: &'static str,
    folder: PathBuf,
    bytes: usize,
    bytes_of_messages: usize,
}

impl Crate {
    fn new(generator: &Generator, folder: &Path) -> io::Result<Self> {
        let folder = folder.join(generator.name);
        let (generated, bare) = (folder.join("src/generated"), folder.join("messages"));
        schema(&LOTS, &generated)?;
        schema(&LOTS.without_services(), &bare)?;
        match generator.build_script {
            Some(script) => fs::write(folder.join("build.rs"), script)?,
            None => [&generated, &bare].into_iter().try_for_each(|folder| stubwire(folder))?,
        }
        let root = root();
        fs::write(folder.join("Cargo.toml"), manifest(generator, &root))?;
        // The versions that we are built with, as far as they are the same crates.
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        let mut ready = Self { name: generator.name, folder, bytes: 0, bytes_of_messages: 0 };
        // Without the output, so that all else is done.
        fs::write(ready.library(), "")?;
        ready.cargo()?;
        (ready.bytes, ready.bytes_of_messages) = (bytes_in(&generated)?, bytes_in(&bare)?);
        Ok(ready)
    }

    fn library(&self) -> PathBuf {
        self.folder.join("src/lib.rs")
    }

    /// Wall clock and CPU time in milliseconds.
    fn check(&self) -> io::Result<(f64, f64)> {
        // Written anew, or cargo would know the answer.
        fs::write(self.library(), "pub mod generated;\n")?;
        let (start, cpu) = (Instant::now(), cpu_of_children()?);
        self.cargo()?;
        Ok((start.elapsed().as_secs_f64() * 1e3, cpu_of_children()? - cpu))
    }

    fn cargo(&self) -> io::Result<()> {
        let status = Command::new("cargo")
            .args(["check", "--quiet", "--jobs", "2"])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            // Every check is whole, as the first one of a user is.
            .env("CARGO_INCREMENTAL", "0")
            .env_remove("RUSTFLAGS")
            .status()?;
        match status.success() {
            true => Ok(()),
            false => Err(io::Error::other(format!("the output of {} does not check", self.name))),
        }
    }

    fn result(&self, times: Vec<(f64, f64)>) -> Check {
        let (walls, cpus): (Vec<_>, Vec<_>) = times.into_iter().unzip();
        let services = self.bytes.saturating_sub(self.bytes_of_messages);
        Check {
            generator: self.name.to_owned(),
            bytes: self.bytes,
            bytes_per_method: services as f64 / LOTS.all_methods() as f64,
            wall_ms: median(walls),
            cpu_ms: median(cpus),
        }
    }
}

fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).unwrap_or(manifest).to_owned()
}

fn manifest(generator: &Generator, root: &Path) -> String {
    let dependencies = generator.dependencies.replace("ROOT", &root.display().to_string());
    format!(
        "[package]\nname = \"checked\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nprost = \"0.14\"\n{dependencies}"
    )
}

fn schema(size: &Size, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join(Language::Proto.file()), Language::Proto.schema(size))
}

fn stubwire(folder: &Path) -> io::Result<()> {
    let inputs = [folder.join(Language::Proto.file())];
    let builder = configure().out_dir(folder).emit_rerun_if_changed(false);
    builder.compile(&inputs, &[folder]).map_err(|error| io::Error::other(error.to_string()))
}

fn bytes_in(folder: &Path) -> io::Result<usize> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            bytes += fs::read(path)?.len();
        }
    }
    Ok(bytes)
}

/// CPU time in milliseconds of all processes that ended below this one, by the kernel's ticks.
fn cpu_of_children() -> io::Result<f64> {
    let ticks = ticks_of_children(&fs::read_to_string("/proc/self/stat")?)
        .ok_or_else(|| io::Error::other("the kernel does not say how long children ran"))?;
    Ok(ticks as f64 * 1e3 / rustix::param::clock_ticks_per_second() as f64)
}

/// `cutime` and `cstime`: the 16th and the 17th field, counted behind the name, which may hold spaces
/// and parentheses.
fn ticks_of_children(stat: &str) -> Option<u64> {
    let (_, behind) = stat.rsplit_once(')')?;
    let mut fields = behind.split_whitespace().skip(13);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_children_is_read_from_the_kernels_words() {
        let stat = "12 (a ) b) S 1 2 3 4 5 6 7 8 9 10 11 12 130 14 20 0 1 0";
        assert_eq!(ticks_of_children(stat), Some(144));
        assert_eq!(ticks_of_children("12 (a) S 1 2"), None);
        assert_eq!(ticks_of_children(""), None);
        assert!(cpu_of_children().is_ok());
    }

    #[test]
    fn ours_is_a_module_tree() {
        let folder = tempfile::tempdir().expect("a folder");
        let size = Size { messages: 2, services: 1, methods: 2 };
        schema(&size, folder.path()).expect("a schema");
        stubwire(folder.path()).expect("generated");
        let tree = fs::read_to_string(folder.path().join("mod.rs")).expect("a tree");
        let rust =
            fs::read_to_string(folder.path().join("lots.rs")).expect("messages and services");
        assert!(rust.contains("pub struct Message1") && rust.contains("Service0Client"));
        assert_eq!(bytes_in(folder.path()).expect("bytes"), tree.len() + rust.len());
    }
}
