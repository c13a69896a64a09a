//! The machine that a pickle is a program for: a stack of values, and a memo of those that are named again.
//!
//! There is no recursion: values name each other by index. Memory is bounded by the length of the pickle: a value of
//! [`Value`]'s size for at least [`BYTES_OF_VALUE`] of its bytes, and at most 4 bytes for each item on the stack, in the
//! memo, or in a list.

use std::collections::HashMap;

use super::error::PickleError;
use super::opcodes::*;
use super::value::{Call, Global, Id, Rebuild, Span, Storage, Tensor, Value};
use crate::element::{LARGEST_RANK, bytes_of};

/// The values that a pickle made, and the last of them, its result.
pub(crate) struct Machine<'a> {
    bytes: &'a [u8],
    at: usize,
    pub(crate) values: Vec<Value>,
    /// The items of all tuples.
    items: Vec<Id>,
    stack: Vec<Id>,
    /// Positions in the stack.
    marks: Vec<u32>,
    /// The entries of the memo that are numbered from 0 on, as Python numbers them, and all others.
    memo: Vec<Id>,
    other_memo: HashMap<u32, Id>,
    /// The number of items that may still be copied from lists: a pickle may name one list any number of times.
    copies: usize,
}

/// The value of `None`.
const NOTHING: Id = 0;

/// The value of all else that means nothing for tensors.
const PLAIN: Id = 1;

/// The tuple without items.
const EMPTY: Id = 2;

/// The integers from 0 to 255 have the values from here on.
const INTEGERS: Id = 3;

/// The bytes of a pickle for each value that it may make besides those above. What Python writes takes at least two: an
/// instruction, and an argument of it or an instruction that notes its result.
const BYTES_OF_VALUE: usize = 2;

/// The most values of a pickle: 512 MiB of memory.
const MOST_VALUES: usize = 1 << 24;

type Result<T> = std::result::Result<T, PickleError>;

impl<'a> Machine<'a> {
    /// Runs a pickle, and returns its result, and the number of its bytes: others may follow.
    pub(crate) fn run(bytes: &'a [u8]) -> Result<(Self, Id, usize)> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(PickleError::new("the pickle has more than 4 GiB"));
        }
        let integers = (0..=255).map(Value::Integer);
        let constants = [Value::Other, Value::Other, Value::Tuple(Span { start: 0, len: 0 })];
        let mut machine = Self {
            bytes,
            at: 0,
            values: constants.into_iter().chain(integers).collect(),
            items: Vec::new(),
            stack: Vec::new(),
            marks: Vec::new(),
            memo: Vec::new(),
            other_memo: HashMap::new(),
            copies: bytes.len(),
        };
        loop {
            let opcode = machine.take(1)?[0];
            if opcode == STOP {
                let result = machine.pop()?;
                let len = machine.at;
                return Ok((machine, result, len));
            }
            machine.step(opcode)?;
        }
    }

    /// The text of a range.
    pub(crate) fn text(&self, span: Span) -> &'a str {
        let start = span.start as usize;
        std::str::from_utf8(&self.bytes[start..][..span.len as usize]).unwrap_or_default()
    }

    pub(crate) fn value(&self, id: Id) -> &Value {
        &self.values[id as usize]
    }

    /// The items of a tuple.
    pub(crate) fn tuple_of(&self, span: Span) -> &[Id] {
        &self.items[span.start as usize..][..span.len as usize]
    }

    /// The name of a class or a function: `torch.nn.Linear`.
    pub(crate) fn name_of(&self, global: Id) -> String {
        match *self.value(global) {
            Value::Global(Global::Unknown { module, name }) => {
                format!("{}.{}", shortened(self.text(module)), shortened(self.text(name)))
            }
            Value::Global(Global::RebuildParameter) => "torch.nn.Parameter".to_owned(),
            _ => "torch.Tensor".to_owned(),
        }
    }

    fn step(&mut self, opcode: u8) -> Result<()> {
        match opcode {
            PROTO => self.protocol(),
            FRAME => self.take(8).map(|_| ()),
            MARK => {
                self.marks.push(self.stack.len() as u32);
                Ok(())
            }
            POP => self.pop().map(|_| ()),
            POP_MARK => self.take_to_mark().map(|_| ()),
            DUP => self.top().and_then(|id| self.push_id(id)),
            NONE => self.push_id(NOTHING),
            BINFLOAT => self.take(8).and_then(|_| self.push_id(PLAIN)),
            NEWTRUE => self.push_integer(1),
            NEWFALSE => self.push_integer(0),
            BININT => self.integer(4),
            BININT1 => self.integer(1),
            BININT2 => self.integer(2),
            INT => self.decimal(),
            LONG1 => self.long(1),
            LONG4 => self.long(4),
            BINUNICODE | BINSTRING => self.counted_text(4, opcode == BINUNICODE),
            SHORT_BINUNICODE | SHORT_BINSTRING => self.counted_text(1, opcode == SHORT_BINUNICODE),
            BINUNICODE8 => self.counted_text(8, true),
            SHORT_BINBYTES => self.skip_counted(1),
            BINBYTES => self.skip_counted(4),
            BINBYTES8 | BYTEARRAY8 => self.skip_counted(8),
            EMPTY_LIST => self.push(Value::List(Vec::new())),
            EMPTY_DICT => self.push(Value::Dict(Vec::new())),
            EMPTY_SET => self.push_id(PLAIN),
            FROZENSET => self.take_to_mark().and_then(|_| self.push_id(PLAIN)),
            ADDITEMS => self.take_to_mark().and_then(|_| self.top()).map(|_| ()),
            EMPTY_TUPLE => self.push_id(EMPTY),
            TUPLE1 => self.tuple(1),
            TUPLE2 => self.tuple(2),
            TUPLE3 => self.tuple(3),
            TUPLE => {
                let start = self.mark()?;
                self.tuple(self.stack.len() - start)
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
            BUILD => self.build(),
            BINPUT => self.number(1).and_then(|index| self.put(index)),
            LONG_BINPUT => self.number(4).and_then(|index| self.put(index)),
            MEMOIZE => self.put((self.memo.len() + self.other_memo.len()) as u64),
            BINGET => self.number(1).and_then(|index| self.get(index)),
            LONG_BINGET => self.number(4).and_then(|index| self.get(index)),
            GLOBAL => self.global(),
            STACK_GLOBAL => self.stack_global(),
            BINPERSID => self.persistent(),
            REDUCE | NEWOBJ => {
                let (arguments, function) = (self.pop()?, self.pop()?);
                self.call(function, arguments)
            }
            NEWOBJ_EX => {
                let (_, arguments, function) = (self.pop()?, self.pop()?, self.pop()?);
                self.call(function, arguments)
            }
            other => {
                self.fail(&format!("has the instruction {other:#04x}, which tensors do not need"))
            }
        }
    }

    fn fail<T>(&self, what: &str) -> Result<T> {
        fail_at(self.at, what)
    }

    // The parts of an instruction.

    fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(len).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or_else(|| PickleError::short(self.bytes.len()))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    /// A little-endian number without a sign, of at most 8 bytes.
    fn number(&mut self, len: usize) -> Result<u64> {
        let bytes = self.take(len)?;
        Ok(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    /// A number of bytes that follow.
    fn count(&mut self, len: usize) -> Result<usize> {
        let Ok(count) = usize::try_from(self.number(len)?) else {
            return self.fail("has a text that is longer than memory");
        };
        Ok(count)
    }

    /// The text up to the end of the line, which is taken.
    fn line(&mut self) -> Result<Span> {
        let rest = &self.bytes[self.at..];
        let len = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        let (start, line) = (self.at, self.take(len)?);
        self.take(1)?;
        match std::str::from_utf8(line) {
            Ok(_) => Ok(Span { start: start as u32, len: len as u32 }),
            Err(_) => self.fail("has a name that is no text"),
        }
    }

    // The stack.

    fn push(&mut self, value: Value) -> Result<()> {
        let most = MOST_VALUES.min(self.bytes.len() / BYTES_OF_VALUE) + INTEGERS as usize + 256;
        if self.values.len() == most {
            return self.fail(&format!(
                "makes more than {MOST_VALUES} values, or more than one for {BYTES_OF_VALUE} of its bytes"
            ));
        }
        self.values.push(value);
        self.push_id((self.values.len() - 1) as Id)
    }

    fn push_id(&mut self, id: Id) -> Result<()> {
        self.stack.push(id);
        Ok(())
    }

    fn push_integer(&mut self, number: i64) -> Result<()> {
        match u8::try_from(number) {
            Ok(number) => self.push_id(INTEGERS + Id::from(number)),
            Err(_) => self.push(Value::Integer(number)),
        }
    }

    fn pop(&mut self) -> Result<Id> {
        let below = self.marks.last().map_or(0, |&mark| mark as usize);
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

    /// The position in the stack of the last mark, which is removed.
    fn mark(&mut self) -> Result<usize> {
        match self.marks.pop() {
            Some(mark) if mark as usize <= self.stack.len() => Ok(mark as usize),
            _ => self.fail("has no mark where values begin"),
        }
    }

    /// The values above the last mark.
    fn take_to_mark(&mut self) -> Result<Vec<Id>> {
        let mark = self.mark()?;
        Ok(self.stack.split_off(mark))
    }

    fn put(&mut self, index: u64) -> Result<()> {
        let (id, index) = (self.top()?, index as u32);
        let len = self.memo.len();
        match self.memo.get_mut(index as usize) {
            Some(entry) => *entry = id,
            None if index as usize == len => {
                self.memo.push(id);
                self.other_memo.remove(&index);
            }
            None => _ = self.other_memo.insert(index, id),
        }
        Ok(())
    }

    fn get(&mut self, index: u64) -> Result<()> {
        let entry = self.memo.get(index as usize).or_else(|| self.other_memo.get(&(index as u32)));
        match entry {
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
        self.push_integer(number)
    }

    /// Digits, as Python 2 wrote integers of more than 32 bits.
    fn decimal(&mut self) -> Result<()> {
        let line = self.line()?;
        match self.text(line).trim().parse() {
            Ok(number) => self.push_integer(number),
            Err(_) => self.push_id(PLAIN),
        }
    }

    /// An integer of any number of bytes; one of more than 8 is no size.
    fn long(&mut self, len: usize) -> Result<()> {
        let len = self.count(len)?;
        let bytes = self.take(len)?;
        if len > 8 {
            return self.push_id(PLAIN);
        }
        let negative = bytes.last().is_some_and(|byte| byte & 0x80 != 0);
        let fill = if negative { -1 } else { 0 };
        let number = bytes.iter().rev().fold(fill, |number, &byte| number << 8 | i64::from(byte));
        self.push_integer(number)
    }

    /// Text, or a string of Python 2, which may have any bytes.
    fn counted_text(&mut self, len: usize, is_text: bool) -> Result<()> {
        let len = self.count(len)?;
        let start = self.at;
        let is_utf8 = std::str::from_utf8(self.take(len)?).is_ok();
        match (is_utf8, is_text) {
            (true, _) => self.push(Value::Text(Span { start: start as u32, len: len as u32 })),
            (false, false) => self.push_id(PLAIN),
            (false, true) => self.fail("has a text that is not UTF-8"),
        }
    }

    fn skip_counted(&mut self, len: usize) -> Result<()> {
        let len = self.count(len)?;
        self.take(len)?;
        self.push_id(PLAIN)
    }

    /// A tuple of the last items of the stack.
    fn tuple(&mut self, len: usize) -> Result<()> {
        let start = self.items.len();
        for _ in 0..len {
            let item = self.pop()?;
            self.items.push(item);
        }
        self.items[start..].reverse();
        match len {
            0 => self.push_id(EMPTY),
            _ => self.push(Value::Tuple(Span { start: start as u32, len: len as u32 })),
        }
    }

    fn extend(&mut self, items: Vec<Id>) -> Result<()> {
        let top = self.top()?;
        match &mut self.values[top as usize] {
            Value::List(list) if list.is_empty() => *list = items,
            Value::List(list) => list.extend(items),
            Value::Object(_) => {}
            _ if top == PLAIN => {}
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
            Value::Dict(dict) if dict.is_empty() => *dict = items,
            Value::Dict(dict) => dict.extend(items),
            Value::Object(_) => {}
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
        let (&Value::Text(module), &Value::Text(name)) = (self.value(module), self.value(name))
        else {
            return self.fail("names a global by what is no text");
        };
        self.push_global(module, name)
    }

    fn push_global(&mut self, module: Span, name: Span) -> Result<()> {
        let known = Global::find(self.text(module), self.text(name));
        self.push(Value::Global(known.unwrap_or(Global::Unknown { module, name })))
    }

    /// What is not in the pickle: a storage, `("storage", type, key, device, number of elements)`, or, before version 1.6,
    /// also a class with its source, `("module", class, file, source)`, and a view of a storage as a sixth item, `(key,
    /// first element, number of elements)`.
    fn persistent(&mut self) -> Result<()> {
        let id = self.pop()?;
        let &Value::Tuple(items) = self.value(id) else {
            return self.fail("has a storage that is no tuple");
        };
        let items = self.tuple_of(items);
        if let [kind, class, ..] = *items
            && matches!(self.value(kind), &Value::Text(kind) if self.text(kind) == "module")
        {
            return self.push_id(class);
        }
        let ([kind, class, key, _, len] | [kind, class, key, _, len, _]) = *items else {
            return self.fail("has a storage that is no tuple of five or six");
        };
        let view = items.get(5).copied().unwrap_or(NOTHING);
        let (&Value::Text(kind), &Value::Global(global), &Value::Text(key)) =
            (self.value(kind), self.value(class), self.value(key))
        else {
            return self.fail("has a storage without a type and a key");
        };
        if self.text(kind) != "storage" {
            return self.fail("has a persistent id that is no storage");
        }
        let element = match global {
            Global::Storage(element) => element,
            Global::Unknown { .. } => return self.push(Value::Object(class)),
            _ => return self.fail("has a storage without a type and a key"),
        };
        let len = self.size(len)?;
        let view = match *self.value(view) {
            _ if view == NOTHING => (0, len),
            Value::Tuple(view) => match *self.tuple_of(view) {
                [_, start, count] => (self.size(start)?, self.size(count)?),
                _ => return self.fail("has a view of a storage that is no tuple of three"),
            },
            _ => return self.fail("has a view of a storage that is no tuple of three"),
        };
        if view.0.checked_add(view.1).is_none_or(|end| end > len) {
            return self.fail("has a view of a storage that ends beyond it");
        }
        self.push(Value::Storage(Box::new(Storage { element, key, len, view })))
    }

    fn call(&mut self, function: Id, arguments: Id) -> Result<()> {
        let global = match *self.value(function) {
            Value::Global(global) => global,
            // What an unknown function returns is unknown.
            Value::Object(_) => return self.push_id(function),
            _ => return self.fail("calls what is no function"),
        };
        let &Value::Tuple(arguments) = self.value(arguments) else {
            return self.fail("calls a function without a tuple of arguments");
        };
        let first = self.tuple_of(arguments).first().copied();
        match global {
            Global::Unknown { module, .. } => {
                // `copyreg._reconstructor` makes an object of the class that is its first argument.
                let is_copyreg = matches!(self.text(module), "copyreg" | "copy_reg");
                let class = first.filter(|&class| {
                    is_copyreg && matches!(self.value(class), Value::Global(Global::Unknown { .. }))
                });
                self.push(Value::Object(class.unwrap_or(function)))
            }
            Global::Plain => self.push_id(PLAIN),
            Global::TensorClass => self.push(Value::Object(function)),
            Global::Dict => self.dict(first),
            // `torch.Size` of a tuple.
            Global::Size => self.push_id(first.unwrap_or(EMPTY)),
            Global::RebuildParameter => match first {
                Some(tensor)
                    if matches!(self.value(tensor), Value::Tensor(_) | Value::Object(_)) =>
                {
                    self.push_id(tensor)
                }
                // Its state follows.
                None => self.push(Value::Object(function)),
                _ => self.fail("makes a parameter of what is no tensor"),
            },
            Global::Rebuild(function) => self.rebuild(function, arguments),
            Global::RebuildFromType => {
                let &[function, _, arguments, ..] = self.tuple_of(arguments) else {
                    return self.fail("makes a tensor of fewer than three arguments");
                };
                match (self.value(function), self.value(arguments)) {
                    (&Value::Global(Global::Rebuild(function)), &Value::Tuple(arguments)) => {
                        self.rebuild(function, arguments)
                    }
                    (Value::Global(_), _) => self.push(Value::Object(function)),
                    _ => self.fail("makes a tensor by what is no function"),
                }
            }
            Global::Storage(_) | Global::Element(_) => self.fail("calls what is no function"),
        }
    }

    /// A dict of another one or, as Python 2 wrote an `OrderedDict`, of a list of pairs. Items may follow.
    fn dict(&mut self, argument: Option<Id>) -> Result<()> {
        let list = match argument.map(|argument| self.value(argument)) {
            Some(Value::Dict(_)) => return self.push_id(argument.unwrap_or(NOTHING)),
            Some(Value::List(list)) => list,
            _ => return self.push(Value::Dict(Vec::new())),
        };
        let mut dict = Vec::new();
        let Some(copies) = self.copies.checked_sub(2 * list.len()) else {
            return self.fail("makes dicts of the same list again and again");
        };
        for &pair in list {
            match self.value(pair) {
                Value::List(pair) if pair.len() == 2 => dict.extend(pair),
                Value::Tuple(pair) if pair.len == 2 => dict.extend(self.tuple_of(*pair)),
                _ => return self.fail("makes a dict of a list whose items are no pairs"),
            }
        }
        self.copies = copies;
        self.push(Value::Dict(dict))
    }

    /// The state of an object, such as the versions of modules. Tensors had one before version 0.4: `(storage, offset,
    /// sizes, strides)`, and parameters: `(tensor, …)`.
    fn build(&mut self) -> Result<()> {
        let (state, top) = (self.pop()?, self.top()?);
        let (&Value::Object(class), &Value::Tuple(arguments)) =
            (self.value(top), self.value(state))
        else {
            return Ok(());
        };
        let first = self.tuple_of(arguments).first().map(|&first| self.value(first));
        let at = self.at as u32;
        let tensor = match (self.value(class), first) {
            (Value::Global(Global::TensorClass), Some(Value::Storage(_))) => {
                Some(Value::Tensor(Call { function: Rebuild::Tensor, arguments, at }))
            }
            (Value::Global(Global::RebuildParameter), Some(&Value::Tensor(tensor))) => {
                Some(Value::Tensor(tensor))
            }
            _ => None,
        };
        if let Some(tensor) = tensor {
            self.values[top as usize] = tensor;
        }
        Ok(())
    }

    /// Notes a tensor. One whose storage is unknown is unknown, too.
    fn rebuild(&mut self, function: Rebuild, arguments: Span) -> Result<()> {
        match self.tuple_of(arguments).first() {
            Some(&storage) if matches!(self.value(storage), Value::Object(_)) => {
                self.push_id(storage)
            }
            _ => self.push(Value::Tensor(Call { function, arguments, at: self.at as u32 })),
        }
    }

    /// A tensor: `(storage, offset, sizes, strides, requires_grad, hooks, …)`, whose elements are in the storage. Of
    /// `_rebuild_tensor_v3`, the element type follows, and of both, a dict of what else distinguishes it.
    pub(crate) fn tensor(&self, call: Call) -> Result<Tensor> {
        let arguments = self.tuple_of(call.arguments);
        let fail = |what: &str| fail_at(call.at as usize, what);
        let [storage, offset, sizes, strides, ..] = *arguments else {
            return fail("makes a tensor of fewer than four arguments");
        };
        let Value::Storage(storage) = self.value(storage) else {
            return fail("makes a tensor without a storage");
        };
        let given = arguments.get(6).map(|&element| self.value(element));
        let (element, metadata) = match (call.function, storage.element, given) {
            (Rebuild::TensorOfType, None, Some(&Value::Global(Global::Element(element)))) => {
                (element, arguments.get(7))
            }
            (Rebuild::Tensor, Some(element), _) => (element, arguments.get(6)),
            _ => return fail("makes a tensor without an element type"),
        };
        // A storage without an element type counts bytes.
        let (start, len) = match call.function {
            Rebuild::TensorOfType if storage.view == (0, storage.len) => {
                (0, storage.len / bytes_of(element))
            }
            Rebuild::TensorOfType => return fail("has a view of a storage of bytes"),
            Rebuild::Tensor => storage.view,
        };
        let at = call.at as usize;
        let (offset, sizes, strides) =
            (self.size_at(at, offset)?, self.sizes(at, sizes)?, self.sizes(at, strides)?);
        if sizes.len() != strides.len() {
            return fail(&format!("has a tensor of sizes {sizes:?} and strides {strides:?}"));
        }
        if let Err(why) = check_strides(offset, &sizes, &strides, len) {
            return fail(&format!(
                "has a tensor of sizes {sizes:?} and strides {strides:?} from element {offset} on, {why}"
            ));
        }
        let Some(offset) = offset.checked_add(start) else {
            return fail("has a tensor that begins beyond the end of its storage");
        };
        let negated = self.is_negated(at, element, metadata.copied())?;
        Ok(Tensor { element, key: storage.key, offset, sizes, strides, negated })
    }

    /// Whether the elements of a tensor are those of its storage with the other sign: a view of the imaginary part of
    /// conjugates.
    fn is_negated(&self, at: usize, element: &str, metadata: Option<Id>) -> Result<bool> {
        // No element type of Rust is complex, so that nothing is read.
        if element.starts_with("complex") {
            return Ok(false);
        }
        let items = match metadata.map(|id| (id, self.value(id))) {
            None | Some((NOTHING, _)) => return Ok(false),
            Some((_, Value::Dict(items))) => items,
            _ => return fail_at(at, "has a tensor whose metadata are no dict"),
        };
        let mut negated = false;
        for pair in items.chunks_exact(2) {
            let &Value::Text(key) = self.value(pair[0]) else { continue };
            let is_set = !matches!(self.value(pair[1]), Value::Integer(0)) && pair[1] != NOTHING;
            match self.text(key) {
                _ if !is_set => {}
                "neg" if matches!(element, "f64" | "f32" | "f16" | "bf16") => negated = true,
                // The conjugates of real numbers are the same numbers.
                "conj" => {}
                other => {
                    let other = shortened(other);
                    let why = format!(
                        "has a tensor of {element} with `{other}` set, which is not read: save a `clone()` of it"
                    );
                    return fail_at(at, &why);
                }
            }
        }
        Ok(negated)
    }

    fn sizes(&self, at: usize, id: Id) -> Result<Vec<u64>> {
        match self.value(id) {
            Value::Tuple(items) if items.len as usize <= LARGEST_RANK => {
                self.tuple_of(*items).iter().map(|&item| self.size_at(at, item)).collect()
            }
            Value::Tuple(items) => fail_at(at, &format!("has a tensor of {} axes", items.len)),
            _ => fail_at(at, "has a tensor whose sizes are no tuple"),
        }
    }

    fn size(&self, id: Id) -> Result<u64> {
        self.size_at(self.at, id)
    }

    fn size_at(&self, at: usize, id: Id) -> Result<u64> {
        match *self.value(id) {
            Value::Integer(size) if size >= 0 => Ok(size as u64),
            _ => fail_at(at, "has a size or an offset that is no integer from 0 on"),
        }
    }
}

/// The error of a pickle at this byte.
fn fail_at<T>(at: usize, what: &str) -> Result<T> {
    Err(PickleError::new(format!("the pickle {what} (at byte {at})")))
}

/// The beginning of a name in a message.
fn shortened(name: &str) -> &str {
    let end = name.char_indices().nth(100).map_or(name.len(), |(end, _)| end);
    &name[..end]
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
