//! Wrappers of rustc that the user has set, looked up in the same order as in cargo.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use toml::Table;

/// The kind of wrapper: `rustc-wrapper` for all packages, or `rustc-workspace-wrapper` for the workspace's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapper {
    /// `build.rustc-wrapper`
    All,
    /// `build.rustc-workspace-wrapper`
    Workspace,
}

impl Wrapper {
    /// Its key in a configuration file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "rustc-wrapper",
            Self::Workspace => "rustc-workspace-wrapper",
        }
    }

    /// Its environment variable.
    pub const fn variable(self) -> &'static str {
        match self {
            Self::All => "RUSTC_WRAPPER",
            Self::Workspace => "RUSTC_WORKSPACE_WRAPPER",
        }
    }

    /// The wrapper in the environment variable; if that is empty, there is none, whatever the files contain.
    pub fn in_environment(self) -> Option<OsString> {
        let variable = self.variable();
        env::var_os(variable).or_else(|| env::var_os(format!("CARGO_BUILD_{variable}")))
    }

    /// The wrapper in the configuration files of a folder and its parents, and in that of `CARGO_HOME`.
    pub fn in_files(self, folder: &Path) -> Option<OsString> {
        let home = env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
        let folders = folder.ancestors().map(|folder| folder.join(".cargo")).chain(home);
        let files = folders.flat_map(|folder| [folder.join("config"), folder.join("config.toml")]);
        files.into_iter().find_map(|file| self.in_file(&file))
    }

    fn in_file(self, file: &Path) -> Option<OsString> {
        let text = fs::read_to_string(file).ok()?;
        let value = self.in_text(&text)?;
        // A path is relative to the folder that has `.cargo`; a name without folders is looked up in `PATH`.
        let is_path = value.contains(['/', std::path::MAIN_SEPARATOR]);
        let base = file.parent().and_then(Path::parent).filter(|_| is_path);
        Some(base.map_or_else(|| value.clone().into(), |base| base.join(&value).into()))
    }

    /// The wrapper in the text of a configuration, `build.rustc-wrapper = "sccache"`.
    pub fn in_text(self, text: &str) -> Option<String> {
        let table: Table = text.parse().ok()?;
        Some(table.get("build")?.get(self.name())?.as_str()?.to_owned())
    }

    /// Removes a wrapper that is set by `--config` from the arguments of cargo, and returns it.
    pub fn take_from(self, arguments: &mut Vec<OsString>) -> Option<OsString> {
        let end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
        let text = |argument: &OsStr| argument.to_str().map(str::to_owned).unwrap_or_default();
        for at in (0..end).rev() {
            let argument = text(&arguments[at]);
            let is_behind = at > 0 && arguments[at - 1] == "--config";
            let value = argument.strip_prefix("--config=").or(is_behind.then_some(&argument[..]));
            let Some(wrapper) = value.and_then(|value| self.in_text(value)) else { continue };
            arguments.drain(at - usize::from(is_behind)..=at);
            return Some(wrapper.into());
        }
        None
    }
}

#[test]
fn a_wrapper_is_taken_out_of_the_arguments() {
    let of = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
    for given in [
        "check --config build.rustc-wrapper=\"a\" -q",
        "check --config=build.rustc-wrapper=\"a\" -q",
    ] {
        let mut arguments = of(given);
        assert_eq!(Wrapper::Workspace.take_from(&mut arguments), None);
        assert_eq!(Wrapper::All.take_from(&mut arguments), Some("a".into()));
        assert_eq!(arguments, of("check -q"));
    }
    let mut arguments = of("run --config net.offline=true -- --config build.rustc-wrapper=\"a\"");
    assert_eq!(Wrapper::All.take_from(&mut arguments), None);
}
