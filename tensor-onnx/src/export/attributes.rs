//! The attributes of products, convolutions and windows, as all who read programs need them.

use super::text::Operation;

/// Windows along all axes of a tensor.
#[derive(Clone, Debug)]
pub struct WindowAttributes {
    /// The sizes of a window.
    pub window: Vec<usize>,
    /// The steps from one window to the next.
    pub stride: Vec<usize>,
    /// The steps from one element of a window to the next.
    pub dilation: Vec<usize>,
    /// The padding before and after each axis.
    pub padding: Vec<[i64; 2]>,
    /// The number of windows along each axis.
    pub positions: Vec<usize>,
}

impl WindowAttributes {
    /// # Errors
    ///
    /// If an attribute is missing, or if the elements are dilated.
    pub fn of(operation: &Operation, positions: &[usize]) -> Result<Self, String> {
        let ones = || vec![1; positions.len()];
        let bases = operation.usizes("base_dilations").unwrap_or_else(|_| ones());
        if bases.iter().any(|&base| base != 1) {
            return Err("elements that are spread".to_owned());
        }
        Ok(Self {
            window: operation.usizes("window_dimensions")?,
            stride: operation.usizes("window_strides")?,
            dilation: operation.usizes("window_dilations").unwrap_or_else(|_| ones()),
            padding: operation.pairs("padding")?,
            positions: positions.to_vec(),
        })
    }

    /// The padding before each axis.
    pub fn low(&self) -> Vec<i64> {
        self.padding.iter().map(|pair| pair[0]).collect()
    }

    /// The axis of partial results of all elements before each one, whether they are from the end, and without the element.
    pub fn cumulative(&self, sizes: &[usize]) -> Option<(usize, bool, bool)> {
        let mut wide =
            (0..sizes.len()).filter(|&axis| self.window[axis] > 1 || self.padding[axis] != [0, 0]);
        let (axis, None) = (wide.next()?, wide.next()) else { return None };
        let reach = self.window[axis] as i64 - 1;
        let moves_by_one = self.stride.iter().chain(&self.dilation).all(|&step| step == 1);
        if !moves_by_one || self.window[axis] != sizes[axis].max(1) {
            return None;
        }
        match self.padding[axis] {
            [low, 0] if low == reach => Some((axis, false, false)),
            [0, high] if high == reach => Some((axis, true, false)),
            [low, -1] if low == reach + 1 => Some((axis, false, true)),
            [-1, high] if high == reach + 1 => Some((axis, true, true)),
            _ => None,
        }
    }
}

/// The axes of a product, each for both operands.
#[derive(Debug)]
pub struct ProductAttributes {
    /// Those of the batch.
    pub batch: [Vec<usize>; 2],
    /// Those that are summed over.
    pub summed: [Vec<usize>; 2],
    /// The others: the rows of the left operand, and the columns of the right one.
    pub free: [Vec<usize>; 2],
}

impl ProductAttributes {
    /// # Errors
    ///
    /// If an attribute cannot be read.
    pub fn of(operation: &Operation, ranks: [usize; 2]) -> Result<Self, String> {
        let of = |name: &str| operation.within("dot_dimension_numbers", name);
        let batch = [of("lhs_batching_dimensions")?, of("rhs_batching_dimensions")?];
        let summed = [of("lhs_contracting_dimensions")?, of("rhs_contracting_dimensions")?];
        let free = [0, 1].map(|side| {
            let is_free =
                |axis: &usize| !batch[side].contains(axis) && !summed[side].contains(axis);
            (0..ranks[side]).filter(is_free).collect()
        });
        Ok(Self { batch, summed, free })
    }
}

/// The attributes of a convolution. The orders of axes are permutations that move the spatial axes behind two others.
#[derive(Debug)]
pub struct ConvolutionAttributes {
    /// The order `[image, channel, ..spatial]` of the axes of the images.
    pub images: Vec<usize>,
    /// The order `[output, input, ..spatial]` of the axes of the weights.
    pub weights: Vec<usize>,
    /// The order `[image, output, ..spatial]` of the axes of the result.
    pub result: Vec<usize>,
    /// The steps from one window to the next.
    pub strides: Vec<usize>,
    /// The steps from one element of the images to the next, with zeros between them.
    pub spread: Vec<usize>,
    /// The steps from one element of a window to the next.
    pub dilation: Vec<usize>,
    /// The padding before and after each spatial axis.
    pub padding: Vec<[i64; 2]>,
    /// The number of groups of channels.
    pub groups: usize,
    /// The number of groups of images.
    pub groups_of_images: usize,
}

impl ConvolutionAttributes {
    /// # Errors
    ///
    /// If an attribute is missing or cannot be read.
    pub fn of(operation: &Operation) -> Result<Self, String> {
        let [images, weights, result] = dimensions(operation.attribute("dimension_numbers")?)?;
        Ok(Self {
            images: order(&images, ["b", "f"])?,
            weights: order(&weights, ["o", "i"])?,
            result: order(&result, ["b", "f"])?,
            strides: operation.usizes("window_strides")?,
            spread: operation.usizes("lhs_dilation")?,
            dilation: operation.usizes("rhs_dilation")?,
            padding: operation.pairs("padding")?,
            groups: operation.integer("feature_group_count")? as usize,
            groups_of_images: operation.integer("batch_group_count")? as usize,
        })
    }
}

/// The permutation that undoes one.
pub fn inverse(order: &[usize]) -> Vec<usize> {
    let mut back = vec![0; order.len()];
    order.iter().enumerate().for_each(|(position, &axis)| back[axis] = position);
    back
}

/// The positions of axes: these two first, then the spatial ones.
fn order(letters: &[String], first: [&str; 2]) -> Result<Vec<usize>, String> {
    let spatial = letters.len().checked_sub(2).ok_or("its axes")?;
    let spatial: Vec<String> = (0..spatial).map(|number| number.to_string()).collect();
    let wanted = first.iter().copied().chain(spatial.iter().map(|number| &number[..]));
    let position = |name: &str| letters.iter().position(|letter| letter == name);
    wanted.map(|name| position(name).ok_or_else(|| "its axes".to_owned())).collect()
}

/// The axes in `#stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>`.
fn dimensions(text: &str) -> Result<[Vec<String>; 3], String> {
    let lists = text.split('[').skip(1).map(|part| {
        let list = part.split(']').next().unwrap_or("");
        list.split(',').map(|letter| letter.trim().to_owned()).collect()
    });
    lists.collect::<Vec<Vec<String>>>().try_into().map_err(|_| "its axes".to_owned())
}
