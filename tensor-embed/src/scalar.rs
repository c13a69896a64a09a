//! Operations of StableHLO on scalars, as Rust.

use tensor_onnx::stablehlo::{Element, Operation, Region};

/// The Rust of an element-wise operation on operands of these types, in which `$0` is the first operand, and the type of
/// its result; `None` of other operations.
pub fn template(
    operation: &Operation,
    operands: &[Element],
) -> Result<Option<(String, Element)>, String> {
    let found = template_of(operation, operands)?;
    let alike = if operation.name == "select" { &operands[1..] } else { operands };
    match alike.windows(2).find(|pair| pair[0] != pair[1]) {
        Some(pair) if found.is_some() => {
            Err(format!("of `{}` and `{}`", pair[0].name(), pair[1].name()))
        }
        _ => Ok(found),
    }
}

fn template_of(
    operation: &Operation,
    operands: &[Element],
) -> Result<Option<(String, Element)>, String> {
    let (name, Some(&last)) = (&operation.name[..], operands.last()) else { return Ok(None) };
    let result = |text: &str| Ok(Some((text.to_owned(), last)));
    match (name, operands) {
        ("convert", [from]) => {
            let to = operation.results.first().ok_or("it has no result")?.element;
            let text = match (from, to) {
                (from, Element::Bool) if from.is_float() => "$0 != 0.0".to_owned(),
                (from, Element::Bool) if from.is_integer() => "$0 != 0".to_owned(),
                (Element::Bool, to) if to.is_float() => format!("$0 as u8 as {}", to.name()),
                _ => format!("$0 as {}", to.name()),
            };
            Ok(Some((text, to)))
        }
        ("compare", [_, _]) => {
            let direction = operation.attribute("comparison_direction")?;
            let sign = match direction.trim_end_matches('>').rsplit(' ').next().unwrap_or("") {
                "LT" => "<",
                "LE" => "<=",
                "GT" => ">",
                "GE" => ">=",
                "EQ" => "==",
                "NE" => "!=",
                other => return Err(format!("a comparison `{other}`")),
            };
            Ok(Some((format!("$0 {sign} $1"), Element::Bool)))
        }
        ("is_finite", [_]) => Ok(Some(("$0.is_finite()".to_owned(), Element::Bool))),
        ("select", [Element::Bool, _, _]) => result("if $0 { $1 } else { $2 }"),
        ("custom_call", [_]) => match operation.attribute("call_target_name")? {
            "\"mhlo.erf\"" => function("erf", last),
            other => Err(format!("a call of {other}")),
        },
        (_, [_]) if last.is_float() => float_unary(name, last),
        (_, [_, _]) if last.is_float() => float_binary(name, last),
        (_, [_]) => Ok(integer_unary(name, last).map(|text| (text, last))),
        (_, [_, _]) => Ok(integer_binary(name, last).map(|text| (text, last))),
        _ => Ok(None),
    }
}

/// A call of a function of the file, which are those of `f32`.
fn function(name: &str, element: Element) -> Result<Option<(String, Element)>, String> {
    if element != Element::F32 {
        return Err(format!("of `{}`: functions are written for `f32` alone", element.name()));
    }
    let operands = if matches!(name, "pow" | "atan2") { "$0, $1" } else { "$0" };
    Ok(Some((format!("{name}({operands})"), element)))
}

fn float_unary(name: &str, element: Element) -> Result<Option<(String, Element)>, String> {
    let text = match name {
        "abs" => "$0.abs()",
        "negate" => "-$0",
        "sign" => "if $0 == 0.0 || $0.is_nan() { $0 } else { $0.signum() }",
        _ => {
            let name = match name {
                "ceil" => "ceil",
                "cosine" => "cos",
                "exponential" => "exp",
                "exponential_minus_one" => "exp_m1",
                "floor" => "floor",
                "log" => "ln",
                "log_plus_one" => "ln_1p",
                "logistic" => "sigmoid",
                "round_nearest_even" => "round_even",
                "rsqrt" => "rsqrt",
                "sine" => "sin",
                "sqrt" => "sqrt",
                "tanh" => "tanh",
                _ => return Ok(None),
            };
            return function(name, element);
        }
    };
    Ok(Some((text.to_owned(), element)))
}

fn float_binary(name: &str, element: Element) -> Result<Option<(String, Element)>, String> {
    let text = match name {
        "add" => "$0 + $1",
        "subtract" => "$0 - $1",
        "multiply" => "$0 * $1",
        "divide" => "$0 / $1",
        "remainder" => "$0 % $1",
        // NaN if one of them is NaN.
        "maximum" => "if $0 > $1 || $0.is_nan() { $0 } else { $1 }",
        "minimum" => "if $0 < $1 || $0.is_nan() { $0 } else { $1 }",
        "power" => return function("pow", element),
        "atan2" => return function("atan2", element),
        _ => return Ok(None),
    };
    Ok(Some((text.to_owned(), element)))
}

/// Of integers, which wrap around, and of truth values.
fn integer_unary(name: &str, element: Element) -> Option<String> {
    let ty = element.name();
    Some(match name {
        "not" => "!$0".to_owned(),
        "abs" if element.is_signed() => "$0.wrapping_abs()".to_owned(),
        "abs" => "$0".to_owned(),
        "negate" => "$0.wrapping_neg()".to_owned(),
        "sign" if element.is_signed() => "$0.signum()".to_owned(),
        "sign" => format!("($0 != 0) as {ty}"),
        _ => return None,
    })
}

fn integer_binary(name: &str, element: Element) -> Option<String> {
    let (ty, bits) = (element.name(), 8 * element.bytes());
    // What division by 0 gives in XLA.
    let none = if element.is_signed() { "-1".to_owned() } else { format!("{ty}::MAX") };
    // A negative amount is a large one.
    let shift = |within: String, beyond: String| {
        format!("if ($1 as u64) < {bits} {{ {within} }} else {{ {beyond} }}")
    };
    Some(match name {
        "and" => "$0 & $1".to_owned(),
        "or" => "$0 | $1".to_owned(),
        "xor" => "$0 ^ $1".to_owned(),
        "maximum" => "if $0 > $1 { $0 } else { $1 }".to_owned(),
        "minimum" => "if $0 < $1 { $0 } else { $1 }".to_owned(),
        _ if element == Element::Bool => return None,
        "add" => "$0.wrapping_add($1)".to_owned(),
        "subtract" => "$0.wrapping_sub($1)".to_owned(),
        "multiply" => "$0.wrapping_mul($1)".to_owned(),
        "divide" => format!("if $1 == 0 {{ {none} }} else {{ $0.wrapping_div($1) }}"),
        "remainder" => "if $1 == 0 { $0 } else { $0.wrapping_rem($1) }".to_owned(),
        "shift_left" => shift("$0.wrapping_shl($1 as u32)".to_owned(), "0".to_owned()),
        "shift_right_arithmetic" if element.is_signed() => {
            shift("$0.wrapping_shr($1 as u32)".to_owned(), format!("$0 >> {}", bits - 1))
        }
        "shift_right_logical" if element.is_signed() => {
            shift(format!("($0 as u{bits}).wrapping_shr($1 as u32) as {ty}"), "0".to_owned())
        }
        "shift_right_arithmetic" | "shift_right_logical" => {
            shift("$0.wrapping_shr($1 as u32)".to_owned(), "0".to_owned())
        }
        _ => return None,
    })
}

/// A template with these operands.
pub fn filled(template: &str, operands: &[String]) -> String {
    let mut text = template.to_owned();
    for (number, operand) in operands.iter().enumerate() {
        let (name, inner) = (format!("${number}"), of_method(operand));
        text = text.replace(&format!("{name}."), &format!("{inner}."));
        text = text.replace(&format!("-{name}"), &format!("-{inner}"));
        text = text.replace(&name, operand);
    }
    text
}

/// An operand before the call of a method, which binds closer than a sign.
pub fn of_method(operand: &str) -> String {
    if operand.starts_with('-') { format!("({operand})") } else { operand.to_owned() }
}

/// The number of some bytes, the least significant first, as Rust writes it.
pub fn literal(element: Element, bytes: &[u8]) -> String {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(all);
    let float = |number: f64, digits: String| match number {
        _ if number.is_nan() => format!("{}::NAN", rust_type(element)),
        f64::INFINITY => format!("{}::INFINITY", rust_type(element)),
        f64::NEG_INFINITY => format!("{}::NEG_INFINITY", rust_type(element)),
        _ => digits,
    };
    let float_32 = |number: f32| float(number.into(), format!("{number:?}"));
    match element {
        Element::Bool => (bits != 0).to_string(),
        Element::F32 => float_32(f32::from_bits(bits as u32)),
        Element::F64 => float(f64::from_bits(bits), format!("{:?}", f64::from_bits(bits))),
        Element::F16 => float_32(half::f16::from_bits(bits as u16).to_f32()),
        Element::Bf16 => float_32(half::bf16::from_bits(bits as u16).to_f32()),
        _ if element.is_signed() => {
            let unused = 64 - 8 * bytes.len() as u32;
            ((bits << unused).cast_signed() >> unused).to_string()
        }
        _ => bits.to_string(),
    }
}

/// The type of the literals of an element: Rust has none of 16-bit floats.
fn rust_type(element: Element) -> &'static str {
    if element.is_half() { "f32" } else { element.name() }
}

/// The number of a float's literal with its type.
pub fn number_of(literal: &str) -> Option<f64> {
    Some(match literal.rsplit_once("::") {
        Some((_, "NAN")) => f64::NAN,
        Some((_, "INFINITY")) => f64::INFINITY,
        Some((_, "NEG_INFINITY")) => f64::NEG_INFINITY,
        _ => literal.rsplit_once('_')?.0.parse().ok()?,
    })
}

/// A literal with its type.
pub fn typed(element: Element, literal: &str) -> String {
    match literal.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        true => format!("{literal}_{}", rust_type(element)),
        false => literal.to_owned(),
    }
}

/// Whether a reduction may start with a literal several times.
pub fn is_neutral(operation: &str, literal: &str) -> bool {
    let number = literal.split('_').next().unwrap_or("");
    match operation {
        "add" | "xor" => matches!(number, "0" | "0.0" | "-0.0" | "false"),
        "multiply" => matches!(number, "1" | "1.0"),
        other => matches!(other, "and" | "or" | "maximum" | "minimum"),
    }
}

/// That a region of scalars can be written, and has operands and results of these types.
pub fn check_region(
    region: &Region,
    operands: &[Element],
    results: &[Element],
) -> Result<(), String> {
    let types = region.arguments.iter().map(|(_, ty)| (ty.rank(), ty.element));
    if !types.eq(operands.iter().map(|&element| (0, element))) {
        return Err("a region of other operands".to_owned());
    }
    let operands: Vec<(String, Element)> =
        operands.iter().map(|&element| (String::new(), element)).collect();
    let (_, found) = values_of(region, &operands)?;
    match found.iter().map(|value| value.1).eq(results.iter().copied()) {
        true => Ok(()),
        false => Err("a region of other results".to_owned()),
    }
}

/// The statements of a region that was checked, with these operands, and its results.
pub fn region(region: &Region, operands: &[(String, Element)]) -> (Vec<String>, Vec<String>) {
    let (lines, results) = values_of(region, operands).expect("it was checked");
    // A single operation needs no name.
    if let ([line], [_]) = (&lines[..], &results[..]) {
        let text = line.trim_start_matches("let r0 = ").trim_end_matches(';');
        return (Vec::new(), vec![text.to_owned()]);
    }
    (lines, results.into_iter().map(|result| result.0).collect())
}

/// The statements of a region, and its results with their types.
#[allow(clippy::type_complexity, reason = "it is used here")]
fn values_of(
    region: &Region,
    operands: &[(String, Element)],
) -> Result<(Vec<String>, Vec<(String, Element)>), String> {
    let mut values: Vec<(&str, String, Element)> = Vec::new();
    for (name, (text, element)) in region.arguments.iter().zip(operands) {
        values.push((&name.0, text.clone(), *element));
    }
    let find = |values: &[(&str, String, Element)], name: &String| {
        let found = values.iter().rev().find(|value| value.0 == name);
        let found = found.map(|value| (value.1.clone(), value.2));
        found.ok_or_else(|| format!("a region has no value `{name}`"))
    };
    let mut lines = Vec::new();
    for operation in &region.operations {
        let x = operation.operands.iter().map(|name| find(&values, name));
        let x = x.collect::<Result<Vec<_>, _>>()?;
        let elements: Vec<Element> = x.iter().map(|value| value.1).collect();
        let (text, element) = template(operation, &elements)?
            .ok_or_else(|| format!("`{}` in a region", operation.name))?;
        let operands: Vec<String> = x.into_iter().map(|value| value.0).collect();
        let name = format!("r{}", lines.len());
        lines.push(format!("let {name} = {};", filled(&text, &operands)));
        values.push((&operation.result, name, element));
    }
    let results = region.results.iter().map(|name| find(&values, name));
    let results = results.collect::<Result<_, String>>()?;
    Ok((lines, results))
}
