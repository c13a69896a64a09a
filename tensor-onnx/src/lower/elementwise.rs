//! Operations on elements.

use super::{Call, Lower, Results, reason};
use crate::element::Element;
use crate::function::Value;
use crate::reason::Reasoned;

pub const TABLE: &[(&str, Lower)] = &[
    ("Abs", |call| call.unary("abs")),
    ("Acos", |call| call.unary("acos")),
    ("Acosh", |call| call.unary("acosh")),
    ("Asin", |call| call.unary("asin")),
    ("Asinh", |call| call.unary("asinh")),
    ("Atan", |call| call.unary("atan")),
    ("Atanh", |call| call.unary("atanh")),
    ("BitwiseNot", |call| call.unary("!")),
    ("Ceil", |call| call.unary("ceil")),
    ("Cos", |call| call.unary("cos")),
    ("Cosh", |call| call.unary("cosh")),
    ("Erf", |call| call.unary("erf")),
    ("Exp", |call| call.unary("exp")),
    ("Floor", |call| call.unary("floor")),
    ("IsNaN", |call| call.unary("is_nan")),
    ("Log", |call| call.unary("ln")),
    ("Neg", |call| call.unary("-")),
    ("Not", |call| call.unary("!")),
    ("Reciprocal", |call| call.unary("reciprocal")),
    ("Relu", relu),
    ("Round", |call| call.unary("round")),
    ("Sigmoid", |call| call.unary("sigmoid")),
    ("Sign", |call| call.unary("sign")),
    ("Sin", |call| call.unary("sin")),
    ("Sinh", |call| call.unary("sinh")),
    ("Softplus", |call| call.unary("softplus")),
    ("Sqrt", |call| call.unary("sqrt")),
    ("Tan", |call| call.unary("tan")),
    ("Tanh", |call| call.unary("tanh")),
    ("Add", |call| call.operator("+")),
    ("Sub", |call| call.operator("-")),
    ("Mul", |call| call.operator("*")),
    ("Div", |call| call.operator("/")),
    ("And", |call| call.operator("&")),
    ("Or", |call| call.operator("|")),
    ("Xor", |call| call.operator("^")),
    ("BitwiseAnd", |call| call.operator("&")),
    ("BitwiseOr", |call| call.operator("|")),
    ("BitwiseXor", |call| call.operator("^")),
    ("BitShift", bit_shift),
    ("Mod", modulo),
    ("Pow", pow),
    ("Equal", |call| call.comparison("equal")),
    ("Greater", |call| call.comparison("greater")),
    ("GreaterOrEqual", |call| call.comparison("greater_equal")),
    ("Less", |call| call.comparison("less")),
    ("LessOrEqual", |call| call.comparison("less_equal")),
    ("Max", |call| call.variadic("maximum")),
    ("Min", |call| call.variadic("minimum")),
    ("Sum", |call| call.variadic("+")),
    ("Mean", mean),
    ("Where", where_),
    ("Clip", clip),
    ("Gelu", gelu),
    ("Elu", elu),
    ("Celu", celu),
    ("Selu", selu),
    ("LeakyRelu", leaky_relu),
    ("PRelu", prelu),
    ("ThresholdedRelu", thresholded_relu),
    ("HardSigmoid", hard_sigmoid),
    ("HardSwish", hard_swish),
    ("Swish", swish),
    ("SwiGLU", swiglu),
    ("Mish", mish),
    ("Softsign", softsign),
    ("Shrink", shrink),
    ("IsInf", is_inf),
    ("Cast", cast),
    ("CastLike", cast_like),
    ("BitCast", bit_cast),
    ("Identity", |call| Ok(vec![call.input(0)?])),
    ("Dropout", dropout),
];

impl<'a> Call<'_, 'a> {
    fn unary(&mut self, name: &str) -> Results<'a> {
        let x = self.input(0)?;
        if x.element == Element::Bool && name != "!" || x.element.is_float() && name == "!" {
            return reason(format!("elements of type {}", x.element.name()));
        }
        let is_rounding = matches!(name, "floor" | "ceil" | "round");
        if !x.element.is_float() && !matches!(name, "abs" | "sign" | "-" | "!" | "is_nan") {
            return match is_rounding {
                true => Ok(vec![x]),
                false => reason(format!("elements of type {}", x.element.name())),
            };
        }
        Ok(vec![self.f.unary(self.hint(), name, &x)?])
    }

    fn operator(&mut self, operator: &str) -> Results<'a> {
        if self.attribute("broadcast").is_some() || self.attribute("axis").is_some() {
            return reason("broadcasting along an axis, as before opset 7");
        }
        if let Some(folded) = self.folded_operator(operator)? {
            return Ok(vec![folded]);
        }
        let (x, y) = (self.input(0)?, self.input(1)?);
        Ok(vec![self.f.operator(self.hint(), operator, &x, &y)?])
    }

    fn comparison(&mut self, name: &str) -> Results<'a> {
        let (x, y) = (self.input(0)?, self.input(1)?);
        Ok(vec![self.f.method(self.hint(), name, &x, &y)?])
    }

    fn variadic(&mut self, name: &str) -> Results<'a> {
        let mut all = self.input(0)?;
        for index in 1..self.inputs.len() {
            let next = self.input(index)?;
            all = match name {
                "+" => self.f.add(self.hint(), &all, &next)?,
                name => self.f.method(self.hint(), name, &all, &next)?,
            };
        }
        Ok(vec![all])
    }

    /// A number as a value of this element type.
    pub(super) fn number(&self, element: Element, number: f64) -> Value<'a> {
        self.f.scalar(element, number)
    }

    /// `x` where it is greater than 0, else another value.
    fn positive_or(&mut self, x: &Value<'a>, other: &Value<'a>) -> Reasoned<Value<'a>> {
        let zero = self.number(x.element, 0.0);
        let mask = self.f.method("positive", "greater", x, &zero)?;
        self.f.select(self.hint(), &mask, x, other)
    }
}

fn relu<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    if x.element.is_float() {
        return call.unary("relu");
    }
    let zero = call.number(x.element, 0.0);
    Ok(vec![call.f.method(call.hint(), "maximum", &x, &zero)?])
}

fn bit_shift<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    match &call.text("direction", "")[..] {
        "LEFT" => call.operator("<<"),
        _ => call.operator(">>"),
    }
}

fn modulo<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    match call.int("fmod", 0) {
        0 => call.comparison("remainder"),
        _ => call.operator("%"),
    }
}

fn pow<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, y) = (call.input(0)?, call.input(1)?);
    let exponent =
        y.known.as_ref().and_then(|known| known.uniform()).and_then(|known| known.numbers());
    if let Some([exponent]) = exponent.as_deref()
        && y.known.as_ref().is_some_and(|known| known.count() == 1 && known.sizes.len() <= x.rank())
        && (x.element.is_float() && *exponent == 2.0)
    {
        return call.unary("square");
    }
    if x.element.is_integer() && y.element.is_integer() {
        let dims = crate::operations::broadcast(&[&x.dims, &y.dims])?;
        let (base, exponent) = (call.f.argument(&x)?, call.f.argument(&y)?);
        let text = format!("zip_with({base}, {exponent}, |x, y| x.wrapping_pow(y as u32))");
        return Ok(vec![call.f.emit(call.hint(), x.element, dims, &text)]);
    }
    let wide = match x.element {
        element if element.is_float() => element,
        _ => Element::F64,
    };
    let base = call.f.cast("base", &x, wide)?;
    let exponent = call.f.cast("exponent", &y, wide)?;
    let power = call.f.method(call.hint(), "pow", &base, &exponent)?;
    Ok(vec![call.f.cast(call.hint(), &power, x.element)?])
}

fn mean<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let sum = call.variadic("+")?.remove(0);
    let by = call.number(sum.element, call.inputs.len() as f64);
    Ok(vec![call.f.div(call.hint(), &sum, &by)?])
}

fn where_<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (mask, then, otherwise) = (call.input(0)?, call.input(1)?, call.input(2)?);
    Ok(vec![call.f.select(call.hint(), &mask, &then, &otherwise)?])
}

fn clip<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let mut x = call.input(0)?;
    let bound = |call: &Call<'_, 'a>, index: usize, name: &str| match call.attribute(name) {
        Some(attribute) => Some(call.number(x.element, f64::from(attribute.float))),
        None => call.optional(index),
    };
    let (low, high) = (bound(call, 1, "min"), bound(call, 2, "max"));
    if let (Some(low), Some(high)) = (&low, &high) {
        return Ok(vec![call.f.clamp(call.hint(), &x, low, high)?]);
    }
    if let Some(low) = low {
        x = call.f.method(call.hint(), "maximum", &x, &low)?;
    }
    if let Some(high) = high {
        x = call.f.method(call.hint(), "minimum", &x, &high)?;
    }
    Ok(vec![x])
}

fn gelu<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    match &call.text("approximate", "none")[..] {
        "tanh" => call.unary("gelu_tanh"),
        _ => call.unary("gelu"),
    }
}

fn elu<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let alpha = call.float("alpha", 1.0);
    let exp = call.f.unary("exp", "exp_m1", &x)?;
    let below = call.f.scaled("below", &exp, alpha)?;
    Ok(vec![call.positive_or(&x, &below)?])
}

fn celu<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let alpha = call.float("alpha", 1.0);
    let by = call.number(x.element, alpha);
    let scaled = if alpha == 1.0 { x.clone() } else { call.f.div("scaled", &x, &by)? };
    let exp = call.f.unary("exp", "exp_m1", &scaled)?;
    let below = call.f.scaled("below", &exp, alpha)?;
    Ok(vec![call.positive_or(&x, &below)?])
}

fn selu<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let alpha = call.float("alpha", 1.673_263_2);
    let gamma = call.float("gamma", 1.050_701);
    let exp = call.f.unary("exp", "exp_m1", &x)?;
    let below = call.f.scaled("below", &exp, alpha)?;
    let chosen = call.positive_or(&x, &below)?;
    Ok(vec![call.f.scaled(call.hint(), &chosen, gamma)?])
}

fn leaky_relu<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let below = call.f.scaled("below", &x, call.float("alpha", 0.01))?;
    Ok(vec![call.positive_or(&x, &below)?])
}

fn prelu<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, slope) = (call.input(0)?, call.input(1)?);
    let below = call.f.mul("below", &x, &slope)?;
    Ok(vec![call.positive_or(&x, &below)?])
}

fn thresholded_relu<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let alpha = call.number(x.element, call.float("alpha", 1.0));
    let zero = call.number(x.element, 0.0);
    let mask = call.f.method("above", "greater", &x, &alpha)?;
    Ok(vec![call.f.select(call.hint(), &mask, &x, &zero)?])
}

fn hard_sigmoid<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let (alpha, beta) = (call.float("alpha", 0.2), call.float("beta", 0.5));
    Ok(vec![hard_sigmoid_of(call, &x, alpha, beta)?])
}

fn hard_sigmoid_of<'a>(
    call: &mut Call<'_, 'a>,
    x: &Value<'a>,
    alpha: f64,
    beta: f64,
) -> Reasoned<Value<'a>> {
    let beta = call.number(x.element, beta);
    let (zero, one) = (call.number(x.element, 0.0), call.number(x.element, 1.0));
    let scaled = call.f.scaled("scaled", x, alpha)?;
    let moved = call.f.add("moved", &scaled, &beta)?;
    call.f.clamp(call.hint(), &moved, &zero, &one)
}

fn hard_swish<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let gate = hard_sigmoid_of(call, &x, 1.0 / 6.0, 0.5)?;
    Ok(vec![call.f.mul(call.hint(), &x, &gate)?])
}

fn swish_of<'a>(call: &mut Call<'_, 'a>, x: &Value<'a>) -> Reasoned<Value<'a>> {
    let alpha = call.float("alpha", 1.0);
    if alpha == 1.0 {
        return call.f.unary(call.hint(), "silu", x);
    }
    let scaled = call.f.scaled("scaled", x, alpha)?;
    let gate = call.f.unary("gate", "sigmoid", &scaled)?;
    call.f.mul(call.hint(), x, &gate)
}

fn swish<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    Ok(vec![swish_of(call, &x)?])
}

fn swiglu<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (a, b) = (call.input(0)?, call.input(1)?);
    let gate = swish_of(call, &a)?;
    Ok(vec![call.f.mul(call.hint(), &gate, &b)?])
}

fn mish<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let soft = call.f.unary("soft", "softplus", &x)?;
    let gate = call.f.unary("gate", "tanh", &soft)?;
    Ok(vec![call.f.mul(call.hint(), &x, &gate)?])
}

fn softsign<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let one = call.number(x.element, 1.0);
    let size = call.f.unary("size", "abs", &x)?;
    let below = call.f.add("below", &size, &one)?;
    Ok(vec![call.f.div(call.hint(), &x, &below)?])
}

fn shrink<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let (bias, lambda) = (call.float("bias", 0.0), call.float("lambd", 0.5));
    let element = x.element;
    let (bias, zero) = (call.number(element, bias), call.number(element, 0.0));
    let (low, high) = (call.number(element, -lambda), call.number(element, lambda));
    let is_low = call.f.method("is_low", "less", &x, &low)?;
    let is_high = call.f.method("is_high", "greater", &x, &high)?;
    let lowered = call.f.sub("lowered", &x, &bias)?;
    let raised = call.f.add("raised", &x, &bias)?;
    let upper = call.f.select("upper", &is_high, &lowered, &zero)?;
    Ok(vec![call.f.select(call.hint(), &is_low, &raised, &upper)?])
}

fn is_inf<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let infinity = call.number(x.element, f64::INFINITY);
    let negative = call.number(x.element, f64::NEG_INFINITY);
    let detects = (call.int("detect_negative", 1) != 0, call.int("detect_positive", 1) != 0);
    let found = match detects {
        (true, true) => {
            let size = call.f.unary("size", "abs", &x)?;
            call.f.method(call.hint(), "equal", &size, &infinity)?
        }
        (true, false) => call.f.method(call.hint(), "equal", &x, &negative)?,
        (false, true) => call.f.method(call.hint(), "equal", &x, &infinity)?,
        (false, false) => return reason("neither infinity is detected"),
    };
    Ok(vec![found])
}

fn cast<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let element = call.element(call.int("to", 0))?;
    let x = call.input(0)?;
    Ok(vec![call.f.cast(call.hint(), &x, element)?])
}

fn cast_like<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let (x, element) = (call.input(0)?, call.input(1)?.element);
    Ok(vec![call.f.cast(call.hint(), &x, element)?])
}

fn bit_cast<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    use Element::{Bool, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    let (x, to) = (call.input(0)?, call.element(call.int("to", 0))?);
    let function = match (x.element, to) {
        (F32, U32) => "f32::to_bits".to_owned(),
        (F64, U64) => "f64::to_bits".to_owned(),
        (U32, F32) => "f32::from_bits".to_owned(),
        (U64, F64) => "f64::from_bits".to_owned(),
        (F32, I32) => "|x| x.to_bits().cast_signed()".to_owned(),
        (F64, I64) => "|x| x.to_bits().cast_signed()".to_owned(),
        (I32, F32) => "|x| f32::from_bits(x.cast_unsigned())".to_owned(),
        (I64, F64) => "|x| f64::from_bits(x.cast_unsigned())".to_owned(),
        (I8, U8)
        | (I16, U16)
        | (I32, U32)
        | (I64, U64)
        | (U8, I8)
        | (U16, I16)
        | (U32, I32)
        | (U64, I64) => {
            return Ok(vec![call.f.cast(call.hint(), &x, to)?]);
        }
        (Bool, U8 | I8) => return Ok(vec![call.f.cast(call.hint(), &x, to)?]),
        (from, to) if from == to => return Ok(vec![x]),
        (from, to) => return reason(format!("the bits of {} as {}", from.name(), to.name())),
    };
    let text = format!("{}.map({function})", call.f.receiver(&x)?);
    Ok(vec![call.f.emit(call.hint(), to, x.dims, &text)])
}

fn dropout<'a>(call: &mut Call<'_, 'a>) -> Results<'a> {
    let x = call.input(0)?;
    let is_training = match call.optional(2) {
        Some(_) => call.known_ints(2, "`training_mode`")? != [0],
        None => false,
    };
    let ratio = match call.optional(1) {
        Some(_) if is_training => call.known_numbers(1, "`ratio`")?[0],
        _ => 0.5,
    };
    if is_training && ratio != 0.0 {
        return reason("dropout while training");
    }
    let one = call.number(Element::Bool, 1.0);
    let mut results = vec![x.clone()];
    if call.needs(1) {
        let mask = call.f.full(Element::Bool, &x.dims, "true")?;
        results.push(call.f.emit(call.hint_of(1), Element::Bool, x.dims, &mask));
    } else {
        results.push(one);
    }
    Ok(results)
}
