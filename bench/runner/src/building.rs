//! Builds what is measured, so that a measurement is one command.

use crate::contestant::Folders;
use crate::environment::root;
use std::io;
use std::path::Path;
use std::process::Command;

/// Builds the product's program beside this one, and the peers where their workspace is there.
///
/// Peers that cannot be built are missing in the record, as those are that were never there.
///
/// # Errors
/// A product that cannot be built.
pub fn build(folders: &Folders, with_peers: bool) -> io::Result<()> {
    let root = root();
    let mut product = cargo(&root);
    product.args(["build", "--quiet", "-p", "benchmark"]);
    // Cargo names the folder of a profile after it, but for `dev`.
    if let Some(target) = profile_of(&folders.product) {
        product.args(target);
    }
    run(product, "the product")?;
    let peers = root.join("bench/peers/Cargo.toml");
    if with_peers && peers.is_file() {
        let mut command = cargo(&root);
        command.args(["build", "--quiet", "--release", "--manifest-path"]).arg(peers);
        // Where contestants are looked for, wherever this workspace is built to.
        command.env_remove("CARGO_TARGET_DIR");
        if let Err(error) = run(command, "the peers") {
            eprintln!("{error}");
        }
    }
    Ok(())
}

fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.current_dir(root);
    command
}

fn run(mut command: Command, what: &str) -> io::Result<()> {
    let status = command.status()?;
    match status.success() {
        true => Ok(()),
        false => Err(io::Error::other(format!("cannot build {what}: cargo ended with {status}"))),
    }
}

/// The options that make cargo build into this folder.
fn profile_of(folder: &Path) -> Option<[String; 4]> {
    let profile = match folder.file_name()?.to_str()? {
        "debug" => "dev",
        profile => profile,
    };
    let target = folder.parent()?.to_str()?;
    Some(["--profile", profile, "--target-dir", target].map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_is_read_off_the_folder() {
        let of = |folder: &str| profile_of(Path::new(folder)).unwrap().join(" ");
        assert_eq!(of("/a/target/debug"), "--profile dev --target-dir /a/target");
        assert_eq!(of("/a/target/release"), "--profile release --target-dir /a/target");
    }
}
