//! Operations on each element.

use super::graph::{Graph, Value};
use super::text::Operation;
use crate::element::Element;

/// The element type in which runtimes compute what the type has in StableHLO: wide integers wrap around when they are cast
/// back.
pub(super) fn computed(element: Element) -> Element {
    match element {
        Element::F16 | Element::Bf16 => Element::F32,
        Element::I8 | Element::I16 | Element::U8 | Element::U16 | Element::U32 | Element::U64 => {
            Element::I64
        }
        Element::Bool => Element::I32,
        other => other,
    }
}

impl Graph {
    /// The result of an element-wise operation, also of one in a region; `None` of others.
    pub fn elementwise(
        &mut self,
        operation: &Operation,
        x: &[Value],
    ) -> Result<Option<Value>, String> {
        let result = match (&operation.name[..], x) {
            ("convert", [x]) => self.cast(x, operation.results[0].element),
            ("select", [mask, a, b]) => self.select(mask, a, b),
            ("compare", [a, b]) => {
                let direction = operation.attribute("comparison_direction")?;
                let direction = direction.trim_end_matches('>').rsplit(' ').next().unwrap_or("");
                self.compare(direction, a, b)?
            }
            (name, [a]) => match self.unary(name, operation, a)? {
                Some(result) => result,
                None => return Ok(None),
            },
            (name, [a, b]) => match self.binary(name, a, b)? {
                Some(result) => result,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        Ok(Some(result))
    }

    fn unary(
        &mut self,
        name: &str,
        operation: &Operation,
        x: &Value,
    ) -> Result<Option<Value>, String> {
        let element = x.element();
        if name == "not" {
            return Ok(Some(match element {
                Element::Bool => self.on_elements("Not", &[x], element),
                _ => self.on_elements("BitwiseNot", &[x], element),
            }));
        }
        if name == "is_finite" {
            let wide = self.cast(x, computed(element));
            let (infinite, nan) = (self.is("IsInf", &wide), self.is("IsNaN", &wide));
            let not = self.on_elements("Or", &[&infinite, &nan], Element::Bool);
            return Ok(Some(self.on_elements("Not", &[&not], Element::Bool)));
        }
        let unsigned = element.is_integer() && !element.is_signed();
        if name == "custom_call" {
            return match operation.attribute("call_target_name")? {
                "\"mhlo.erf\"" => {
                    let wide = self.cast(x, computed(element));
                    let result = self.on_elements("Erf", &[&wide], wide.element());
                    Ok(Some(self.cast(&result, element)))
                }
                other => Err(format!("a call of {other}")),
            };
        }
        let direct = match name {
            // Of integers without a sign.
            "abs" if unsigned => return Ok(Some(x.clone())),
            "abs" => "Abs",
            "negate" => "Neg",
            "ceil" => "Ceil",
            "floor" => "Floor",
            "round_nearest_even" => "Round",
            "cosine" => "Cos",
            "sine" => "Sin",
            "tan" => "Tan",
            "tanh" => "Tanh",
            "exponential" => "Exp",
            "log" => "Log",
            "sqrt" => "Sqrt",
            "logistic" => "Sigmoid",
            "sign" => "Sign",
            "exponential_minus_one" | "log_plus_one" | "rsqrt" | "popcnt" => "",
            _ => return Ok(None),
        };
        let wide = computed(element);
        let x = &self.cast(x, wide);
        let result = match name {
            "rsqrt" => {
                let (one, root) = (self.like(1.0, x), self.on_elements("Sqrt", &[x], wide));
                self.on_elements("Div", &[&one, &root], wide)
            }
            "exponential_minus_one" => self.exponential_minus_one(x),
            "log_plus_one" => self.log_plus_one(x),
            "popcnt" => return Err("ONNX does not count bits".to_owned()),
            _ => self.on_elements(direct, &[x], wide),
        };
        Ok(Some(self.cast(&result, element)))
    }

    /// `2 t / (1 - t)` with `t = tanh(x / 2)`, which is exact near 0, and `e^x - 1` elsewhere.
    fn exponential_minus_one(&mut self, x: &Value) -> Value {
        let element = x.element();
        let [half, one, two] = [0.5, 1.0, 2.0].map(|number| self.like(number, x));
        let halved = self.on_elements("Mul", &[x, &half], element);
        let t = self.on_elements("Tanh", &[&halved], element);
        let (above, below) = (
            self.on_elements("Mul", &[&t, &two], element),
            self.on_elements("Sub", &[&one, &t], element),
        );
        let near = self.on_elements("Div", &[&above, &below], element);
        let power = self.on_elements("Exp", &[x], element);
        let far = self.on_elements("Sub", &[&power, &one], element);
        let size = self.on_elements("Abs", &[x], element);
        let is_near = self.on_elements("Less", &[&size, &half], Element::Bool);
        // The zero of each sign.
        let zero = self.like(0.0, x);
        let is_zero = self.on_elements("Equal", &[x, &zero], Element::Bool);
        let result = self.select(&is_near, &near, &far);
        self.select(&is_zero, x, &result)
    }

    /// `ln(u) · x / (u - 1)` with `u = 1 + x`, rounded: W. Kahan's way.
    fn log_plus_one(&mut self, x: &Value) -> Value {
        let element = x.element();
        let one = self.like(1.0, x);
        let sum = self.on_elements("Add", &[x, &one], element);
        let rest = self.on_elements("Sub", &[&sum, &one], element);
        let log = self.on_elements("Log", &[&sum], element);
        let ratio = self.on_elements("Div", &[x, &rest], element);
        let exact = self.on_elements("Mul", &[&log, &ratio], element);
        let is_infinite = self.is("IsInf", &sum);
        let result = self.select(&is_infinite, &log, &exact);
        let is_small = self.on_elements("Equal", &[&sum, &one], Element::Bool);
        self.select(&is_small, x, &result)
    }

    fn binary(&mut self, name: &str, a: &Value, b: &Value) -> Result<Option<Value>, String> {
        let element = a.element();
        if let Some(of_bits) = match name {
            "and" => Some(["And", "BitwiseAnd"]),
            "or" => Some(["Or", "BitwiseOr"]),
            "xor" => Some(["Xor", "BitwiseXor"]),
            _ => None,
        } {
            let operator = of_bits[usize::from(element != Element::Bool)];
            return Ok(Some(self.on_elements(operator, &[a, b], element)));
        }
        if name.starts_with("shift_") {
            return self.shift(name, a, b).map(Some);
        }
        let direct = match name {
            "add" => "Add",
            "subtract" => "Sub",
            "multiply" => "Mul",
            "divide" => "Div",
            "maximum" => "Max",
            "minimum" => "Min",
            "power" => "Pow",
            "remainder" | "atan2" => "",
            _ => return Ok(None),
        };
        let needs_order = matches!(name, "divide" | "maximum" | "minimum" | "power" | "remainder");
        if element == Element::U64 && needs_order {
            return Err(
                "runtimes of ONNX do not order integers of 64 bits without a sign".to_owned()
            );
        }
        let wide = computed(element);
        let (a, b) = (&self.cast(a, wide), &self.cast(b, wide));
        let result = match name {
            "remainder" if wide.is_float() => {
                let attributes = vec![("fmod", super::write::Attribute::Int(1))];
                self.on_elements_with("Mod", &[a, b], attributes, wide)
            }
            "remainder" => {
                let quotient = self.on_elements("Div", &[a, b], wide);
                let product = self.on_elements("Mul", &[&quotient, b], wide);
                self.on_elements("Sub", &[a, &product], wide)
            }
            "atan2" => self.atan2(a, b),
            _ => self.on_elements(direct, &[a, b], wide),
        };
        Ok(Some(self.cast(&result, element)))
    }

    /// `atan2(y, x)` by the arctangent of the quotient, for the half plane of `x`.
    fn atan2(&mut self, y: &Value, x: &Value) -> Value {
        let element = y.element();
        let [zero, one] = [0.0, 1.0].map(|number| self.like(number, x));
        let pi = [std::f64::consts::PI, -std::f64::consts::PI].map(|number| self.like(number, x));
        let mut is_negative = |of: &Value| {
            let inverse = self.on_elements("Div", &[&one, of], element);
            let below = self.on_elements("Less", &[of, &zero], Element::Bool);
            let of_zero = self.on_elements("Less", &[&inverse, &zero], Element::Bool);
            self.on_elements("Or", &[&below, &of_zero], Element::Bool)
        };
        let (y_negative, x_negative) = (is_negative(y), is_negative(x));
        let signs = [y, x].map(|of| self.on_elements("Sign", &[of], element));
        let infinite = [y, x].map(|of| self.is("IsInf", of));
        let zeros = [y, x].map(|of| self.on_elements("Equal", &[of, &zero], Element::Bool));
        let both_infinite = self.on_elements("And", &[&infinite[0], &infinite[1]], Element::Bool);
        let both_zero = self.on_elements("And", &[&zeros[0], &zeros[1]], Element::Bool);
        let quotient = self.on_elements("Div", &[y, x], element);
        let diagonal = self.on_elements("Mul", &[&signs[0], &signs[1]], element);
        let quotient = self.select(&both_infinite, &diagonal, &quotient);
        let quotient = self.select(&both_zero, y, &quotient);
        let angle = self.on_elements("Atan", &[&quotient], element);
        let turn = self.select(&y_negative, &pi[1], &pi[0]);
        // Of the quotient of zeros, which is the one of `y`, the angle is 0.
        let base = self.select(&both_zero, &zero, &angle);
        let turned = self.on_elements("Add", &[&base, &turn], element);
        self.select(&x_negative, &turned, &angle)
    }

    fn shift(&mut self, name: &str, a: &Value, b: &Value) -> Result<Value, String> {
        let element = a.element();
        let unsigned = match element.bytes() {
            1 => Element::U8,
            2 => Element::U16,
            4 => Element::U32,
            _ => Element::U64,
        };
        let direction = if name == "shift_left" { "LEFT" } else { "RIGHT" };
        let attributes = vec![("direction", super::write::Attribute::Text(direction))];
        let amount = self.cast(b, unsigned);
        let by = |graph: &mut Self, x: &Value| {
            let bits = graph.cast(x, unsigned);
            let moved =
                graph.on_elements_with("BitShift", &[&bits, &amount], attributes.clone(), unsigned);
            // All bits are lost where there are no more of them.
            let (limit, zero) = (8 * element.bytes(), graph.number(0.0, x.sizes(), unsigned));
            let limit = graph.number(limit as f64, x.sizes(), Element::I64);
            let wide = graph.cast(&amount, Element::I64);
            let is_within = graph.on_elements("Less", &[&wide, &limit], Element::Bool);
            let moved = graph.select(&is_within, &moved, &zero);
            graph.cast(&moved, element)
        };
        if name != "shift_right_arithmetic" || !element.is_signed() {
            return Ok(by(self, a));
        }
        // Of a negative number the complement is moved, so that ones follow.
        let zero = self.like(0.0, a);
        let is_negative = self.compare("LT", a, &zero)?;
        let complement = self.on_elements("BitwiseNot", &[a], element);
        let (moved, of_complement) = (by(self, a), by(self, &complement));
        let negative = self.on_elements("BitwiseNot", &[&of_complement], element);
        Ok(self.select(&is_negative, &negative, &moved))
    }

    /// A mask of a comparison: `LT`, `LE`, `GT`, `GE`, `EQ` or `NE`.
    pub fn compare(&mut self, direction: &str, a: &Value, b: &Value) -> Result<Value, String> {
        let element = a.element();
        let operator = match direction {
            "LT" => "Less",
            "LE" => "LessOrEqual",
            "GT" => "Greater",
            "GE" => "GreaterOrEqual",
            "EQ" | "NE" => "Equal",
            _ => return Err(format!("a comparison `{direction}`")),
        };
        let wide = if element == Element::Bool && operator == "Equal" {
            element
        } else {
            computed(element)
        };
        let mut pair = [a, b].map(|x| self.cast(x, wide));
        if element == Element::U64 && operator != "Equal" {
            // The order of integers without a sign is that with the highest bit flipped.
            let lowest = self
                .bytes(super::text::Type::new(&[], Element::I64), i64::MIN.to_le_bytes().to_vec());
            let lowest = Value { name: lowest, stored: Vec::new(), ty: pair[0].ty.clone() };
            pair = pair.map(|x| self.on_elements("BitwiseXor", &[&x, &lowest], Element::I64));
        }
        let mask = self.on_elements(operator, &[&pair[0], &pair[1]], Element::Bool);
        Ok(if direction == "NE" { self.on_elements("Not", &[&mask], Element::Bool) } else { mask })
    }

    pub fn select(&mut self, mask: &Value, a: &Value, b: &Value) -> Value {
        let element = a.element();
        let wide = match element {
            Element::F16 | Element::Bf16 => Element::F32,
            Element::I8 | Element::I16 | Element::U16 | Element::Bool => Element::I32,
            Element::U32 | Element::U64 => Element::I64,
            other => other,
        };
        let (a, b) = (self.cast(a, wide), self.cast(b, wide));
        // The sizes are those of the operands: a mask of one element may choose between tensors.
        let result = self.on_elements("Where", &[mask, &a, &b], wide);
        let result = Value { ty: super::text::Type::new(a.sizes(), wide), ..result };
        self.cast(&result, element)
    }

    /// `IsNaN` or `IsInf`.
    pub fn is(&mut self, operator: &'static str, x: &Value) -> Value {
        self.on_elements(operator, &[x], Element::Bool)
    }

    /// A number with the type of a value.
    pub fn like(&mut self, number: f64, x: &Value) -> Value {
        self.number(number, x.sizes(), x.element())
    }
}
