//! Elements in human-readable formats, where `serde` has no number for NaN and ∞, and the bits of `f16`
//! and `bf16` are not numbers.

use core::any::Any;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};
use tensor_kernels::element::{Element, Number};
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;

/// A float, serialized as a number in human-readable formats; in other formats, and for other elements, as
/// its own type is.
#[repr(transparent)]
pub(super) struct Readable<T>(pub T);

/// Generates the code that differs between floats and other elements.
macro_rules! by_class {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        impl<T: Element + Serialize> Serialize for Readable<&T> {
            #[inline]
            fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
                let element: &dyn Any = self.0;
                if serializer.is_human_readable() {
                    $($(#[$cfg])* by_class!(@write $class $T element serializer);)*
                }
                self.0.serialize(serializer)
            }
        }

        /// The nearest float of type `T`; `None` if the type is not a float.
        #[inline]
        fn rounded<T: Element>(number: f64) -> Option<T> {
            let mut result: Option<T> = None;
            let to: &mut dyn Any = &mut result;
            $($(#[$cfg])* by_class!(@read $class $T to number);)*
            let _ = (to, number);
            result
        }
    };
    (@write float $T:ident $element:ident $serializer:ident) => {
        if let Some(&x) = $element.downcast_ref::<$T>() {
            let name = if x.is_nan() { "NaN" } else if x > 0.0 { "inf" } else { "-inf" };
            return if x.is_finite() { x.serialize($serializer) } else { $serializer.serialize_str(name) };
        }
    };
    // Every 16-bit float is exact as an `f32`.
    (@write half $T:ident $element:ident $serializer:ident) => {
        if let Some(x) = $element.downcast_ref::<$T>() {
            return Readable(&x.to_f32()).serialize($serializer);
        }
    };
    (@read float $T:ident $to:ident $number:ident) => {
        if let Some(to) = $to.downcast_mut::<Option<$T>>() {
            *to = Some(Number::from_f64($number));
        }
    };
    (@read half $T:ident $to:ident $number:ident) => { by_class!(@read float $T $to $number); };
    (@$way:ident $other:ident $($rest:tt)*) => {};
}

for_each_element!(by_class);

impl<'de, T: Element + Deserialize<'de>> Deserialize<'de> for Readable<T> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() && rounded::<T>(0.0).is_some() {
            deserializer.deserialize_any(FloatVisitor(PhantomData)).map(Self)
        } else {
            T::deserialize(deserializer).map(Self)
        }
    }
}

/// Deserializes a number, or the name of one that is not finite.
struct FloatVisitor<T>(PhantomData<T>);

impl<'de, T: Element> Visitor<'de> for FloatVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: a number, \"NaN\", \"inf\" or \"-inf\"", T::NAME)
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<T, E> {
        let element = rounded::<T>(number).expect("a float");
        // A finite number that overflows the type.
        match rounded::<T>(f64::INFINITY)
            .into_iter()
            .chain(rounded(f64::NEG_INFINITY))
            .any(|x| x == element)
        {
            true if number.is_finite() => {
                let problem = format_args!("{number} is out of the range of {}", T::NAME);
                Err(E::custom(problem))
            }
            _ => Ok(element),
        }
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
        self.visit_f64(number as f64)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
        self.visit_f64(number as f64)
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<T, E> {
        let number = match name {
            "NaN" => f64::NAN,
            "inf" => f64::INFINITY,
            "-inf" => f64::NEG_INFINITY,
            _ => return Err(E::invalid_value(Unexpected::Str(name), &self)),
        };
        self.visit_f64(number)
    }

    /// A number of `serde_json` with its feature `arbitrary_precision`: one entry, whose value is its digits.
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<T, A::Error> {
        let entry = entries.next_entry::<String, String>()?;
        match entry.and_then(|(_, digits)| digits.parse().ok()) {
            Some(number) => self.visit_f64(number),
            None => Err(de::Error::invalid_type(Unexpected::Map, &self)),
        }
    }
}
