//! Elements at indices.

use tensor_kernels::ops::Combine;

use super::builder::{Builder, Tensor, array, list, region_of, type_of};

impl Builder {
    /// The slices at indices along an axis, whose axes replace it.
    pub(crate) fn take(
        &mut self,
        x: &Tensor,
        indices: &Tensor,
        axis: usize,
        sizes: &[usize],
    ) -> Tensor {
        if sizes.contains(&0) {
            return self.number(0.0, sizes, x.element);
        }
        let offsets = (0..axis).chain(axis + indices.rank()..sizes.len());
        let mut window = x.sizes.clone();
        window[axis] = 1;
        let rest = format!(
            " {{dimension_numbers = #stablehlo.gather<offset_dims = {}, collapsed_slice_dims = [{axis}], \
             start_index_map = [{axis}], index_vector_dim = {}>, slice_sizes = {}, \
             indices_are_sorted = false}}",
            list(offsets),
            indices.rank(),
            array(&window)
        );
        self.operation("gather", &[x, indices], &rest, (sizes, x.element))
    }

    /// The indices along an axis in the order of the elements, of which NaN is the largest; equal ones keep theirs.
    pub(crate) fn order(&mut self, x: &Tensor, axis: usize, descending: bool) -> Tensor {
        let numbers = self.iota(&x.sizes, axis);
        let (ty, integer) = (type_of(&[], x.element), type_of(&[], "i64"));
        let compare = |result: &str, a: &str, b: &str, direction: &str| {
            format!(
                "{result} = \"stablehlo.compare\"({a}, {b}) {{comparison_direction = \
                 #stablehlo<comparison_direction {direction}>}} : ({ty}, {ty}) -> tensor<i1> "
            )
        };
        let both = |result: &str, operation: &str, a: &str, b: &str| {
            let types = "(tensor<i1>, tensor<i1>) -> tensor<i1>";
            format!("{result} = \"stablehlo.{operation}\"({a}, {b}) : {types} ")
        };
        // The one that comes later where only it is NaN.
        let (direction, first, second) =
            if descending { ("GT", "%a", "%b") } else { ("LT", "%b", "%a") };
        let mut body = compare("%before", "%a", "%b", direction);
        let mut result = "%before";
        if x.is_float() {
            body += &compare("%nan", first, first, "NE");
            body += &compare("%number", second, second, "EQ");
            body += &both("%only", "and", "%nan", "%number");
            body += &both("%result", "or", "%before", "%only");
            result = "%result";
        }
        let name = self.name();
        let (of_x, of_numbers) = (x.ty(), numbers.ty());
        self.line(&format!(
            "{name}:2 = \"stablehlo.sort\"({}, {}) ({{ ^bb0(%a: {ty}, %b: {ty}, %c: {integer}, %d: {integer}): {body}\
             \"stablehlo.return\"({result}) : (tensor<i1>) -> () }}) {{dimension = {axis} : i64, is_stable = true}} : \
             ({of_x}, {of_numbers}) -> ({of_x}, {of_numbers})",
            x.name, numbers.name
        ));
        Tensor::new(format!("{name}#1"), &x.sizes, "i64")
    }

    /// The index of each element along all axes, with given indices along one of them: `[..s] → [..s, rank]`.
    fn indices_along(&mut self, indices: &Tensor, axis: usize) -> Tensor {
        let mut of_column = indices.sizes.clone();
        of_column.push(1);
        let mut columns = Vec::new();
        for other in 0..indices.rank() {
            let along =
                if other == axis { indices.clone() } else { self.iota(&indices.sizes, other) };
            columns.push(self.reshape(&along, &of_column));
        }
        let mut sizes = indices.sizes.clone();
        sizes.push(indices.rank());
        self.concat(&columns, indices.rank(), &sizes)
    }

    /// One element along an axis for each index.
    pub(crate) fn take_along(&mut self, x: &Tensor, indices: &Tensor, axis: usize) -> Tensor {
        let all = self.indices_along(indices, axis);
        let rest = format!(
            " {{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = {}, start_index_map = {}, \
             index_vector_dim = {}>, slice_sizes = {}, indices_are_sorted = false}}",
            list(0..x.rank()),
            list(0..x.rank()),
            x.rank(),
            array(&vec![1; x.rank()])
        );
        self.operation("gather", &[x, &all], &rest, (&indices.sizes, x.element))
    }

    /// Values combined with elements along an axis, one for each index.
    pub(crate) fn scatter(
        &mut self,
        x: &Tensor,
        indices: &Tensor,
        values: &Tensor,
        axis: usize,
        combine: Option<Combine>,
    ) -> Tensor {
        let all = self.indices_along(indices, axis);
        let region = region_of_update(combine, x.element);
        let rest = format!(
            " ({region}) {{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = {}, \
             scatter_dims_to_operand_dims = {}, index_vector_dim = {}>, indices_are_sorted = false, \
             unique_indices = false}}",
            list(0..x.rank()),
            list(0..x.rank()),
            x.rank()
        );
        self.operation("scatter", &[x, &all, values], &rest, (&x.sizes, x.element))
    }

    /// Rows added to those at some indices along an axis, or replacing them.
    pub(crate) fn index_rows(
        &mut self,
        x: &Tensor,
        indices: &Tensor,
        values: &Tensor,
        axis: usize,
        add: bool,
    ) -> Tensor {
        let windows = (0..x.rank()).filter(|&other| other != axis);
        let region = region_of_update(add.then_some(Combine::Add), x.element);
        let rest = format!(
            " ({region}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {}, \
             inserted_window_dims = [{axis}], scatter_dims_to_operand_dims = [{axis}], \
             index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}}",
            list(windows)
        );
        self.operation("scatter", &[x, indices, values], &rest, (&x.sizes, x.element))
    }
}

/// The region that combines an element with a value.
fn region_of_update(combine: Option<Combine>, element: &str) -> String {
    let by = match combine {
        Some(Combine::Add) => "add",
        Some(Combine::Mul) => "multiply",
        Some(Combine::Max) => "maximum",
        Some(Combine::Min) => "minimum",
        None => {
            let ty = type_of(&[], element);
            return format!(
                "{{ ^bb0(%a: {ty}, %b: {ty}): \"stablehlo.return\"(%b) : ({ty}) -> () }}"
            );
        }
    };
    region_of(by, element)
}
