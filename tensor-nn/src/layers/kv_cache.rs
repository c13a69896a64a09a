//! The keys and values of past positions, for generation a token at a time.

use core::marker::PhantomData;

use tensor_core::module::Module;
use tensor_core::trace::is_traced;
use tensor_core::{
    Axis, DynTensor, Element, Float, IntoTensor, Shape, StaticAxis, Tensor, axis, select, shape,
    shapes,
};

axis!(Capacity);

/// The keys and values of the positions so far, `[..lead, h, time, c]`: attention of a new position reads
/// them, so that generation computes each position once.
///
/// The memory has room for more positions than there are, and doubles once it is full: appending
/// writes the new positions alone. [`with_capacity`](Self::with_capacity) reserves it in advance. `Time` is an
/// axis whose size is known at run time.
///
/// Appended tensors are detached: a cache has no gradient. While a tensor of [`keys`](Self::keys) or
/// [`values`](Self::values) is alive, appending copies the cache, so that the tensor does not change. A clone
/// of a cache is independent, and copied once either of both is appended to.
///
/// ```
/// use tensor_core::{Tensor, axis, dim, random::Generator, shape};
/// use tensor_nn::layers::{CausalLowerRight, KvCache, MultiHeadAttention};
///
/// axis!(Time);
///
/// let mut rng = Generator::seed(42);
/// let layer: MultiHeadAttention<dim!(8), dim!(2), dim!(4)> = MultiHeadAttention::new(&mut rng);
/// let mut cache: KvCache<shape![3], dim!(2), Time, dim!(4)> = KvCache::new(shape![3]);
/// // A prompt of 5 positions, then one at a time.
/// let prompt: Tensor<shape![3, 5, 8]> = rng.normal(0.0, 1.0);
/// let _ = layer.forward_cached(&prompt, &mut cache, CausalLowerRight);
/// for _ in 0..4 {
///     let token: Tensor<shape![3, 1, 8]> = rng.normal(0.0, 1.0);
///     assert_eq!(layer.forward_cached(&token, &mut cache, CausalLowerRight).shape(), shape![3, 1, 8]);
/// }
/// assert_eq!(cache.keys().shape(), shape![3, 2, Time(9), 4]);
/// ```
///
/// A cache of [`fixed`](Self::fixed) capacity can be the state of a `while_loop`, so that generation is one step of a program,
/// and can be saved and loaded: a file of a cache that grows lacks the number of positions.
#[doc(alias = "past_key_values")]
#[doc(alias = "DynamicCache")]
#[doc(alias = "StaticCache")]
#[shapes]
#[derive(Clone, Debug, Module)]
pub struct KvCache<Lead: Shape, H: Axis, Time: Axis, C: Axis, T: Element = f32> {
    #[module(buffer)]
    keys: Tensor<shape![Lead.., H, Capacity, C], T>,
    #[module(buffer)]
    values: Tensor<shape![Lead.., H, Capacity, C], T>,
    /// The number of positions so far, unless the capacity is fixed.
    #[module(skip)]
    len: usize,
    /// The same if the capacity is fixed.
    position: Option<Tensor<shape![], i64>>,
    #[module(skip)]
    time: PhantomData<fn() -> Time>,
}

/// The tensor of some positions of all heads.
type Positions<Lead, H, Time, C, T> = Tensor<(((Lead, H), Time), C), T>;

impl<Lead: Shape, H: StaticAxis, Time: Axis, C: StaticAxis, T: Element>
    KvCache<Lead, H, Time, C, T>
{
    /// A cache without positions, for these leading axes.
    ///
    /// ```
    /// use tensor_core::{axis, dim, shape};
    /// use tensor_nn::layers::KvCache;
    ///
    /// axis!(Batch);
    /// axis!(Time);
    /// let cache: KvCache<shape![Batch], dim!(8), Time, dim!(64)> = KvCache::new(shape![Batch(2)]);
    /// assert!(cache.is_empty());
    /// ```
    pub fn new(lead: Lead) -> Self {
        Self::with_capacity(lead, 0)
    }

    /// An empty cache with room for `capacity` positions, before which it does not grow.
    ///
    /// # Panics
    ///
    /// If the keys exceed `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_core::{axis, dim, shape};
    /// use tensor_nn::layers::KvCache;
    ///
    /// axis!(Time);
    /// let cache: KvCache<shape![], dim!(8), Time, dim!(64)> = KvCache::with_capacity(shape![], 2048);
    /// assert_eq!((cache.len(), cache.capacity()), (0, 2048));
    /// ```
    #[track_caller]
    pub fn with_capacity(lead: Lead, capacity: usize) -> Self {
        let zeros = || Tensor::zeros_shaped((((lead, H::VALUE), Capacity(capacity)), C::VALUE));
        Self { keys: zeros(), values: zeros(), len: 0, position: None, time: PhantomData }
    }

    /// An empty cache with room for `capacity` positions, which does not grow: its tensors have the same sizes at all times,
    /// so that it can be the state of a `while_loop` or `scan`, or of a step that is compiled. `Time` is all of its positions, and
    /// [`keys`](Self::keys) and [`values`](Self::values) are zeros where there are none yet.
    ///
    /// The layers attend to the positions so far: with [`CausalLowerRight`](super::CausalLowerRight), the results are
    /// those of a cache that grows. Positions beyond the capacity are an error of
    /// [`run`](tensor_core::trace::Program::run), and XLA drops them: the condition of a loop compares
    /// [`position`](Self::position) with the capacity.
    ///
    /// # Panics
    ///
    /// If the keys exceed `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_core::trace::{trace, while_loop};
    /// use tensor_core::{One, Tensor, axis, dim, random::Generator, shape};
    /// use tensor_nn::layers::{CausalLowerRight, KvCache, MultiHeadAttention};
    ///
    /// axis!(Time);
    /// type Cache = KvCache<shape![], dim!(2), Time, dim!(4)>;
    /// type Token = Tensor<shape![1, 8]>;
    ///
    /// let layer: MultiHeadAttention<dim!(8), dim!(2), dim!(4)> =
    ///     MultiHeadAttention::new(&mut Generator::seed(42));
    /// let next = |(token, cache): &(Token, Cache)| {
    ///     let mut cache = cache.clone();
    ///     (layer.forward_cached(token, &mut cache, CausalLowerRight), cache)
    /// };
    /// let state = (Token::ones(), Cache::fixed(shape![], 64));
    /// let program = trace(&state, |state| while_loop(state, |(_, cache)| cache.position().less(20), next));
    /// assert_eq!(program.num_steps(), 1);
    /// let (token, cache) = program.run(&state)?;
    /// assert_eq!(cache.len(), 20);
    ///
    /// let mut state = (Token::ones(), Cache::new(shape![]));
    /// for _ in 0..20 {
    ///     state = next(&state);
    /// }
    /// assert!(token.all_close(&state.0, 1e-5, 1e-5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn fixed(lead: Lead, capacity: usize) -> Self {
        Self { position: Some(Tensor::scalar(0)), ..Self::with_capacity(lead, capacity) }
    }
}

impl<Lead: Shape, H: Axis, Time: Axis, C: Axis, T: Element> KvCache<Lead, H, Time, C, T> {
    /// The number of positions so far: the index of the next one.
    ///
    /// # Panics
    ///
    /// If the capacity is fixed and the cache is part of a program that is being traced: see [`position`](Self::position).
    ///
    /// ```
    /// use tensor_core::{axis, dim, shape};
    /// use tensor_nn::layers::KvCache;
    ///
    /// axis!(Time);
    /// assert_eq!(KvCache::<shape![], dim!(8), Time, dim!(64)>::new(shape![]).len(), 0);
    /// ```
    #[track_caller]
    pub fn len(&self) -> usize {
        self.position.as_ref().map_or(self.len, |position| position.item() as usize)
    }

    /// The number of positions so far as a tensor, `[]`: in a program, that of the program when it runs.
    ///
    /// ```
    /// use tensor_core::{axis, dim, shape};
    /// use tensor_nn::layers::KvCache;
    ///
    /// axis!(Time);
    /// let cache: KvCache<shape![], dim!(8), Time, dim!(64)> = KvCache::fixed(shape![], 2048);
    /// assert_eq!(cache.position().item(), 0);
    /// ```
    pub fn position(&self) -> Tensor<shape![], i64> {
        self.position.clone().unwrap_or_else(|| Tensor::scalar(self.len as i64))
    }

    /// The indices of the positions that are appended next, `[new]`: for
    /// [`RotaryPositions::at`](super::RotaryPositions::at), or for an embedding of positions.
    ///
    /// ```
    /// use tensor_core::{One, axis, dim, shape, tensor};
    /// use tensor_nn::layers::KvCache;
    ///
    /// axis!(Time);
    /// let cache: KvCache<shape![], dim!(8), Time, dim!(64)> = KvCache::fixed(shape![], 2048);
    /// assert_eq!(cache.next_positions(One), tensor![0]);
    /// ```
    pub fn next_positions<New: Axis>(&self, new: New) -> Tensor<shape![New], i64> {
        Tensor::<shape![New], i64>::arange_shaped(((), new)) + self.position()
    }

    /// Whether there are no positions so far.
    ///
    /// ```
    /// use tensor_core::{axis, dim, shape};
    /// use tensor_nn::layers::KvCache;
    ///
    /// axis!(Time);
    /// assert!(KvCache::<shape![], dim!(8), Time, dim!(64)>::new(shape![]).is_empty());
    /// ```
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of positions that there is memory for.
    ///
    /// ```
    /// use tensor_core::{axis, dim, shape};
    /// use tensor_nn::layers::KvCache;
    ///
    /// axis!(Time);
    /// assert_eq!(KvCache::<shape![], dim!(8), Time, dim!(64)>::new(shape![]).capacity(), 0);
    /// ```
    pub fn capacity(&self) -> usize {
        let ((_, capacity), _) = self.keys.shape();
        capacity.size()
    }

    /// Appends the keys and values of new positions: `[..lead, h, new, c]`, twice.
    ///
    /// # Panics
    ///
    /// If an axis has another size than in the cache, if keys and values have different sizes, if the
    /// keys exceed `isize::MAX` bytes, or if the capacity is fixed and they do not fit.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, dim, shape};
    /// use tensor_nn::layers::KvCache;
    ///
    /// axis!(Time);
    /// let mut cache: KvCache<shape![], dim!(2), Time, dim!(4)> = KvCache::new(shape![]);
    /// let (keys, values) = (Tensor::<shape![2, 3, 4]>::ones(), Tensor::<shape![2, 3, 4]>::zeros());
    /// cache.append(&keys, &values);
    /// cache.append(&keys, &values);
    /// assert_eq!(cache.values().shape(), shape![2, Time(6), 4]);
    /// assert_eq!(cache.keys().sum().item(), 48.0);
    /// ```
    #[doc(alias = "update")]
    #[track_caller]
    pub fn append<New: Axis>(
        &mut self,
        keys: &Positions<Lead, H, New, C, T>,
        values: &Positions<Lead, H, New, C, T>,
    ) where
        T: Float,
    {
        let (((lead, heads), new), channels) = keys.shape();
        let (((cached_lead, cached_heads), _), cached_channels) = self.keys.shape();
        let fits = (lead, heads, channels) == (cached_lead, cached_heads, cached_channels);
        assert!(
            fits && keys.sizes() == values.sizes(),
            "the cache has keys of sizes {:?}; new ones of sizes {:?} and values of sizes {:?} differ not only \
             in time",
            self.keys().sizes(),
            keys.sizes(),
            values.sizes(),
        );
        let is_traced = is_traced(keys) || is_traced(values) || self.is_traced();
        if is_traced && self.position.is_some() {
            let positions = self.next_positions(new);
            for (cached, new) in [(&mut self.keys, keys), (&mut self.values, values)] {
                let changed = cached.detach().index_copy::<-2, New>(&positions, &new.detach());
                *cached = changed.unwrap_or_else(|error| panic!("the cache is full: {error}"));
            }
            self.position = Some(self.position() + new.size() as i64);
            return;
        }
        if is_traced {
            for (cached, new) in [(&mut self.keys, keys), (&mut self.values, values)] {
                let [old, new] = [DynTensor::from(cached.clone()), DynTensor::from(new.detach())];
                let before = old.slice_axis(-2, ..self.len);
                let all = before.and_then(|before| before.concat(&new, -2)).expect("equal sizes");
                *cached = all.into_tensor().expect("the sizes of the cache, but for time");
            }
            self.len += new.size();
            return;
        }
        self.reserve(new.size());
        let (len, capacity) = (self.len(), self.capacity());
        assert!(
            len.checked_add(new.size()).is_some_and(|needed| needed <= capacity),
            "the cache has room for {capacity} positions: it has {len}, and {} more do not fit",
            new.size()
        );
        let (rows, row) = (lead.num_elements() * heads.size(), channels.size());
        for (cached, new) in [(&mut self.keys, keys), (&mut self.values, values)] {
            // A cache in a gradient's inputs is tracked.
            *cached = cached.detach();
            let new = new.detach().contiguous();
            let elements = new.as_slice().expect("a contiguous tensor");
            write(cached.as_mut_slice(), rows, len * row, elements, new.len() / rows.max(1));
        }
        self.set_len(len + new.size());
    }

    fn set_len(&mut self, len: usize) {
        match &mut self.position {
            Some(position) => *position = Tensor::scalar(len as i64),
            None => self.len = len,
        }
    }

    /// Of a cache of fixed capacity, the positions that each of the last `new` ones may attend to: itself and those before.
    pub(super) fn allowed<New: Axis>(&self, new: New) -> Option<Tensor<shape![New, Time], bool>> {
        self.position.as_ref()?;
        let ((_, time), _) = self.keys().shape();
        let queries = self.next_positions(new).unsqueeze::<-1>() - new.size() as i64;
        Some(queries.greater_equal(Tensor::<shape![Time], i64>::arange_shaped(((), time))))
    }

    /// The number of positions so far; `None` if the capacity is fixed.
    pub(super) fn known_len(&self) -> Option<usize> {
        self.position.is_none().then_some(self.len)
    }

    /// Whether the cache is part of a program that is being traced: then it has no room to spare.
    fn is_traced(&self) -> bool {
        is_traced(&self.keys)
            || is_traced(&self.values)
            || self.position.as_ref().is_some_and(|position| is_traced(position))
    }

    /// Makes room for this many more positions; where there is none, the capacity doubles at least. A cache that is part of
    /// a program, or of fixed capacity, stays as it is.
    ///
    /// # Panics
    ///
    /// If the keys exceed `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_core::{axis, dim, shape};
    /// use tensor_nn::layers::KvCache;
    ///
    /// axis!(Time);
    /// let mut cache: KvCache<shape![], dim!(8), Time, dim!(64)> = KvCache::new(shape![]);
    /// cache.reserve(100);
    /// assert!(cache.capacity() >= 100);
    /// ```
    #[track_caller]
    pub fn reserve(&mut self, additional: usize) {
        let capacity = self.capacity();
        let needed = self.len.saturating_add(additional);
        if needed <= capacity || self.position.is_some() || self.is_traced() {
            return;
        }
        let capacity = Capacity(needed.max(capacity.saturating_mul(2)).max(16));
        let ((rest, _), channels) = self.keys.shape();
        let (rows, row) = (rest.num_elements(), channels.size());
        for cached in [&mut self.keys, &mut self.values] {
            let mut larger = Tensor::zeros_shaped(((rest, capacity), channels));
            let old = cached.as_slice().expect("a contiguous tensor");
            write(larger.as_mut_slice(), rows, 0, old, self.len * row);
            *cached = larger;
        }
    }

    /// Keeps the first `len` positions, to go on from there: after a draft of tokens that was not accepted, for
    /// example. Longer than the cache, it changes nothing. If the capacity is fixed, the others become zeros.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, dim, shape};
    /// use tensor_nn::layers::KvCache;
    ///
    /// axis!(Time);
    /// let mut cache: KvCache<shape![], dim!(2), Time, dim!(4)> = KvCache::new(shape![]);
    /// let positions = Tensor::<shape![2, 3, 4]>::ones();
    /// cache.append(&positions, &positions);
    /// cache.truncate(1);
    /// assert_eq!(cache.keys().shape(), shape![2, Time(1), 4]);
    /// ```
    #[doc(alias = "crop")]
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
        let Some(position) = self.position.take() else { return };
        let position = position.minimum(i64::try_from(len).unwrap_or(i64::MAX));
        let ((_, capacity), _) = self.keys.shape();
        let indices = Tensor::<shape![Capacity], i64>::arange_shaped(((), capacity));
        let is_kept = indices.less(&position).unsqueeze::<-1>();
        // What no query attends to has the weight 0, and 0 times a value that is not finite is NaN.
        for cached in [&mut self.keys, &mut self.values] {
            *cached = select(&is_kept, &*cached, Tensor::<shape![], T>::zeros());
        }
        self.position = Some(position);
    }

    /// The number of positions of `Time`.
    fn time(&self) -> usize {
        if self.position.is_some() { self.capacity() } else { self.len }
    }

    /// The keys so far, `[..lead, h, time, c]`, without a copy; if the capacity is fixed, of all positions.
    ///
    /// ```
    /// use tensor_core::{axis, dim, shape};
    /// use tensor_nn::layers::KvCache;
    ///
    /// axis!(Time);
    /// let cache: KvCache<shape![], dim!(2), Time, dim!(4)> = KvCache::new(shape![]);
    /// assert_eq!(cache.keys().shape(), shape![2, Time(0), 4]);
    /// ```
    pub fn keys(&self) -> Positions<Lead, H, Time, C, T> {
        self.keys.slice_axis::<-2, Time>(0..self.time())
    }

    /// The values so far, `[..lead, h, time, c]`, without a copy; if the capacity is fixed, of all positions.
    ///
    /// ```
    /// use tensor_core::{axis, dim, shape};
    /// use tensor_nn::layers::KvCache;
    ///
    /// axis!(Time);
    /// let cache: KvCache<shape![], dim!(2), Time, dim!(4)> = KvCache::new(shape![]);
    /// assert_eq!(cache.values().shape(), shape![2, Time(0), 4]);
    /// ```
    pub fn values(&self) -> Positions<Lead, H, Time, C, T> {
        self.values.slice_axis::<-2, Time>(0..self.time())
    }
}

/// Copies the first `len` elements of each row of `new` into the same row of `cached`, from index `start` on.
fn write<T: Element>(cached: &mut [T], rows: usize, start: usize, new: &[T], len: usize) {
    let (to, from) = (cached.len() / rows.max(1), new.len() / rows.max(1));
    for row in 0..rows {
        cached[row * to + start..][..len].copy_from_slice(&new[row * from..][..len]);
    }
}
