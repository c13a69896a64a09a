//! The example on a photograph: its results for a small picture, and its messages about files that
//! are not pictures.

use std::fs;
use std::path::{Path, PathBuf};

use image::{GrayImage, Luma, Rgb, RgbImage};

#[path = "../main.rs"]
#[expect(dead_code, reason = "the program's `main`")]
mod photo;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("photo").join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_small_picture() {
    let folder = folder("small");
    let file = folder.join("in.png");
    // Dark on the left and bright on the right, with twice as much red as green and blue.
    let picture =
        RgbImage::from_fn(
            40,
            30,
            |x, _| {
                if x < 20 { Rgb([80, 40, 40]) } else { Rgb([160, 80, 80]) }
            },
        );
    picture.save(&file).unwrap();
    let mut said = Vec::new();
    photo::run(&file, &folder, &mut said).unwrap();
    assert!(String::from_utf8(said).unwrap().contains("40 × 30 pixels"));

    let open = |name: &str| image::open(folder.join(name)).unwrap();
    let balanced: RgbImage = open("balanced.png").into_rgb8();
    assert_eq!(balanced.dimensions(), (40, 30));
    // Grey, whose brightest is white.
    assert_eq!((balanced[(0, 0)], balanced[(39, 29)]), (Rgb([128; 3]), Rgb([255; 3])));

    let blurred: RgbImage = open("blurred.png").into_rgb8();
    // The corners are as bright as they were, and the middle is between both sides.
    assert_eq!((blurred[(0, 0)], blurred[(39, 29)]), (Rgb([128; 3]), Rgb([255; 3])));
    let Rgb([left, ..]) = blurred[(19, 15)];
    let Rgb([right, ..]) = blurred[(20, 15)];
    assert!(128 < left && left < right && right < 255, "{left} {right}");

    let edges: GrayImage = open("edges.png").into_luma8();
    assert_eq!(edges.dimensions(), (40, 30));
    // The steepest edge is in the middle, and the border of the picture is not an edge.
    assert_eq!(
        (edges[(20, 15)], edges[(0, 0)], edges[(39, 15)]),
        (Luma([255]), Luma([0]), Luma([0]))
    );
}

#[test]
fn files_that_hold_no_picture() {
    let folder = folder("wrong");
    let said = |name: &str| {
        let file = folder.join(name);
        let error = photo::run(&file, &folder, &mut std::io::sink()).unwrap_err().to_string();
        let start = format!("{}: ", file.display());
        error.strip_prefix(&start).unwrap_or_else(|| panic!("{error} names the file")).to_owned()
    };
    assert!(said("nowhere.png").starts_with("cannot open it: "));
    fs::write(folder.join("text.png"), "not a picture").unwrap();
    assert!(said("text.png").starts_with("expected a JPEG or PNG picture: "));
    RgbImage::new(1, 5).save(folder.join("thin.png")).unwrap();
    assert_eq!(said("thin.png"), "expected a picture of at least 2 × 2 pixels");
}
