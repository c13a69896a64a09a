//! The accuracy of the network with its weights in bytes, and drawings.

use std::fs;
use std::path::Path;

use crate::drawing::{PIXELS, Point, pixels};
use crate::probabilities;

/// The digits at the end of the file, which the training of `digits_cnn` does not see.
const HELD_OUT: usize = 497;

fn best(probabilities: &[f32]) -> usize {
    let sum: f32 = probabilities.iter().sum();
    assert!(probabilities.len() == 10 && (sum - 1.0).abs() < 1e-4, "{probabilities:?}");
    (0..10).max_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b])).unwrap()
}

#[test]
fn held_out_digits_are_read() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data/digits.csv");
    let file = fs::read_to_string(file).unwrap();
    let rows: Vec<Vec<u8>> = file
        .lines()
        .map(|line| line.split(',').map(|n| n.trim().parse().unwrap()).collect())
        .collect();
    let held_out = &rows[rows.len() - HELD_OUT..];
    let right = held_out.iter().filter(|row| {
        let pixels: [f32; PIXELS] = std::array::from_fn(|at| f32::from(row[at]));
        best(&probabilities(&pixels)) == usize::from(row[PIXELS])
    });
    let right = right.count();
    println!("{right} of {HELD_OUT} digits are read right");
    assert!(right >= 488, "{right} of {HELD_OUT}");
}

/// Strokes as lists of points, in a square of 100 by 100.
fn drawing(strokes: &[&[(f32, f32)]]) -> [f32; PIXELS] {
    let mut points = Vec::new();
    for stroke in strokes {
        points.extend(stroke.iter().map(|&(x, y)| Point { x: x / 100.0, y: y / 100.0 }));
        points.push(Point { x: f32::NAN, y: f32::NAN });
    }
    pixels(&points)
}

fn circle(x: f32, y: f32, width: f32, height: f32) -> Vec<(f32, f32)> {
    let angle = |step: usize| step as f32 * std::f32::consts::TAU / 24.0;
    (0..=24).map(|step| (x + width * angle(step).sin(), y - height * angle(step).cos())).collect()
}

#[test]
fn drawn_digits_are_read() {
    let digits: [Vec<Vec<(f32, f32)>>; 10] = [
        vec![circle(50.0, 50.0, 20.0, 35.0)],
        vec![vec![(40.0, 30.0), (52.0, 15.0), (52.0, 85.0)]],
        vec![vec![
            (28.0, 32.0),
            (36.0, 18.0),
            (52.0, 14.0),
            (66.0, 24.0),
            (66.0, 38.0),
            (52.0, 56.0),
            (28.0, 84.0),
            (72.0, 84.0),
        ]],
        vec![vec![
            (30.0, 20.0),
            (50.0, 14.0),
            (66.0, 24.0),
            (62.0, 40.0),
            (46.0, 47.0),
            (64.0, 54.0),
            (68.0, 70.0),
            (52.0, 84.0),
            (30.0, 80.0),
        ]],
        vec![vec![(46.0, 12.0), (26.0, 56.0), (74.0, 56.0)], vec![(60.0, 36.0), (54.0, 88.0)]],
        vec![vec![
            (68.0, 14.0),
            (36.0, 14.0),
            (33.0, 44.0),
            (52.0, 40.0),
            (67.0, 52.0),
            (66.0, 72.0),
            (50.0, 84.0),
            (30.0, 79.0),
        ]],
        vec![vec![
            (58.0, 12.0),
            (40.0, 32.0),
            (32.0, 58.0),
            (36.0, 78.0),
            (50.0, 86.0),
            (64.0, 77.0),
            (64.0, 62.0),
            (50.0, 53.0),
            (36.0, 62.0),
        ]],
        vec![vec![(28.0, 16.0), (70.0, 16.0), (46.0, 86.0)], vec![(36.0, 50.0), (66.0, 50.0)]],
        vec![circle(50.0, 31.0, 16.0, 17.0), circle(50.0, 67.0, 19.0, 19.0)],
        vec![
            circle(50.0, 33.0, 17.0, 18.0),
            vec![(67.0, 33.0), (66.0, 60.0), (58.0, 86.0), (40.0, 84.0)],
        ],
    ];
    let read: Vec<usize> = digits
        .iter()
        .map(|strokes| {
            best(&probabilities(&drawing(&strokes.iter().map(Vec::as_slice).collect::<Vec<_>>())))
        })
        .collect();
    assert_eq!(read, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
}

#[test]
fn a_drawing_fills_the_image() {
    assert_eq!(drawing(&[]), [0.0; PIXELS]);
    // The same line, anywhere and of any size.
    let line = drawing(&[&[(50.0, 10.0), (50.0, 90.0)]]);
    assert_eq!(drawing(&[&[(10.0, 20.0), (10.0, 50.0)]]), line);
    assert!(line[3] > 4.0 && line[60] > 4.0 && line[0] == 0.0, "{line:?}");
    // A dot stays small, and a point out of range is no number.
    let dot = drawing(&[&[(50.0, 50.0)]]);
    assert!(dot.iter().sum::<f32>() < 20.0, "{dot:?}");
    assert_eq!(drawing(&[&[(f32::INFINITY, 0.0)]]), [0.0; PIXELS]);
    assert!(line.iter().all(|ink| (0.0..=16.0).contains(ink)));
}
