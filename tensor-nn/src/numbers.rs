//! Checks of user-supplied numbers: a message has the number and the allowed range.

/// Panics unless the number is allowed.
#[track_caller]
pub(crate) fn check(is_allowed: bool, name: &str, number: f64, range: &str) {
    assert!(is_allowed, "{name} is {number}, and must be {range}");
}

/// Panics unless the number is finite.
#[track_caller]
pub(crate) fn finite(name: &str, number: f64) {
    check(number.is_finite(), name, number, "finite");
}

/// Panics unless the number is finite, and 0 or larger.
#[track_caller]
pub(crate) fn not_negative(name: &str, number: f64) {
    check(number.is_finite() && number >= 0.0, name, number, "finite and at least 0");
}

/// Panics unless the number is finite and larger than 0.
#[track_caller]
pub(crate) fn positive(name: &str, number: f64) {
    check(number.is_finite() && number > 0.0, name, number, "finite and larger than 0");
}

/// Panics unless the number is from 0 to 1.
#[track_caller]
pub(crate) fn share(name: &str, number: f64) {
    check((0.0..=1.0).contains(&number), name, number, "from 0 to 1");
}

/// Panics unless the number is at least 0 and less than 1.
#[track_caller]
pub(crate) fn below_one(name: &str, number: f64) {
    check((0.0..1.0).contains(&number), name, number, "at least 0 and less than 1");
}

/// Panics unless the number is 0 or larger; it may be infinite.
#[track_caller]
pub(crate) fn limit(name: &str, number: f64) {
    check(number >= 0.0, name, number, "at least 0");
}
