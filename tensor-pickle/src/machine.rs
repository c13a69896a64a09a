//! The machine that a pickle is a program for: a stack of values, and a memo of those that are named again.
//!
//! Each instruction adds at most one value, and takes at least one byte of the pickle, so that memory is
//! bounded by its length. There is no recursion: values name each other by index.

use std::collections::HashMap;
use std::ops::Range;

use crate::error::PickleError;
use crate::opcodes::*;
use crate::value::{Global, Id, Storage, Tensor, Value, bytes_of};

/// The values that a pickle made, and the last of them, its result.
pub(crate) struct Machine<'a> {
    bytes: &'a [u8],
    at: usize,
    pub(crate) values: Vec<Value>,
    stack: Vec<Id>,
    /// Positions in the stack.
    marks: Vec<usize>,
    memo: HashMap<u32, Id>,
}

/// The value of everything that means nothing for tensors.
const OTHER: Id = 0;

/// The number of arguments of the function that has most.
const MOST_ARGUMENTS: usize = 8;

/// The largest rank of a tensor: that of PyTorch.
const LARGEST_RANK: usize = 64;

type Result<T> = std::result::Result<T, PickleError>;

impl<'a> Machine<'a> {
    /// Runs a pickle, and returns its result.
    pub(crate) fn run(bytes: &'a [u8]) -> Result<(Self, Id)> {
        let mut machine = Self {
            bytes,
            at: 0,
            values: vec![Value::Other],
            stack: Vec::new(),
            marks: Vec::new(),
            memo: HashMap::new(),
        };
        loop {
            let opcode = machine.take(1)?[0];
            if opcode == STOP {
                let result = machine.pop()?;
                return Ok((machine, result));
            }
            machine.step(opcode)?;
        }
    }

    /// The text of a range.
    pub(crate) fn text(&self, range: &Range<usize>) -> &'a str {
        std::str::from_utf8(&self.bytes[range.clone()]).unwrap_or_default()
    }

    pub(crate) fn value(&self, id: Id) -> &Value {
        &self.values[id as usize]
    }

    fn step(&mut self, opcode: u8) -> Result<()> {
        match opcode {
            PROTO => self.protocol(),
            FRAME => self.take(8).map(|_| ()),
            MARK => {
                self.marks.push(self.stack.len());
                Ok(())
            }
            POP => self.pop().map(|_| ()),
            NONE => self.push_id(OTHER),
            BINFLOAT => self.take(8).and_then(|_| self.push_id(OTHER)),
            NEWTRUE => self.push(Value::Integer(1)),
            NEWFALSE => self.push(Value::Integer(0)),
            BININT => self.integer(4),
            BININT1 => self.integer(1),
            BININT2 => self.integer(2),
            LONG1 => self.long(),
            BINUNICODE | BINSTRING => self.counted_text(4),
            SHORT_BINUNICODE | SHORT_BINSTRING => self.counted_text(1),
            BINUNICODE8 => self.counted_text(8),
            EMPTY_LIST => self.push(Value::List(Vec::new())),
            EMPTY_DICT => self.push(Value::Dict(Vec::new())),
            EMPTY_TUPLE => self.push(Value::Tuple(Vec::new())),
            TUPLE1 => self.tuple(1),
            TUPLE2 => self.tuple(2),
            TUPLE3 => self.tuple(3),
            TUPLE => {
                let items = self.take_to_mark()?;
                self.push(Value::Tuple(items))
            }
            APPEND => {
                let item = self.pop()?;
                self.extend(vec![item])
            }
            APPENDS => self.take_to_mark().and_then(|items| self.extend(items)),
            SETITEM => {
                let value = self.pop()?;
                let key = self.pop()?;
                self.set(vec![key, value])
            }
            SETITEMS => self.take_to_mark().and_then(|items| self.set(items)),
            // The state of an object, such as the versions of modules: tensors have none.
            BUILD => self.pop().map(|_| ()),
            BINPUT => self.number(1).and_then(|index| self.put(index)),
            LONG_BINPUT => self.number(4).and_then(|index| self.put(index)),
            MEMOIZE => self.put(self.memo.len() as u64),
            BINGET => self.number(1).and_then(|index| self.get(index)),
            LONG_BINGET => self.number(4).and_then(|index| self.get(index)),
            GLOBAL => self.global(),
            STACK_GLOBAL => self.stack_global(),
            BINPERSID => self.storage(),
            REDUCE => self.call(),
            other => {
                self.fail(&format!("has the instruction {other:#04x}, which tensors do not need"))
            }
        }
    }

    fn fail<T>(&self, what: &str) -> Result<T> {
        Err(PickleError::new(format!("the pickle {what} (at byte {})", self.at)))
    }

    // The parts of an instruction.

    fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(len).filter(|&end| end <= self.bytes.len());
        let Some(end) = end else {
            let message =
                format!("the pickle ends at byte {}, before its end is marked", self.bytes.len());
            return Err(PickleError::new(message));
        };
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    /// A little-endian number without a sign, of at most 8 bytes.
    fn number(&mut self, len: usize) -> Result<u64> {
        let bytes = self.take(len)?;
        Ok(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    /// The text up to the end of the line, which is taken.
    fn line(&mut self) -> Result<&'a str> {
        let rest = &self.bytes[self.at..];
        let len = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        let line = self.take(len)?;
        self.take(1)?;
        match std::str::from_utf8(line) {
            Ok(line) => Ok(line),
            Err(_) => self.fail("has a name that is no text"),
        }
    }

    // The stack.

    fn push(&mut self, value: Value) -> Result<()> {
        let id = Id::try_from(self.values.len());
        let Ok(id) = id else { return self.fail("makes too many values") };
        self.values.push(value);
        self.push_id(id)
    }

    fn push_id(&mut self, id: Id) -> Result<()> {
        self.stack.push(id);
        Ok(())
    }

    fn pop(&mut self) -> Result<Id> {
        let below = self.marks.last().copied().unwrap_or(0);
        match self.stack.len() > below {
            true => Ok(self.stack.pop().expect("a stack that is not empty")),
            false => self.fail("takes a value from an empty stack"),
        }
    }

    /// The value on top of the stack, which stays there.
    fn top(&self) -> Result<Id> {
        match self.stack.last() {
            Some(&id) => Ok(id),
            None => self.fail("takes a value from an empty stack"),
        }
    }

    /// The values above the last mark.
    fn take_to_mark(&mut self) -> Result<Vec<Id>> {
        match self.marks.pop() {
            Some(mark) if mark <= self.stack.len() => Ok(self.stack.split_off(mark)),
            _ => self.fail("has no mark where values begin"),
        }
    }

    fn put(&mut self, index: u64) -> Result<()> {
        let id = self.top()?;
        self.memo.insert(index as u32, id);
        Ok(())
    }

    fn get(&mut self, index: u64) -> Result<()> {
        match self.memo.get(&(index as u32)) {
            Some(&id) => self.push_id(id),
            None => self.fail(&format!("reads entry {index} of its memo, which is empty")),
        }
    }

    // Values.

    fn protocol(&mut self) -> Result<()> {
        match self.take(1)?[0] {
            2..=5 => Ok(()),
            other => self.fail(&format!("has protocol {other}, and 2 to 5 are read")),
        }
    }

    fn integer(&mut self, len: usize) -> Result<()> {
        let number = self.number(len)?;
        // Four bytes have a sign.
        let number = if len == 4 { i64::from(number as u32 as i32) } else { number as i64 };
        self.push(Value::Integer(number))
    }

    /// An integer of at most 255 bytes; one of more than 8 is no size.
    fn long(&mut self) -> Result<()> {
        let len = self.number(1)? as usize;
        let bytes = self.take(len)?;
        if len > 8 {
            return self.push_id(OTHER);
        }
        let negative = bytes.last().is_some_and(|byte| byte & 0x80 != 0);
        let fill = if negative { -1 } else { 0 };
        let number = bytes.iter().rev().fold(fill, |number, &byte| number << 8 | i64::from(byte));
        self.push(Value::Integer(number))
    }

    fn counted_text(&mut self, len: usize) -> Result<()> {
        let Ok(len) = usize::try_from(self.number(len)?) else {
            return self.fail("has a text that is longer than memory");
        };
        let start = self.at;
        if std::str::from_utf8(self.take(len)?).is_err() {
            return self.fail("has a text that is not UTF-8");
        }
        self.push(Value::Text(start..start + len))
    }

    fn tuple(&mut self, len: usize) -> Result<()> {
        let mut items = (0..len).map(|_| self.pop()).collect::<Result<Vec<Id>>>()?;
        items.reverse();
        self.push(Value::Tuple(items))
    }

    fn extend(&mut self, items: Vec<Id>) -> Result<()> {
        let top = self.top()?;
        match &mut self.values[top as usize] {
            Value::List(list) => list.extend(items),
            _ => return self.fail("appends to what is no list"),
        }
        Ok(())
    }

    fn set(&mut self, items: Vec<Id>) -> Result<()> {
        if items.len() % 2 == 1 {
            return self.fail("has a key without a value");
        }
        let top = self.top()?;
        match &mut self.values[top as usize] {
            Value::Dict(dict) => dict.extend(items),
            _ => return self.fail("sets an item of what is no dict"),
        }
        Ok(())
    }

    // What would be a call in Python.

    fn global(&mut self) -> Result<()> {
        let (module, name) = (self.line()?, self.line()?);
        self.push_global(module, name)
    }

    fn stack_global(&mut self) -> Result<()> {
        let (name, module) = (self.pop()?, self.pop()?);
        let (Value::Text(module), Value::Text(name)) = (self.value(module), self.value(name))
        else {
            return self.fail("names a global by what is no text");
        };
        let (module, name) = (self.text(module), self.text(name));
        self.push_global(module, name)
    }

    fn push_global(&mut self, module: &str, name: &str) -> Result<()> {
        match Global::find(module, name) {
            Some(global) => self.push(Value::Global(global)),
            None => Err(PickleError::new(format!(
                "the pickle requests `{module}.{name}`, which is no part of a tensor: save a state dict of \
                 tensors alone"
            ))),
        }
    }

    /// The storage of a tensor: `("storage", type, key, device, number of elements)`.
    fn storage(&mut self) -> Result<()> {
        let id = self.pop()?;
        let Value::Tuple(items) = self.value(id) else {
            return self.fail("has a storage that is no tuple");
        };
        let [kind, class, key, _, len] = items[..] else {
            return self.fail("has a storage that is no tuple of five");
        };
        let (Value::Text(kind), Value::Global(Global::Storage(element)), Value::Text(key)) =
            (self.value(kind), self.value(class), self.value(key))
        else {
            return self.fail("has a storage without a type and a key");
        };
        if self.text(kind) != "storage" {
            return self.fail("has a persistent id that is no storage");
        }
        let (element, key) = (*element, key.clone());
        let len = self.size(len)?;
        self.push(Value::Storage(Storage { element, key, len }))
    }

    fn call(&mut self) -> Result<()> {
        let (arguments, function) = (self.pop()?, self.pop()?);
        let Value::Global(function) = *self.value(function) else {
            return self.fail("calls what is no function");
        };
        let Value::Tuple(items) = self.value(arguments) else {
            return self.fail("calls a function without a tuple of arguments");
        };
        // A tuple may be named again by two bytes: it is not copied as a whole.
        let (count, items) = (items.len(), items.iter().take(MOST_ARGUMENTS).copied());
        let items: Vec<Id> = items.collect();
        match function {
            // Its items follow. Arguments, as Python 2 wrote them, would be a list of pairs.
            Global::OrderedDict if count == 0 => self.push(Value::Dict(Vec::new())),
            Global::OrderedDict => self.fail("makes an OrderedDict of arguments"),
            // `torch.Size` of a tuple.
            Global::Size => match items.first() {
                Some(&sizes) => self.push_id(sizes),
                None => self.push(Value::Tuple(Vec::new())),
            },
            Global::RebuildParameter => match items.first() {
                Some(&tensor) if matches!(self.value(tensor), Value::Tensor(_)) => {
                    self.push_id(tensor)
                }
                _ => self.fail("makes a parameter of what is no tensor"),
            },
            Global::RebuildTensor | Global::RebuildTensorOfType => {
                let tensor = self.tensor(&items, function)?;
                self.push(Value::Tensor(tensor))
            }
            Global::Storage(_) | Global::Element(_) => self.fail("calls what is no function"),
        }
    }

    /// A tensor: `(storage, offset, sizes, strides, …)`, whose elements are in the storage.
    fn tensor(&self, arguments: &[Id], function: Global) -> Result<Tensor> {
        let [storage, offset, sizes, strides, ..] = *arguments else {
            return self.fail("makes a tensor of fewer than four arguments");
        };
        let Value::Storage(Storage { element, len, .. }) = self.value(storage) else {
            return self.fail("makes a tensor without a storage");
        };
        let given = arguments.get(6).map(|&element| self.value(element));
        let element = match (function, element, given) {
            (Global::RebuildTensorOfType, None, Some(Value::Global(Global::Element(element)))) => {
                element
            }
            (Global::RebuildTensor, Some(element), _) => element,
            _ => return self.fail("makes a tensor without an element type"),
        };
        // A storage without an element type counts bytes.
        let len = match function {
            Global::RebuildTensorOfType => len / bytes_of(element),
            _ => *len,
        };
        let (offset, sizes, strides) =
            (self.size(offset)?, self.sizes(sizes)?, self.sizes(strides)?);
        if sizes.len() != strides.len() {
            return self.fail(&format!("has a tensor of sizes {sizes:?} and strides {strides:?}"));
        }
        if let Err(why) = check_strides(offset, &sizes, &strides, len) {
            return self.fail(&format!(
                "has a tensor of sizes {sizes:?} and strides {strides:?} from element {offset} on, {why}"
            ));
        }
        Ok(Tensor { element, storage, offset, sizes, strides })
    }

    fn sizes(&self, id: Id) -> Result<Vec<u64>> {
        match self.value(id) {
            Value::Tuple(items) if items.len() <= LARGEST_RANK => {
                items.iter().map(|&item| self.size(item)).collect()
            }
            Value::Tuple(items) => self.fail(&format!("has a tensor of {} axes", items.len())),
            _ => self.fail("has a tensor whose sizes are no tuple"),
        }
    }

    fn size(&self, id: Id) -> Result<u64> {
        match *self.value(id) {
            Value::Integer(size) if size >= 0 => Ok(size as u64),
            _ => self.fail("has a size or an offset that is no integer from 0 on"),
        }
    }
}

/// Checks that the elements of a tensor are within a storage of `len` elements, and that no two of them share one, except
/// along axes of stride 0.
fn check_strides(
    offset: u64,
    sizes: &[u64],
    strides: &[u64],
    len: u64,
) -> std::result::Result<(), &'static str> {
    const OUTSIDE: &str = "beyond the end of its storage";
    const OVERLAPPING: &str = "whose elements overlap";
    if sizes.contains(&0) {
        return Ok(());
    }
    let axes = strides.iter().copied().zip(sizes.iter().copied());
    let mut axes: Vec<(u64, u64)> = axes.filter(|&(stride, size)| size > 1 && stride > 0).collect();
    axes.sort_unstable();
    // The last element that the axes with smaller strides lead to, from the first one.
    let mut last: u64 = 0;
    for (stride, size) in axes {
        if stride <= last {
            return Err(OVERLAPPING);
        }
        let reach = stride.checked_mul(size - 1).and_then(|reach| reach.checked_add(last));
        last = reach.ok_or(OUTSIDE)?;
    }
    let end = last.checked_add(offset).ok_or(OUTSIDE)?;
    if end < len { Ok(()) } else { Err(OUTSIDE) }
}
