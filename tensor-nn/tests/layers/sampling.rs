//! Tokens that are drawn from scores.

use tensor_core::random::Generator;
use tensor_core::{Tensor, shape, tensor};
use tensor_nn::sampling::Sampler;

use super::{Batch, Time, read};

#[test]
fn probabilities() {
    let case = read("sampling");
    let logits = case.get::<shape![3, 12]>("logits");
    let warm = Sampler::new().temperature(0.7);
    let check = |name: &str, sampler: Sampler| {
        case.check(name, &sampler.probabilities(&logits).expect("scores"));
    };
    check("warm", warm);
    check("top_k", warm.top_k(5));
    check("top_k_top_p", warm.top_k(5).top_p(0.8));
    // No more tokens than there are, and all of the probability: nothing changes.
    check("warm", warm.top_k(100).top_p(1.0));
    let greedy = Sampler::greedy().probabilities(&logits).expect("scores");
    assert_eq!(greedy.argmax_axis::<-1>(), logits.argmax_axis::<-1>());
    assert_eq!(greedy.sum_axis::<-1>(), tensor![1.0, 1.0, 1.0]);
}

/// A generator draws the same tokens again, by their probabilities.
#[test]
fn tokens() {
    let logits: Tensor<shape![Batch, Time, 4]> =
        tensor![0.1_f32, 0.2, 0.3, 0.4].ln().expand_shaped(shape![Batch(100), Time(100), 4]);
    let draw = |seed, sampler: Sampler| {
        sampler.sample(&logits, &mut Generator::seed(seed)).expect("scores")
    };
    let tokens = draw(1, Sampler::new());
    assert_eq!(tokens.shape(), shape![Batch(100), Time(100)]);
    assert_eq!(tokens, draw(1, Sampler::new()));
    assert_ne!(tokens, draw(2, Sampler::new()));
    let share = |tokens: &Tensor<_, i64>, token: i64| {
        tokens.iter().filter(|&&x| x == token).count() as f64 / 1e4
    };
    for (token, expected) in [0.1, 0.2, 0.3, 0.4].into_iter().enumerate() {
        assert!((share(&tokens, token as i64) - expected).abs() < 0.02);
    }
    let tokens = draw(1, Sampler::new().top_k(2));
    assert_eq!((share(&tokens, 0), share(&tokens, 1)), (0.0, 0.0));
    assert!((share(&tokens, 3) - 4.0 / 7.0).abs() < 0.02);
    assert_eq!(share(&draw(1, Sampler::greedy()), 3), 1.0);
    // At least one token is kept.
    assert_eq!(share(&draw(1, Sampler::new().top_p(0.0)), 3), 1.0);
}

#[test]
fn scores_that_are_none() {
    let draw = |logits: &Tensor<shape![2, 2]>| {
        let sampler = Sampler::new().top_k(1).top_p(0.5);
        sampler.sample(logits, &mut Generator::seed(1)).map_err(|error| error.to_string())
    };
    let low = f32::NEG_INFINITY;
    assert_eq!(draw(&tensor![[low, 0.0], [5.0, low]]), Ok(tensor![1, 0]));
    assert_eq!(
        draw(&tensor![[0.0, 0.0], [low, low]]).unwrap_err(),
        "row 1: no token is allowed, as all scores are -inf"
    );
    assert_eq!(
        draw(&tensor![[0.0, f32::INFINITY], [0.0, 0.0]]).unwrap_err(),
        "row 0: score 1 is inf, and must be finite or -inf"
    );
    let none = Tensor::<shape![2, 0]>::zeros();
    assert!(Sampler::greedy().sample(&none, &mut Generator::seed(1)).is_err());
    let no_rows = Tensor::<shape![0, 0]>::zeros();
    assert!(Sampler::greedy().sample(&no_rows, &mut Generator::seed(1)).is_ok());
    let refused = std::panic::catch_unwind(|| Sampler::new().temperature(f64::NAN));
    assert!(refused.is_err());
}
