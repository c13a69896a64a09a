//! The colours of the pictures: the palette of Masataka Okabe and Kei Ito, which is distinguishable with
//! every kind of colour vision. Nothing is shown by colour alone: repeated cells are dashed, a mismatch
//! has a cross.

/// The colours of one shape.
#[derive(Clone, Copy, Debug)]
pub struct Colours {
    /// Fill of the cells that exist.
    pub fill: &'static str,
    /// Fill of the cells that repeat them.
    pub light: &'static str,
    /// Borders, dashes and arrows.
    pub line: &'static str,
    /// Text on `fill`.
    pub on_fill: &'static str,
    /// Text on white: a contrast ratio of at least 4.5.
    pub text: &'static str,
}

/// The colours of operands: blue, orange, bluish green, reddish purple, sky blue, yellow.
const OPERANDS: [Colours; 6] = [
    operand(["#0072B2", "#DCEDF7", "#0072B2", "#FFFFFF", "#00568A"]),
    operand(["#E69F00", "#FCF1DB", "#B87F00", "#1F2328", "#855900"]),
    operand(["#009E73", "#DDF3EC", "#007A59", "#1F2328", "#00664A"]),
    operand(["#CC79A7", "#F9ECF3", "#A8558A", "#1F2328", "#8A3F6E"]),
    operand(["#56B4E9", "#E6F4FC", "#2F8FC4", "#1F2328", "#1C6A99"]),
    operand(["#F0E442", "#FDFBE0", "#A39A00", "#1F2328", "#6B6500"]),
];

const fn operand([fill, light, line, on_fill, text]: [&'static str; 5]) -> Colours {
    Colours { fill, light, line, on_fill, text }
}

/// The colours of the result: greys.
pub const RESULT: Colours = Colours {
    fill: "#F6F8FA",
    light: "#F6F8FA",
    line: "#59636E",
    on_fill: "#1F2328",
    text: "#1F2328",
};

/// The colours of a mismatch: vermillion.
pub(super) const FAILS: Colours = Colours {
    fill: "#FFFFFF",
    light: "#FFFFFF",
    line: "#D55E00",
    on_fill: "#1F2328",
    text: "#B04A00",
};

/// The colours of the shape with this index.
#[doc(hidden)]
pub fn of_operand(number: usize) -> Colours {
    OPERANDS[number % OPERANDS.len()]
}

#[cfg(test)]
mod tests {
    use super::{Colours, FAILS, OPERANDS, RESULT};

    /// The relative luminance of a colour, from 0 to 1, by the formula of the Web Content Accessibility
    /// Guidelines.
    fn light(colour: &str) -> f64 {
        let channel = |place: usize| {
            let value = u8::from_str_radix(&colour[place..place + 2], 16).unwrap();
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (light(a), light(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn letters_and_lines_stand_out() {
        for colours in OPERANDS.iter().chain([&RESULT, &FAILS]) {
            let Colours { fill, light, line, on_fill, text } = colours;
            assert!(contrast(on_fill, fill) >= 4.5, "{colours:?}");
            assert!(contrast(text, light) >= 4.5, "{colours:?}");
            assert!(contrast(text, "#FFFFFF") >= 4.5, "{colours:?}");
            assert!(contrast(text, RESULT.fill) >= 4.5, "{colours:?}");
            assert!(contrast(line, "#FFFFFF") >= 2.5, "{colours:?}");
        }
    }
}
