//! Reads messages of Protocol Buffers, from the numbers of their fields.

/// The values at the end of a path of fields.
pub(crate) fn at<'a>(
    message: &'a [u8],
    path: &'a [u64],
) -> Box<dyn Iterator<Item = &'a [u8]> + 'a> {
    let [first, rest @ ..] = path else { return Box::new(core::iter::once(message)) };
    let found = fields(message).filter_map(move |(field, value)| match value {
        FieldValue::Bytes(value) if field == *first => Some(value),
        _ => None,
    });
    Box::new(found.flat_map(move |value| at(value, rest)))
}

/// The value of a field.
pub(crate) enum FieldValue<'a> {
    Integer(u64),
    Bytes(&'a [u8]),
    Fixed,
}

/// The numbers of fields and their values. What cannot be read ends the message.
pub(crate) fn fields(mut message: &[u8]) -> impl Iterator<Item = (u64, FieldValue<'_>)> {
    core::iter::from_fn(move || field(&mut message))
}

/// The beginning of a message that can be read.
pub(crate) fn readable(message: &[u8]) -> &[u8] {
    let (mut rest, mut next) = (message, message);
    while field(&mut next).is_some() {
        rest = next;
    }
    &message[..message.len() - rest.len()]
}

fn field<'a>(message: &mut &'a [u8]) -> Option<(u64, FieldValue<'a>)> {
    let tag = varint(message)?;
    let value = match tag & 7 {
        0 => FieldValue::Integer(varint(message)?),
        1 => take(message, 8).map(|_| FieldValue::Fixed)?,
        2 => {
            let length = usize::try_from(varint(message)?).ok()?;
            FieldValue::Bytes(take(message, length)?)
        }
        5 => take(message, 4).map(|_| FieldValue::Fixed)?,
        _ => return None,
    };
    // No field has the number 0.
    (tag >> 3 > 0).then_some((tag >> 3, value))
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

pub(crate) fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}
