//! The parts that the training programs share, besides their models: arguments, the engine that computes
//! the steps, the progress bar, the loss curve, and how they are stopped.

mod curve;
#[path = "../data/mod.rs"]
mod data_folder;
mod engine;

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use lexopt::Arg;
use tensor_core::{Tensor, shape};
use tensor_nn::Module;

use data_folder::repository;

pub use engine::engine;

/// The mean loss of a batch.
pub type Loss = Tensor<shape![]>;

/// The engine of the steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EngineName {
    /// The kernels of `tensor-core`, operation by operation.
    Kernels,
    /// XLA, which compiles a whole step.
    Xla,
}

/// The command-line options.
pub struct Options {
    /// The file of data, if not the one that comes with the example.
    pub data: Option<PathBuf>,
    /// The checkpoint to resume from.
    pub load: Option<PathBuf>,
    /// Where the checkpoint goes at the end, also if Enter ends the training.
    pub save: PathBuf,
    /// Where pictures go.
    pub folder: PathBuf,
    /// The step at which training ends, counted from the very first.
    pub steps: usize,
    pub engine: EngineName,
    /// Set by Enter.
    pub stop: Arc<AtomicBool>,
}

impl Options {
    /// The default.
    pub fn new(example: &str, steps: usize) -> Self {
        let folder = repository().join("target").join(example);
        Self {
            data: None,
            load: None,
            save: folder.join("checkpoint.safetensors"),
            folder,
            steps,
            engine: EngineName::Kernels,
            stop: Arc::default(),
        }
    }

    /// With what these arguments say; `None` if they ask for help.
    pub fn parse<A: Into<OsString>>(
        mut self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Option<Self>, lexopt::Error> {
        let mut parser = lexopt::Parser::from_args(arguments.into_iter().map(Into::into));
        let mut save = None;
        while let Some(argument) = parser.next()? {
            match argument {
                Arg::Long("help") | Arg::Short('h') => return Ok(None),
                Arg::Long("load") => self.load = Some(parser.value()?.into()),
                Arg::Long("save") => save = Some(parser.value()?.into()),
                Arg::Long("folder") => {
                    self.folder = parser.value()?.into();
                    self.save = self.folder.join("checkpoint.safetensors");
                }
                Arg::Long("steps") => {
                    let value = parser.value()?;
                    self.steps =
                        value.to_str().and_then(|steps| steps.parse().ok()).ok_or_else(|| {
                            format!(
                                "expected a number after `--steps`, found `{}`",
                                value.display()
                            )
                        })?;
                }
                Arg::Long("engine") => {
                    let value = parser.value()?;
                    self.engine = match value.to_str() {
                        Some("kernels") => EngineName::Kernels,
                        Some("xla") => EngineName::Xla,
                        _ => {
                            let found = value.display();
                            let expected = "expected `kernels` or `xla` after `--engine`";
                            return Err(format!("{expected}, found `{found}`").into());
                        }
                    };
                }
                Arg::Value(file) if self.data.is_none() => self.data = Some(file.into()),
                _ => return Err(argument.unexpected()),
            }
        }
        if let Some(save) = save {
            self.save = save;
        }
        Ok(Some(self))
    }

    /// Fills the state of a training from the checkpoint, if one is given. The error lists everything
    /// that does not fit.
    pub fn load(&self, training: &mut impl Module) -> Result<(), Box<dyn Error>> {
        match &self.load {
            Some(file) => Ok(training.load(file)?),
            None => Ok(()),
        }
    }

    /// Writes the checkpoint.
    pub fn save(&self, training: &impl Module) -> Result<(), Box<dyn Error>> {
        make_folder_of(&self.save).map_err(|error| format!("{}: {error}", self.save.display()))?;
        Ok(training.save(&self.save)?)
    }

    /// The file of a picture, in a folder that is there.
    pub fn picture(&self, name: &str) -> Result<PathBuf, String> {
        let file = self.folder.join(name);
        make_folder_of(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(file)
    }
}

fn make_folder_of(file: &Path) -> io::Result<()> {
    match file.parent() {
        Some(folder) => std::fs::create_dir_all(folder),
        None => Ok(()),
    }
}

/// The progress bar and the losses of the steps of this run.
pub struct Watch<'a> {
    options: &'a Options,
    bar: ProgressBar,
    first: usize,
    losses: Vec<f32>,
}

impl<'a> Watch<'a> {
    /// From this step on.
    pub fn new(options: &'a Options, first: usize) -> Self {
        let style = ProgressStyle::with_template(
            "training {bar:40} {pos}/{len} steps, {msg}, {eta} to go; Enter saves and leaves",
        );
        let bar = ProgressBar::new(options.steps as u64).with_position(first as u64);
        bar.set_style(style.expect("a template that parses"));
        Self { options, bar, first, losses: Vec::new() }
    }

    /// Takes note of the loss of a step. `false` if this was the last: the user wants to leave.
    pub fn goes_on(&mut self, loss: f32) -> bool {
        self.losses.push(loss);
        self.bar.set_message(format!("loss {:.4}", self.recent()));
        self.bar.inc(1);
        !self.options.stop.load(Ordering::Relaxed)
    }

    /// The mean of the last losses: that of one batch depends on the batch.
    fn recent(&self) -> f32 {
        let last = &self.losses[self.losses.len().saturating_sub(curve::WINDOW)..];
        last.iter().sum::<f32>() / last.len() as f32
    }

    /// Draws the curve, and prints a summary of the training. Returns the losses of the steps.
    pub fn finish(self, out: &mut impl Write) -> Result<Vec<f32>, Box<dyn Error>> {
        self.bar.finish_and_clear();
        let Some(first) = self.losses.first() else {
            writeln!(out, "nothing to train: step {} is reached", self.first)?;
            return Ok(self.losses);
        };
        let (done, last) = (self.first + self.losses.len(), self.recent());
        let seconds = self.bar.elapsed().as_secs_f32();
        writeln!(out, "steps {} to {done} in {seconds:.1} s", self.first + 1)?;
        writeln!(out, "training loss {first:.4} at first, {last:.4} at last")?;
        if done < self.options.steps {
            let save = self.options.save.display();
            writeln!(out, "stopped early: `--load {save}` goes on")?;
        }
        let file = self.options.picture("loss.svg")?;
        std::fs::write(&file, curve::svg(self.first, &self.losses))
            .map_err(|error| format!("{}: {error}", file.display()))?;
        writeln!(out, "loss curve: {}", file.display())?;
        Ok(self.losses)
    }
}

/// The `main` of an example: reads the arguments, listens to Enter, and runs it.
pub fn main<R>(
    example: &str,
    steps: usize,
    run: impl FnOnce(&Options, &mut io::Stdout) -> Result<R, Box<dyn Error>>,
) -> ExitCode {
    let options = match Options::new(example, steps).parse(std::env::args_os().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            let _ = writeln!(io::stdout(), "{}", usage(example, steps));
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}\n\n{}", usage(example, steps));
            return ExitCode::FAILURE;
        }
    };
    if io::stdin().is_terminal() {
        let stop = options.stop.clone();
        std::thread::spawn(move || {
            let read = io::stdin().read_line(&mut String::new());
            stop.store(read.is_ok(), Ordering::Relaxed);
        });
    }
    match run(&options, &mut io::stdout()) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            // A full disk, or a pipe that `head` has closed; `eprintln!` would panic on another one.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage(example: &str, steps: usize) -> String {
    format!(
        "\
cargo run --release -p {example} -- [OPTIONS] [DATA]

    --load FILE      go on from a checkpoint
    --save FILE      write the checkpoint there, not to the folder
    --folder FOLDER  write there, not to target/{example}
    --steps N        end after step N, not after step {steps}
    --engine NAME    what computes the steps: kernels, or xla, which needs a plugin
    DATA             other data than those of the example"
    )
}
