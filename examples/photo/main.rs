//! A photograph as a tensor `[height, width, 3]`: balanced by broadcasting, blurred and searched for
//! edges by convolution.
//!
//! ```text
//! cargo run --release -p photo                         the flower in examples/photo
//! cargo run --release -p photo -- picture.png folder   yours, into a folder of yours
//! ```
//!
//! The size of the picture is known only from the file, so its height and width are named axes,
//! which get their sizes at run time; the three colours are static. Change the `3` of `Colour`, and
//! the compiler shows where it does not fit.

#[path = "../data/mod.rs"]
mod data_folder;
#[path = "../usage/mod.rs"]
mod usage;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use image::{GrayImage, ImageReader, RgbImage};
use tensor_core::windows::Conv2dOptions;
use tensor_core::{Shape, Tensor, axes, axis, select, shape, tensor};

use data_folder::repository;

axis!(
    /// The rows of pixels.
    pub Height
);
axis!(
    /// The pixels of a row.
    pub Width
);

/// Red, green and blue of each pixel, from 0 to 1.
type Photo = Tensor<shape![Height, Width, 3]>;
/// One number for each pixel.
type Grey = Tensor<shape![Height, Width]>;
/// One number for each colour: stretches over all pixels of a photo.
type Colour = Tensor<shape![3]>;

/// The pictures that are written, in this order.
const PICTURES: [&str; 3] = ["balanced.png", "blurred.png", "edges.png"];

/// How far the blur reaches: 15 pixels, the middle one and seven on each side.
type Reach = shape![15];
/// The deviation of the blur, in pixels.
const BLUR: f32 = 3.0;

/// The photo in a file.
fn read(file: &Path) -> Result<Photo, Box<dyn std::error::Error>> {
    let picture = ImageReader::open(file)
        .map_err(|error| format!("cannot open it: {error}"))?
        .with_guessed_format()?
        .decode()
        .map_err(|error| format!("expected a JPEG or PNG picture: {error}"))?;
    if picture.width() < 2 || picture.height() < 2 {
        return Err("expected a picture of at least 2 × 2 pixels".into());
    }
    let pixels: Tensor<shape![Height, Width, 3], u8> = picture.into_rgb8().try_into()?;
    Ok(pixels.cast::<f32>() / 255.0)
}

/// From 0 to 1 as bytes; what is beyond becomes black or white.
fn bytes<S: Shape>(picture: &Tensor<S>) -> Tensor<S, u8> {
    (picture * 255.0).round().clamp(0.0, 255.0).cast::<u8>()
}

/// The photo with colours whose means are the same, "grey world", and whose brightest is 1.
fn balance(photo: &Photo) -> Photo {
    let means: Colour = photo.mean_axes::<axes![0, 1]>();
    // A colour that is nowhere stays away.
    let gains: Colour = means.mean() / means.maximum(1e-3);
    let balanced = photo * &gains;
    let brightest: Colour = balanced.max_axes::<axes![0, 1]>();
    &balanced / brightest.max().maximum(1e-3)
}

/// The weights of a bell curve, whose sum is 1.
fn bell() -> Tensor<Reach> {
    let places: Tensor<Reach> = Tensor::linspace(-7.0, 7.0);
    (&places * &places * (-0.5 / (BLUR * BLUR))).softmax::<-1>()
}

/// The photo out of focus: the bell curve down the columns, then along the rows.
///
/// A convolution pads with zeros, which would darken the edges. Dividing by the blur of a white
/// picture makes each pixel a mean of the pixels within the picture.
fn blur(photo: &Photo) -> Photo {
    let down = bell().reshape::<shape![1, 1, 15, 1]>();
    let along = bell().reshape::<shape![1, 1, 1, 15]>();
    // Each colour is a separate picture: the first axis is a batch.
    let blurred = |colours: &Tensor<shape![3, 1, Height, Width]>| {
        colours
            .conv2d(&down, Conv2dOptions::new().same())
            .conv2d(&along, Conv2dOptions::new().same())
    };
    let colours = photo.move_axis::<-1, 0>().unsqueeze::<1>();
    let white = Tensor::ones_shaped(colours.shape());
    let mean = blurred(&colours) / blurred(&white);
    mean.squeeze::<1>().move_axis::<0, -1>()
}

/// How fast the brightness changes at each pixel, by the filters of Sobel: from left to right, and from
/// top to bottom. The brightest edge is 1.
fn edges(photo: &Photo) -> Grey {
    // How bright each colour looks: ITU-R BT.601.
    let brightness: Grey = photo.dot(&tensor![0.299, 0.587, 0.114]);
    let sobel = tensor![[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]];
    let filters: Tensor<shape![2, 3, 3]> = Tensor::stack::<0, 2>([&sobel, &sobel.transpose()]);
    let steepness = |picture: &Grey| -> Grey {
        let slopes: Tensor<shape![2, Height, Width]> =
            picture.unsqueeze::<0>().conv2d(filters.unsqueeze::<1>(), Conv2dOptions::new().same());
        slopes.norm_axis::<0>()
    };
    // Beyond the picture a convolution sees black. A white one has edges there alone: these are left out.
    let border = steepness(&Tensor::ones_shaped(brightness.shape())).greater(0.0);
    let inside = select(&border, 0.0, steepness(&brightness));
    &inside / inside.max().maximum(1e-3)
}

/// Red, green and blue in percent.
fn percent(colour: &Colour) -> String {
    let [red, green, blue] = [0, 1, 2].map(|index| 100.0 * colour[[index]]);
    format!("red {red:.1} %, green {green:.1} %, blue {blue:.1} %")
}

/// Reads the photo, writes three pictures made of it into the folder, and prints each step.
pub fn run(
    file: &Path,
    folder: &Path,
    out: &mut impl Write,
) -> Result<(), Box<dyn std::error::Error>> {
    let photo = read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let sizes = photo.sizes();
    writeln!(out, "{}: {} × {} pixels", file.display(), sizes[1], sizes[0])?;
    writeln!(out, "means before: {}", percent(&photo.mean_axes::<axes![0, 1]>()))?;
    let balanced = balance(&photo);
    writeln!(out, "means after:  {}", percent(&balanced.mean_axes::<axes![0, 1]>()))?;
    // Edges of the photo itself would be those of every hair and grain.
    let blurred = blur(&balanced);
    let edges = edges(&blurred);

    let [first, second, third] = PICTURES.map(|name| folder.join(name));
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    RgbImage::try_from(bytes(&balanced))?.save(&first).map_err(named(&first))?;
    RgbImage::try_from(bytes(&blurred))?.save(&second).map_err(named(&second))?;
    GrayImage::try_from(bytes(&edges.unsqueeze::<-1>()))?.save(&third).map_err(named(&third))?;
    for picture in [first, second, third] {
        writeln!(out, "wrote {}", picture.display())?;
    }
    out.flush()?;
    Ok(())
}

/// An error with the file before it.
fn named(file: &Path) -> impl Fn(image::ImageError) -> String {
    move |error| format!("{}: {error}", file.display())
}

/// The file to read and the folder to write into.
fn arguments() -> Result<(PathBuf, PathBuf), String> {
    let root = repository();
    let mut arguments = std::env::args_os().skip(1);
    let file = arguments.next().map_or_else(|| root.join("examples/photo/flower.jpg"), Into::into);
    let folder = arguments.next().map_or_else(|| root.join("target/photo"), Into::into);
    match arguments.next() {
        None => Ok((file, folder)),
        Some(more) => Err(format!(
            "expected a picture and a folder, and found one more argument, `{}`",
            more.display()
        )),
    }
}

fn main() -> ExitCode {
    if let Some(usage) = usage::requested(include_str!("main.rs")) {
        print!("{usage}");
        return ExitCode::SUCCESS;
    }
    let result = arguments()
        .map_err(Into::into)
        .and_then(|(file, folder)| run(&file, &folder, &mut io::stdout()));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // `eprintln!` would panic on a closed pipe.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}
