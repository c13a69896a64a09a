//! The lessons, in order: one table of their titles, messages and hints.

/// The README's programs, as tests: here, because a published package has no files outside of it.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// The programs for coding assistants, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../llms.txt")]
struct ForAssistants;

/// A lesson: a program with one mistake.
#[derive(Debug)]
pub struct Lesson {
    /// The name of its files.
    pub name: &'static str,
    /// Its topic, in a few words.
    pub title: &'static str,
    /// A part of the compiler's message about the exercise: its first line, or the label below
    /// the location. If the exercise compiles, a part of its message when it runs.
    pub message: &'static str,
    /// The explanation after the learner has repaired it.
    pub taught: &'static str,
    /// A hint where to look, without the solution.
    pub hint: &'static str,
    /// The program with the mistake.
    pub exercise: &'static str,
    /// The program without the mistake.
    pub solution: &'static str,
}

impl Lesson {
    /// Its number in the course, from 1.
    pub fn number(&self) -> usize {
        LESSONS.iter().take_while(|lesson| lesson.name != self.name).count() + 1
    }

    /// The chapter of the guides that it belongs to, as a path in the repository.
    ///
    /// # Panics
    ///
    /// If no chapter names it: a test has all of them.
    pub fn chapter(&self) -> &'static str {
        let mut lessons = lessons_of_chapters();
        lessons.find(|(_, name)| *name == self.name).expect("a chapter of each lesson").0
    }

    /// The file name of its program.
    pub fn file(&self) -> String {
        format!("{}.rs", self.name)
    }

    /// The comment at the top of the exercise.
    pub fn story(&self) -> String {
        let comment = self.exercise.lines().map_while(|line| line.strip_prefix("//!"));
        comment.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
    }
}

/// The chapters of the guides that name lessons at their ends.
const CHAPTERS: [(&str, &str); 6] = [
    ("tensor-core/guide/shapes.md", include_str!("../../tensor-core/guide/shapes.md")),
    ("tensor-core/guide/broadcasting.md", include_str!("../../tensor-core/guide/broadcasting.md")),
    ("tensor-core/guide/mistakes.md", include_str!("../../tensor-core/guide/mistakes.md")),
    ("tensor-nn/guide/layers.md", include_str!("../../tensor-nn/guide/layers.md")),
    ("tensor-nn/guide/training.md", include_str!("../../tensor-nn/guide/training.md")),
    ("tensor-core/guide/checkpoints.md", include_str!("../../tensor-core/guide/checkpoints.md")),
];

/// The names of the lessons at the ends of the chapters, each after the path of its chapter.
pub fn lessons_of_chapters() -> impl Iterator<Item = (&'static str, &'static str)> {
    CHAPTERS.into_iter().flat_map(|(path, text)| {
        let (_, names) =
            text.rsplit_once("Lessons: `cargo run -p lessons -- show ").unwrap_or_default();
        let (names, _) = names.split_once('.').unwrap_or_default();
        let names = names.split(|c: char| !c.is_alphanumeric() && c != '_');
        names.filter(|name| !name.is_empty()).map(move |name| (path, name))
    })
}

/// Generates the entries of the table, each with the two programs of its name.
macro_rules! lessons {
    ($($name:literal { $($field:ident: $text:literal,)* })*) => {
        &[$(Lesson {
            name: $name,
            $($field: $text,)*
            exercise: include_str!(concat!("../exercises/", $name, ".rs")),
            solution: include_str!(concat!("../solutions/", $name, ".rs")),
        }),*]
    };
}

/// All lessons, from one number to a model that is trained and saved.
pub const LESSONS: &[Lesson] = lessons! {
    "scalars" {
        title: "One number has no axes",
        message: "expected `Tensor<((), One)>`, found `Tensor<()>`",
        taught: "A tensor of rank 0 is one number: its shape is `shape![]`, the type `()`, and `item` gives\n\
                 the number. `shape![1]` is a list of one number, which is another type.",
        hint: "The message names two types: what was announced, and what `sum` gives. `()` is the list of\n\
               axes that has nothing in it. How is it written with `shape!`?",
    }
    "numbers" {
        title: "A number goes with every shape",
        message: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<2>`",
        taught: "A number stretches over a tensor of any shape, so nothing has to be repeated by hand. Two\n\
                 lists of different lengths never go together; `Dim<3>` and `Dim<2>` are their lengths.",
        hint: "There are three temperatures, and to them two numbers are added. How many are needed?",
    }
    "shapes" {
        title: "A shape is a type",
        message: "expected `2`, found `3`",
        taught: "Shapes are checked where values are handed over, as all types are. `shape![2, 3]` is the\n\
                 type `(((), Dim<2>), Dim<3>)`: read it from the inside, and the last axis comes last.",
        hint: "`by_day` takes two rows of three columns. The literal has three rows of two\n\
               columns: a row for each day. There should be a row for each shop.",
    }
    "keepdims" {
        title: "Shapes are aligned at their last axis",
        message: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<4>`",
        taught: "A reduction removes its axis, `[4, 3]` to `[4]`; its form with `keepdims` leaves it with\n\
                 size 1, `[4, 1]`, and that stretches over the three columns again.",
        hint: "Look for the other form of `mean_axis`, whose result has as many axes as the table.",
    }
    "outer" {
        title: "A column and a row make a table",
        message: "cannot broadcast an axis of size `Dim<4>` with one of size `Dim<3>`",
        taught: "`unsqueeze` adds an axis of size 1: at the front a vector becomes a row, `[1, 4]`, at the\n\
                 end a column, `[4, 1]`. A column with a row is an operation on all pairs.",
        hint: "`down` has become `[1, 4]`, a row, and its 4 meets the 3 of `along`. The axis of size 1\n\
               should be the last one. The last axis has number -1.",
    }
    "silent_square" {
        title: "[4, 1] with [4] is [4, 4]",
        message: "expected `Tensor<((), Dim<4>)>`, found `Tensor<(((), Dim<4>), Dim<4>)>`",
        taught: "Both sides may stretch, and then the result is larger than each. Announce the type where a\n\
                 result should have the shape of its operands. `squeeze` removes an axis of size 1.",
        hint: "Make the column a vector before you subtract: `squeeze` removes an axis of size 1, here the\n\
               last one, number -1.",
    }
    "in_place" {
        title: "What is written into does not grow",
        message: "an in-place result cannot grow",
        taught: "`x += y` keeps the shape of `x`: it takes all that stretches to it, and nothing larger.\n\
                 What is larger is first reduced, or added by `x + y` to a new tensor.",
        hint: "Add up the two doors of the day first. The doors are axis 0 of `[2, 3]`.",
    }
    "axis_numbers" {
        title: "Axes count from 0, and from -1",
        message: "axis 3 is out of range",
        taught: "The axes of a shape with three of them are 0, 1, 2, or -3, -2, -1. From the end is often\n\
                 the better way: the last axis is -1, however many axes come before it.",
        hint: "An axis 3 would be the fourth. The colours are the third, and also the last.",
    }
    "expand" {
        title: "Stretching by hand",
        message: "cannot expand an axis of size `Dim<2>` to `Dim<3>`",
        taught: "`expand` obeys the rule of the operators: aligned at the last axis, only size 1 grows, and\n\
                 nothing is copied. A vector is treated as a row; for a column it needs a new last axis.",
        hint: "The heights should be a column, `[2, 1]`, which stretches to `[2, 3]`. You made one in the\n\
               lesson `outer`.",
    }
    "reshape" {
        title: "As many elements as before",
        message: "`reshape` keeps the number of elements: `Dim<24>` is not `Dim<28>`",
        taught: "`reshape` gives the same elements other axes, and the compiler multiplies: 4 × 6 is 24.\n\
                 The order of the elements stays; the last axis runs fastest.",
        hint: "Four parts of how many hours are 24 hours?",
    }
    "matmul" {
        title: "The size that is summed over",
        message: "the last axis of the left side is `Dim<4>`, the second last axis of the right side is `Dim<3>`",
        taught: "`[m, k] × [k, n] = [m, n]`: both sides have the same `k`, which is summed over and gone.\n\
                 `transpose` swaps the last two axes, and copies nothing.",
        hint: "On the right the answers should stand in columns: `[4, 3]`. A method of the tensor swaps its\n\
               last two axes, and the note under the message names it.",
    }
    "bias" {
        title: "A layer: a product and a bias",
        message: "cannot broadcast an axis of size `Dim<2>` with one of size `Dim<3>`",
        taught: "`dot` takes `[.., k]` to `[.., n]` by one matrix `[k, n]`. The bias is `[n]`: it is lined\n\
                 up with the outputs, and stretches over all the examples.",
        hint: "The product has shape `[4, 2]`: two outputs. There are three numbers in the bias, as many\n\
               as inputs. Take away the last.",
    }
    "batches" {
        title: "Many products at once",
        message: "`dot` takes a matrix or a vector on its right side",
        taught: "`dot` applies one matrix to everything. `matmul` multiplies matrix by matrix: the last two\n\
                 axes are those of the matrices, and all axes before them broadcast.",
        hint: "The note under the message names the product for a batch of matrices on both sides.",
    }
    "named_axes" {
        title: "Axes that have names",
        message: "cannot broadcast an axis of size `Seq` with one of size `Batch`",
        taught: "A named axis goes with itself and with size 1, never with another name or a number, even\n\
                 if the sizes agree today. Its size is given when the program runs, and compared then.",
        hint: "The words have the axes `Batch`, `Seq` and 2. The places are aligned with the last two of\n\
               them. Which name should they have?",
    }
    "element_types" {
        title: "Element types do not mix silently",
        message: "cannot combine elements of type `f32` with elements of type `i64`",
        taught: "`cast` converts every element, as Rust's `as` does, so the code shows each conversion. A shape\n\
                 states the number of elements, and the element type states their kind.",
        hint: "The goods are to become floats: `.cast::<f32>()`.",
    }
    "masks" {
        title: "A choice for each element",
        message: "cannot broadcast an axis of size `Dim<5>` with one of size `Dim<4>`",
        taught: "A mask is a tensor of `bool`, and broadcasts like any other: `[4, 4]` serves all examples\n\
                 of `[2, 4, 4]`. `select` takes element by element from one side or the other.",
        hint: "The mask has a row for each of four places. It has a column for each word: how many words\n\
               are there?",
    }
    "layer_norm" {
        title: "A function over any leading axes",
        message: "cannot broadcast shape `(Lead, A)` with shape `Lead`",
        taught: "A generic function is checked once, for all shapes. `[.., A]` with `[..]` need not broadcast,\n\
                 so it is refused; `[.., A]` with `[.., 1]` always does, and needs no bound.",
        hint: "`Lead` is what is left when the last axis is removed. The line below, for the variance, does\n\
               it right. A bound, as the message proposes, would move the mistake to the callers.",
    }
    "softmax" {
        title: "Over which axis?",
        message: "expected `Tensor<(((), Query), One)>`, found `Tensor<(((), One), Key)>`",
        taught: "Over whichever axis one sums, numbers come out. A named axis makes the choice visible: what\n\
                 is left in the type was not summed over. `softmax::<-1>()` does all this.",
        hint: "The sum that is announced has one number for each `Query`: the keys are summed over. They\n\
               are the last axis, number 1.",
    }
    "generic_layer" {
        title: "A layer of any sizes",
        message: "`I` is not the size of an axis",
        taught: "`I: Axis` is the bound for the size of one axis, `Lead: Shape` for any rank. The\n\
                 laws of broadcasting come with them, so that a layer needs no further bounds.",
        hint: "Compare `I` and `O` where the struct is declared, and in the line that begins with `impl`.",
    }
    "attention" {
        title: "Attention",
        message: "the last axis of the left side is `M`, the second last axis of the right side is `N`",
        taught: "`[.., N, D] × [.., D, M] × [.., M, V] = [.., N, V]`: with a letter for each axis the types\n\
                 read like the formula, and a mixed-up axis is found before any number is computed.",
        hint: "The shares have an axis of `M` keys, and the product sums over it. There is one value for\n\
               each key: look at the type of `values`.",
    }
    "linear_weight" {
        title: "A weight has a row for each output",
        message: "expected `2`, found `3`",
        taught: "`Linear<I, O>` has a weight `[O, I]`, as PyTorch's checkpoints have it, and computes\n\
                 `x · weightᵀ + bias`. The sizes of a layer are its type: no run is needed to compare them.",
        hint: "The layer takes three numbers and gives two, so its weight has two rows. What `w` has as\n\
               columns should be rows: you swapped the axes of a matrix in the lesson `matmul`.",
    }
    "square_weight" {
        title: "Which axis is the input?",
        message: "not one of shape `(((), In<Dim<2>>), Out<Dim<2>>)`",
        taught: "`In` and `Out` are axes of the same size with another meaning: a square weight that lies the other\n\
                 way round does not compile, and `transpose` is the way across.",
        hint: "The weight is `[In, Out]`, as the file has it, and the layer takes `[Out, In]`. Which method swaps\n\
               two axes?",
    }
    "channels" {
        title: "A layer takes what the one before gives",
        message: "the input has `Dim<4>` channels, and the weights take `Dim<8>`",
        taught: "`Conv2d<I, O, KH, KW>` takes images `[.., I, height, width]` and gives `O` channels. The sizes\n\
                 behind follow from the window, and `Sequential` is checked from layer to layer.",
        hint: "The second convolution takes 8 channels. How many does the first one make? That is its\n\
               second number.",
    }
    "channels_last" {
        title: "Colours last",
        message: "the input has `Dim<3>` channels, and the weights take `ChannelAxis<Dim<3>>`",
        taught: "`ChannelAxis<C>` is an axis of `C` channels, which comes first for convolutions, last in pictures.\n\
                 A layer that takes it is not applied to rows by mistake; `move_axis` moves it.",
        hint: "The axis of the colours is number -1, and should be number -3: three axes from the end.",
    }
    "flatten" {
        title: "How long is a row of all numbers?",
        message: "the layer takes `Dim<256>`, and the last axis of its input is `Dim<144>`",
        taught: "`Flatten` makes a row of channels · height · width numbers, and the compiler multiplies: a\n\
                 window of 3 without padding takes 8 places to 6, so that there are 4 · 6 · 6 = 144.",
        hint: "256 would be 4 · 8 · 8, as if the convolution left the height and the width alone. The\n\
               message has the number that there really is.",
    }
    "classes" {
        title: "Classes are numbers",
        message: "scores of examples `((), Dim<2>)` go with classes of the same shape, not of shape `(((), Dim<2>), Dim<3>)`",
        taught: "`cross_entropy` takes scores `[.., classes]` and one integer for each row of scores. Rows of\n\
                 zeros and a one say the same in more numbers; `argmax_axis::<-1>()` makes classes of them.",
        hint: "Two examples have two classes: a list of two integers. The first example is of class 0.",
    }
    "loss" {
        title: "A loss keeps its history",
        message: "`f32` is not a loss: a loss is a tensor of rank 0",
        taught: "A tensor within `grad` knows how it was computed, and the way back is what a gradient needs.\n\
                 A number from `item()` knows nothing; it is for printing, after training.",
        hint: "`mean()` is a tensor of rank 0 already. What comes behind it takes the number out.",
    }
    "gradients" {
        title: "A gradient has the type of its model",
        message: "is no gradient of a model",
        taught: "`grad(&model, …)` gives the gradient as a model of the same type, so that a step can only be\n\
                 made along the gradient of that model. For two layers at once, put them into one tuple.",
        hint: "The first layer is to be trained. Of which layer does the program ask for the gradient? The\n\
               function in `grad` gets that layer as its argument.",
    }
    "frozen" {
        title: "A layer that is not trained",
        message: "found `Frozen<Linear<Dim<4>, Dim<3>>>`",
        taught: "What is frozen is part of the type of the model, so that nobody can forget it. `Frozen` is\n\
                 saved and loaded as what it holds, by the same names.",
        hint: "The model is built with `Frozen(…)`, and its declaration knows nothing of that.",
    }
    "padding" {
        title: "Which words are there",
        message: "is no mask for attention of queries `Dim<4>` to keys `Dim<4>`",
        taught: "The type of a mask states what its table means: `Allowed` has a row for each query, `KeyPadding`\n\
                 a row for each text, `Causal` needs none. A table of bools alone would not show it.",
        hint: "The table has two rows, and there are two texts of four words. The note under the message\n\
               has the mask for a table `[..lead, keys]`.",
    }
    "fused_qkv" {
        title: "Queries, keys and values in one layer",
        message: "expected `&Tensor<((), QkvBlocks<Dim<2>>)>`, found `&Tensor<((), QkvPerHead<Dim<2>, One>)>`",
        taught: "`QkvBlocks` and `QkvPerHead` have the same size and another order of rows. A type states which\n\
                 one a file has, and `qkv_blocks` is the way across, for weights and biases.",
        hint: "The file has the rows of each head, and `queries` takes blocks. The story at the top names a\n\
               function that converts.",
    }
    "rotary_pairs" {
        title: "Which two channels turn?",
        message: "expected `&Tensor<(((), Dim<2>), Halves<Dim<4>>)>`",
        taught: "Rotary pairs are `Halves` or `Interleaved`, as the weights of queries and keys decide.\n\
                 `Halves::of` and `Interleaved::of` reorder channels; `GroupedQueryAttention::halves`\n\
                 the weights of a layer.",
        hint: "The queries are interleaved, and the positions turn halves: `Halves::of` takes the one and gives\n\
               the other.",
    }
    "last_batch" {
        title: "The last batch is smaller",
        message: "expected `&Tensor<(((), Dim<4>), Dim<2>)>`, found `&Tensor<(((), Batch), Dim<2>)>`",
        taught: "A run-time size has a name, and goes where the same name is asked for. So the\n\
                 last, smaller batch needs no code of its own.",
        hint: "`sum` takes batches of exactly four examples. Which axis have the batches of the loader?",
    }
    "optimizers" {
        title: "An optimiser belongs to its model",
        message: "the state does not fit the model",
        taught: "What is known at run time alone is compared then, before anything is changed: the error names\n\
                 every parameter that does not fit. Where the sizes are static, types are compared.",
        hint: "Each model has an optimiser. Which one is given to the large model?",
    }
    "checkpoints" {
        title: "What is in a file",
        message: "does not fit:",
        taught: "`save` writes every tensor by its name, such as `0.weight`, and `load` fills a model of the same\n\
                 names and shapes. Files from PyTorch are read the same way.",
        hint: "The error has, for each parameter, the shape in the file and the one in the model. How many\n\
               numbers were there between the two layers when the model was saved?",
    }
};
