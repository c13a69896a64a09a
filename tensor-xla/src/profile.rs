//! What the profiler of a plugin records: a file for TensorBoard, and the time of each operation.

use core::fmt;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, TryLockError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tensor_array::io::new_file;

use crate::engine::Engine;
use crate::error::{Code, Error};
use crate::pjrt::Plugin;
use crate::protobuf::{FieldValue, at, fields, readable};

/// What a plugin and its devices did while a function ran: a file for TensorBoard, and the time of each operation, which
/// is displayed as a table. [`Engine::profile`] records it.
#[derive(Clone, Debug)]
pub struct Profile {
    path: PathBuf,
    operations: Vec<OperationTime>,
}

/// The time that an operation of a compiled program took: see [`Profile::operations`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperationTime {
    /// The name of the operation after the passes of the compiler, such as `fusion.3`.
    pub operation: String,
    /// The name of the compiled program.
    pub program: String,
    /// How many times it ran. An operation of several kernels counts each.
    pub runs: u64,
    /// The sum of the times of all runs. That of an operation with others in it, such as a loop, has theirs, too.
    pub time: Duration,
}

impl Engine {
    /// Calls a function, and records what the plugin and its devices do meanwhile, as `jax.profiler.trace`.
    ///
    /// The trace is written to `FOLDER/plugins/profile/TIME/HOST.xplane.pb`, where TensorBoard looks for it:
    /// `pip install tensorboard tensorboard-plugin-profile`, `tensorboard --logdir FOLDER`. Call the programs once before, so that
    /// compiling them is no part of it. What has not finished when the function returns is cut off: a
    /// [`Compiled`](crate::Compiled) or [`Step`](crate::Step) waits for its results.
    ///
    /// Recording costs time, so the sum is more than that of a run without it. A process records one trace at a time.
    ///
    /// # Errors
    ///
    /// [`Error::Plugin`] if the plugin has no profiler, as those for CPUs have none, or another trace is being recorded;
    /// [`Error::Saved`] if the folder cannot be made: the function was not called then. [`Error::Plugin`] or [`Error::Saved`]
    /// if the profiler fails, or the file cannot be written, after the call.
    ///
    /// ```no_run
    /// use tensor_core::{Tensor, shape, tensor, trace::trace};
    /// use tensor_xla::Engine;
    ///
    /// let engine = Engine::find()?;
    /// let x = Tensor::<shape![512, 512]>::ones();
    /// let program = engine.compile_program(trace(&x, |x| x.dot(x).softmax::<-1>()))?;
    /// program.call(&x)?;
    /// let (result, profile) = engine.profile("profiles", || program.call(&x))?;
    /// println!("{profile}");
    /// # result?;
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn profile<R>(
        &self,
        folder: impl AsRef<Path>,
        function: impl FnOnce() -> R,
    ) -> Result<(R, Profile), Error> {
        profile(self.client().plugin(), folder.as_ref(), function)
    }
}

impl Profile {
    /// The file with the trace, a message `XSpace` of XLA.
    ///
    /// ```no_run
    /// let ((), profile) = tensor_xla::Engine::find()?.profile("profiles", || {})?;
    /// assert!(profile.path().starts_with("profiles/plugins/profile"));
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The operations of compiled programs, the one that took longest first. Empty if the trace of the plugin names none.
    ///
    /// ```no_run
    /// let ((), profile) = tensor_xla::Engine::find()?.profile("profiles", || {})?;
    /// assert!(profile.operations().is_empty());
    /// # Ok::<(), tensor_xla::Error>(())
    /// ```
    pub fn operations(&self) -> &[OperationTime] {
        &self.operations
    }
}

/// A row for each operation, with its share of the time of all.
impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total: Duration = self.operations.iter().map(|row| row.time).sum();
        writeln!(f, "{:>12}  {:>6}  {:>6}  operation", "time", "share", "runs")?;
        self.operations.iter().try_for_each(|row| {
            let OperationTime { operation, program, runs, time } = row;
            let micros = format!("{:.1} µs", time.as_secs_f64() * 1e6);
            // All may be shorter than a nanosecond.
            let total = total.as_secs_f64().max(f64::MIN_POSITIVE);
            let share = format!("{:.1} %", 100.0 * time.as_secs_f64() / total);
            writeln!(f, "{micros:>12}  {share:>6}  {runs:>6}  {operation} of {program}")
        })
    }
}

/// Held while a trace is recorded: profilers of XLA record those of a process into one another.
static RECORDING: Mutex<()> = Mutex::new(());

/// [`Engine::profile`] of a plugin.
fn profile<R>(
    plugin: Plugin,
    folder: &Path,
    function: impl FnOnce() -> R,
) -> Result<(R, Profile), Error> {
    let _recording = match RECORDING.try_lock() {
        Ok(lock) => lock,
        Err(TryLockError::Poisoned(lock)) => lock.into_inner(),
        Err(TryLockError::WouldBlock) => {
            let message = "another trace of this process is being recorded";
            return Err(Error::plugin("Profiler_Start", Code::FailedPrecondition, message));
        }
    };
    let recording = plugin.record()?;
    let failed = |path: &Path, error: std::io::Error| Error::Saved {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    let folder = folder.join("plugins/profile").join(now());
    fs::create_dir_all(&folder).map_err(|error| failed(&folder, error))?;
    let result = function();
    let recorded = recording.finish()?;
    // Some plugins end the message with a zero, which is none of its fields.
    let space = readable(&recorded);
    let path = folder.join(format!("{}.xplane.pb", host()));
    new_file::save(&path, |file| std::io::Write::write_all(file, space))
        .map_err(|error| failed(&path, error))?;
    Ok((result, Profile { path, operations: operations(space) }))
}

/// The name of this machine.
fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "localhost".to_owned() } else { name.to_owned() }
}

/// The date and time in UTC, in the form of JAX, with milliseconds: `2026_11_30_21_49_01_250`.
fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = since.as_secs();
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!(
        "{year}_{month:02}_{day:02}_{hour:02}_{minute:02}_{second:02}_{:03}",
        since.subsec_millis()
    )
}

/// The year, month and day of the Gregorian calendar, this number of days after 1970 began.
fn date(days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut day) = (1970, days);
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        (day, month) = (day - length, month + 1);
    }
    (year, month, day + 1)
}

/// The fields of an `XSpace`, from `xplane.proto`.
const PLANES: u64 = 1;
/// Of an `XPlane`.
const LINES: u64 = 3;
const STAT_METADATA: u64 = 5;
/// Of an `XLine`.
const EVENTS: u64 = 4;

/// The times of the operations of an `XSpace`, the longest first: those of events with the statistic `hlo_op`, its name.
fn operations(space: &[u8]) -> Vec<OperationTime> {
    let mut times: HashMap<(&str, &str), (u64, u64)> = HashMap::new();
    for plane in at(space, &[PLANES]) {
        let names: HashMap<u64, &str> = at(plane, &[STAT_METADATA])
            .map(|entry| {
                let name = at(entry, &[2, 2]).next().unwrap_or_default();
                (integer(entry, 1), str::from_utf8(name).unwrap_or_default())
            })
            .collect();
        for event in at(plane, &[LINES, EVENTS]) {
            let (mut operation, mut program) = (None, "");
            for stat in at(event, &[4]) {
                let text = at(stat, &[5]).next().and_then(|text| str::from_utf8(text).ok());
                let value = text.or_else(|| names.get(&integer(stat, 7)).copied());
                match names.get(&integer(stat, 1)) {
                    Some(&"hlo_op") => operation = value,
                    Some(&"hlo_module") => program = value.unwrap_or_default(),
                    _ => {}
                }
            }
            if let Some(operation) = operation {
                let (runs, picoseconds) = times.entry((operation, program)).or_default();
                // An event may stand for several, without their beginnings.
                *runs = runs.saturating_add(integer(event, 5).max(1));
                *picoseconds = picoseconds.saturating_add(integer(event, 3));
            }
        }
    }
    let row = |((operation, program), (runs, picoseconds)): ((&str, &str), _)| OperationTime {
        operation: operation.to_owned(),
        program: program.to_owned(),
        runs,
        time: Duration::from_nanos(picoseconds / 1000),
    };
    let mut rows: Vec<_> = times.into_iter().map(row).collect();
    rows.sort_by(|one, other| {
        let key = |row: &OperationTime| (row.program.clone(), row.operation.clone());
        other.time.cmp(&one.time).then_with(|| key(one).cmp(&key(other)))
    });
    rows
}

/// The integer in a field, 0 where there is none.
fn integer(message: &[u8], number: u64) -> u64 {
    let found = fields(message).find_map(|(field, value)| match value {
        FieldValue::Integer(value) if field == number => Some(value),
        _ => None,
    });
    found.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pjrt::fake::{self, Behaviour};

    /// The size of the table of a profiler in C.
    const TABLE: usize = 10 * size_of::<usize>();

    /// A field with bytes.
    fn field(number: u8, value: &[u8]) -> Vec<u8> {
        [&[number << 3 | 2, value.len() as u8], value].concat()
    }

    /// A field with an integer below 128.
    fn number(number: u8, value: u8) -> Vec<u8> {
        vec![number << 3, value]
    }

    /// A plane whose events are of the operations `dot.1`, by a reference to a name, twice, and `tanh`, and of none.
    fn space() -> Vec<u8> {
        let names = ["", "hlo_op", "hlo_module", "step", "dot.1"];
        let names = names.iter().zip(0..).map(|(name, id)| {
            field(
                5,
                &[number(1, id), field(2, &[number(1, id), field(2, name.as_bytes())].concat())]
                    .concat(),
            )
        });
        let event = |picoseconds: &[u8], rest: &[u8], stats: &[Vec<u8>]| {
            let stats = stats.iter().flat_map(|stat| field(4, stat));
            field(4, &[&[0x18], picoseconds, rest, &stats.collect::<Vec<u8>>()].concat())
        };
        let program = [number(1, 2), number(7, 3)].concat();
        let dot = [number(1, 1), number(7, 4)].concat();
        let tanh = [number(1, 1), field(5, b"tanh")].concat();
        let line = [
            // 16,384 and 32,768 ps; 5,000 ps of three runs.
            event(&[0x80, 0x80, 1], &[], &[dot.clone(), program.clone()]),
            event(&[0x80, 0x80, 2], &[], &[program.clone(), dot]),
            event(&[0x88, 0x27], &number(5, 3), &[tanh, program]),
            event(&[0x88, 0x27], &[], &[]),
        ];
        let plane = names.flatten().chain(field(3, &line.concat())).collect::<Vec<u8>>();
        // Its length takes two bytes.
        let length = [plane.len() as u8 | 0x80, (plane.len() >> 7) as u8];
        [&[0x0a][..], &length, &plane, &field(4, b"host")].concat()
    }

    fn behaviour(fails: &'static str, writes: bool) -> Behaviour {
        // The zero after the fields that plugins write.
        let bytes = [space(), vec![0]].concat();
        Behaviour { calls: Mutex::default(), bytes, writes, fails }
    }

    fn folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("tensor-xla-{name}-{}", std::process::id()))
    }

    /// One test, because a process records one trace at a time.
    #[test]
    fn what_a_profiler_records_is_written() {
        let folder = folder("profile");
        for writes in [false, true] {
            let (plugin, behaviour) = fake::plugin(TABLE, behaviour("", writes));
            let (inner, profile) = profile(plugin, &folder, || {
                profile(plugin, &folder, || ()).expect_err("a trace within another").to_string()
            })
            .unwrap();
            assert!(inner.contains("another trace of this process"), "{inner}");
            let mut expected = vec!["create", "start", "stop", "collect", "collect", "destroy"];
            if !writes {
                expected.remove(3);
            }
            assert_eq!(*behaviour.calls.lock().unwrap(), expected);
            assert_eq!(fs::read(profile.path()).unwrap(), space());
            assert!(profile.path().starts_with(folder.join("plugins/profile")));
            let rows: Vec<_> = profile.operations().iter().map(|row| &row.operation[..]).collect();
            assert_eq!(rows, ["dot.1", "tanh"]);
            assert_eq!(
                profile.to_string(),
                "        time   share    runs  operation\n      \
                 0.0 µs  90.7 %       2  dot.1 of step\n      \
                 0.0 µs   9.3 %       3  tanh of step\n"
            );
        }
        // What was started is stopped and destroyed, whatever fails.
        for (fails, calls) in [
            ("create", &["create"][..]),
            ("start", &["create", "start", "destroy"]),
            ("stop", &["create", "start", "stop", "destroy"]),
            ("collect", &["create", "start", "stop", "collect", "destroy"]),
        ] {
            let (plugin, behaviour) = fake::plugin(TABLE, behaviour(fails, false));
            let error = profile(plugin, &folder, || ()).unwrap_err().to_string();
            assert!(error.ends_with(": not found: no such thing"), "{error}");
            assert_eq!(*behaviour.calls.lock().unwrap(), calls);
        }
        let (plugin, behaviour) = fake::plugin(TABLE, behaviour("", false));
        let panics = || profile(plugin, &folder, || panic!("within the function")).is_ok();
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).unwrap_err();
        assert_eq!(*behaviour.calls.lock().unwrap(), ["create", "start", "stop", "destroy"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    /// Tables that are too short, and a list of extensions without an end.
    #[test]
    fn a_plugin_without_a_profiler_is_an_error() {
        let (short, _) = fake::plugin(TABLE - 1, behaviour("", false));
        for plugin in [short, fake::without_table(9), fake::without_table(1), fake::circle()] {
            let error = plugin.record().err().expect("no profiler").to_string();
            assert!(error.contains("this plugin has no profiler"), "{error}");
        }
    }

    #[test]
    fn a_trace_that_is_cut_off_ends_where_it_is_cut() {
        let space = space();
        for length in 0..space.len() {
            assert!(operations(&space[..length]).len() <= 2);
            assert!(readable(&space[..length]).len() <= length);
        }
        assert_eq!(operations(&space)[0].time, Duration::from_nanos(49));
    }

    #[test]
    fn no_time_has_no_share() {
        let time = Duration::ZERO;
        let row = OperationTime { operation: "a".into(), program: "b".into(), runs: 1, time };
        let profile = Profile { path: PathBuf::new(), operations: vec![row] };
        assert!(profile.to_string().contains(" 0.0 %"), "{profile}");
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        let days = [
            (0, (1970, 1, 1)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (20_787, (2026, 11, 30)),
        ];
        for (days, expected) in days {
            assert_eq!(date(days), expected);
        }
        assert_eq!(date(11_322), (2000, 12, 31));
    }
}
