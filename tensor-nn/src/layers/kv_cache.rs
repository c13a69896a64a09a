//! The keys and values of past positions, for generation a token at a time.

use core::marker::PhantomData;

use tensor_core::trace::is_traced;
use tensor_core::{
    Axis, DynTensor, Element, Float, IntoTensor, Shape, StaticAxis, Tensor, axis, shape, shapes,
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
#[doc(alias = "past_key_values")]
#[doc(alias = "DynamicCache")]
#[shapes]
#[derive(Clone, Debug)]
pub struct KvCache<Lead: Shape, H: Axis, Time: Axis, C: Axis, T: Element = f32> {
    keys: Tensor<shape![Lead.., H, Capacity, C], T>,
    values: Tensor<shape![Lead.., H, Capacity, C], T>,
    /// The number of positions so far.
    len: usize,
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
        Self { keys: zeros(), values: zeros(), len: 0, time: PhantomData }
    }
}

impl<Lead: Shape, H: Axis, Time: Axis, C: Axis, T: Element> KvCache<Lead, H, Time, C, T> {
    /// The number of positions so far: the index of the next one.
    ///
    /// ```
    /// use tensor_core::{axis, dim, shape};
    /// use tensor_nn::layers::KvCache;
    ///
    /// axis!(Time);
    /// assert_eq!(KvCache::<shape![], dim!(8), Time, dim!(64)>::new(shape![]).len(), 0);
    /// ```
    pub fn len(&self) -> usize {
        self.len
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
    pub fn is_empty(&self) -> bool {
        self.len == 0
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
    /// If an axis has another size than in the cache, if keys and values have different sizes, or if the
    /// keys exceed `isize::MAX` bytes.
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
        if is_traced(keys) || is_traced(values) || self.is_traced() {
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
        let (rows, row) = (lead.num_elements() * heads.size(), channels.size());
        for (cached, new) in [(&mut self.keys, keys), (&mut self.values, values)] {
            let new = new.detach().contiguous();
            let elements = new.as_slice().expect("a contiguous tensor");
            write(cached.as_mut_slice(), rows, self.len * row, elements, new.len() / rows.max(1));
        }
        self.len += new.size();
    }

    /// Whether the cache is part of a program that is being traced: then it has no room to spare.
    fn is_traced(&self) -> bool {
        is_traced(&self.keys) || is_traced(&self.values)
    }

    /// Makes room for this many more positions; where there is none, the capacity doubles at least. A cache that is part of
    /// a program stays as it is.
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
        if needed <= capacity || self.is_traced() {
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
    /// example. Longer than the cache, it changes nothing.
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
    }

    /// The keys so far, `[..lead, h, time, c]`, without a copy.
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
        self.keys.slice_axis::<-2, Time>(0..self.len)
    }

    /// The values so far, `[..lead, h, time, c]`, without a copy.
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
        self.values.slice_axis::<-2, Time>(0..self.len)
    }
}

/// Copies the first `len` elements of each row of `new` into the same row of `cached`, from index `start` on.
fn write<T: Element>(cached: &mut [T], rows: usize, start: usize, new: &[T], len: usize) {
    let (to, from) = (cached.len() / rows.max(1), new.len() / rows.max(1));
    for row in 0..rows {
        cached[row * to + start..][..len].copy_from_slice(&new[row * from..][..len]);
    }
}
