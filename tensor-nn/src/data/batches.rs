//! The batches of an epoch, made on demand, or in advance on a thread.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, JoinHandle};

use tensor_core::Axis;

use super::{Dataset, Plan};

/// The iterator over the batches of an epoch: [`Loader::epoch`](super::Loader::epoch).
///
/// ```
/// use tensor_core::{axis, tensor};
/// use tensor_nn::data::Loader;
///
/// axis!(Batch);
/// let batches = Loader::new(tensor![1, 2, 3], 2).epoch::<Batch>(0);
/// assert_eq!(batches.len(), 2);
/// ```
#[must_use = "an iterator makes batches when it is asked for them"]
pub struct Batches<D: Dataset<B>, B: Axis> {
    source: Source<D>,
    /// The number of batches that remain.
    rest: usize,
    axis: PhantomData<B>,
}

enum Source<D> {
    /// Batches are made on the calling thread.
    Here(Arc<D>, Plan),
    /// Batches are made on another thread.
    Thread(Prefetched),
}

/// The axis of batches of `D`; in generic code, write [`D: Dataset<B>`](Dataset). Implemented for the axis,
/// which is unknown during method lookup: rustc does not find a method if it knows that a bound fails.
#[cfg_attr(doc, doc(hidden))]
pub trait BatchAxis<D>: Axis {
    /// The batches of an epoch.
    type Batches;

    /// The batches of this plan.
    #[doc(hidden)]
    fn batches(data: Arc<D>, plan: Plan, prefetched: usize) -> Self::Batches;
}

impl<D, B: Axis> BatchAxis<D> for B
where
    D: Dataset<B, Batch: Send + 'static> + Send + Sync + 'static,
{
    type Batches = Batches<D, B>;

    fn batches(data: Arc<D>, plan: Plan, prefetched: usize) -> Batches<D, B> {
        let rest = plan.size_hint().0;
        // Where there are no threads, batches are made when they are requested.
        let has_threads = !cfg!(all(target_family = "wasm", target_os = "unknown"));
        let source = if prefetched == 0 || !has_threads {
            Source::Here(data, plan)
        } else {
            let batches = plan.map(move |indices| Box::new(data.batch(&indices)) as Item);
            Source::Thread(Prefetched::new(Box::new(batches), prefetched))
        };
        Batches { source, rest, axis: PhantomData }
    }
}

impl<D: Dataset<B, Batch: 'static>, B: Axis> Iterator for Batches<D, B> {
    type Item = D::Batch;

    fn next(&mut self) -> Option<D::Batch> {
        let batch = match &mut self.source {
            Source::Here(data, plan) => plan.next().map(|indices| data.batch(&indices)),
            Source::Thread(prefetched) => {
                prefetched.next().map(|batch| *batch.downcast().expect("a batch of this loader"))
            }
        };
        self.rest = batch.as_ref().map_or(0, |_| self.rest - 1);
        batch
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.rest, Some(self.rest))
    }
}

impl<D: Dataset<B, Batch: 'static>, B: Axis> ExactSizeIterator for Batches<D, B> {}

impl<D: Dataset<B>, B: Axis> fmt::Debug for Batches<D, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches").field("to_come", &self.rest).finish_non_exhaustive()
    }
}

/// A type-erased batch, so that threads and channels are compiled here, once for all programs.
type Item = Box<dyn Any + Send>;

/// The batches that a thread makes in advance, at most `at_once` at a time.
struct Prefetched {
    /// `None` once no more batches are requested from the thread.
    made: Option<Receiver<Item>>,
    thread: Option<JoinHandle<()>>,
}

impl Prefetched {
    /// The thread holds one finished batch, the channel up to `at_once - 1` others.
    fn new(items: Box<dyn Iterator<Item = Item> + Send>, at_once: usize) -> Self {
        let (sender, made) = sync_channel(at_once - 1);
        let work = move || {
            for item in items {
                // The receiver is gone: the program has left the epoch.
                if sender.send(item).is_err() {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("batches".to_owned()).spawn(work);
        Self { made: Some(made), thread: Some(thread.expect("a thread for the batches")) }
    }

    fn next(&mut self) -> Option<Item> {
        if let Ok(item) = self.made.as_ref()?.recv() {
            return Some(item);
        }
        // The thread has ended: after its last item, or by a panic.
        self.made = None;
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
            resume_unwind(panic);
        }
        None
    }
}

impl Drop for Prefetched {
    fn drop(&mut self) {
        // Dropping the receiver makes the next `send` fail, which ends the thread.
        self.made = None;
        if let Some(thread) = self.thread.take() {
            // A panic in a batch that was never requested is ignored.
            let _ = thread.join();
        }
    }
}
