//! The answers, and the links of the page.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tensor_explain::{Explanation, explain_sizes};

use crate::answer;

fn answered(text: &str) -> Value {
    serde_json::from_str(&answer(text)).unwrap()
}

#[test]
fn shapes_that_broadcast() {
    let answer = answered("(8,1,6,1) (7,1,5)");
    assert_eq!(answer["address"], "(8,1,6,1)+(7,1,5)");
    assert_eq!(answer["result"], "[8, 7, 6, 5]");
    assert_eq!(answer["verdict"], "The shapes broadcast, to 1680 elements.");
    assert_eq!(answer["too_large"], "the result has 1680 cells, a picture takes at most 144");
    assert_eq!(answer["axes"][3]["cells"][0]["role"], "stretches ×5");
    assert_eq!(answer["axes"][0]["cells"][1]["size"], Value::Null);
    assert_eq!(answer["message"], Value::Null);
    assert!(answer["notes"][0].as_str().unwrap().starts_with("Both shapes stretch"));
    assert_eq!(answered("(4, 3) (3)")["notes"], serde_json::json!([]));
    assert_eq!(answered("() ()")["verdict"], "The shapes broadcast, to one element.");
}

#[test]
fn shapes_that_do_not() {
    let answer = answered("(4, 3) + (4,)");
    assert_eq!(answer["result"], Value::Null);
    assert!(answer["verdict"].as_str().unwrap().starts_with("Axis 1, the last, fails"));
    assert_eq!(answer["repairs"][0]["address"], "(4,3)+(4,1)");
    assert!(answer["message"].as_str().unwrap().starts_with("error[E0277]"));
    assert!(answer["programs"][0]["corrected"].as_str().unwrap().contains("b.unsqueeze::<-1>()"));
    let sizes = answered("(Batch(2), 3) (Batch(3), 3)");
    assert!(sizes["notes"][0].as_str().unwrap().starts_with("The program compiles"), "{sizes}");
}

#[test]
fn mistakes_have_a_position_in_utf_16() {
    let answer = answered("(4, 3) 😀");
    assert_eq!(answer["position"], 7);
    assert_eq!(answered("(4, 3) (3").as_object().unwrap().len(), 2);
    assert_eq!(answered("(😀) (3").get("position").unwrap(), 1);
    let long = answered(&"(3) ".repeat(501));
    assert_eq!(long["message"], "the text has 2004 bytes, the page takes at most 2000");
    assert_eq!(answered(&"() ".repeat(666))["result"], "[]");
}

/// The shapes of the links of the page, and whether the page marks them as refused.
fn links() -> Vec<(String, bool)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../page/index.html");
    let page = fs::read_to_string(page).unwrap();
    let links = page.split("href=\"#").skip(1);
    // That of the first link, to the result, is empty.
    let links = links.filter(|link| !link.starts_with('"'));
    let link = |link: &str| {
        let (address, rest) = link.split_once('"').unwrap();
        (address.to_owned(), rest.split_once("</a>").unwrap().0.contains('✗'))
    };
    links.map(link).collect()
}

#[test]
fn links_are_addresses_and_marked() {
    let links = links();
    assert!(links.len() > 55, "{}", links.len());
    for (address, is_refused) in links {
        let explanation: Explanation = address.parse().unwrap_or_else(|e| panic!("{address}: {e}"));
        assert_eq!(explanation.shapes().replace(' ', ""), address);
        assert_eq!(explanation.result().is_err(), is_refused, "{address}");
    }
}

/// Every example of the articles, and every picture of the guide, has a link.
#[test]
fn no_example_is_missing() {
    let links: BTreeSet<String> = links().into_iter().map(|(address, _)| address).collect();
    let mut expected = BTreeSet::new();
    for file in ["broadcast_pairs.json", "broadcast_nary.json"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance").join(file);
        let cases: Vec<Value> = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let cases =
            cases.iter().filter(|case| case["source"].as_str().unwrap().starts_with("seed:"));
        expected.extend(cases.map(|case| {
            let shapes: Vec<Vec<usize>> = match case.get("shapes") {
                Some(shapes) => serde_json::from_value(shapes.clone()).unwrap(),
                None => {
                    ["a", "b"].map(|key| serde_json::from_value(case[key].clone()).unwrap()).into()
                }
            };
            let shapes: Vec<_> = shapes.iter().map(Vec::as_slice).collect();
            explain_sizes(&shapes).shapes().replace(' ', "")
        }));
    }
    assert!(expected.len() > 40);
    // `tests/explain/pictures.rs` draws these for the guide.
    let guide = ["(4,3)+(3,)", "(4,1)+(3,)", "(2,3)+()", "(4,3)+(4,)", "(2,1,3)+(4,1)"];
    expected.extend(guide.map(str::to_owned));
    let missing: Vec<_> = expected.difference(&links).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
