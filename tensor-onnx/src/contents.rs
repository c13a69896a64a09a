//! The tensors of a model: initializers, and the values of `Constant` nodes, without their elements.

use crate::element::Element;
use crate::proto::{self, Graph};
use crate::structs::Entry;

/// The tensors of a model, those of nodes first.
///
/// # Errors
///
/// The bytes are no model, or not all of one.
pub fn tensors(bytes: &[u8]) -> Result<Vec<Entry>, String> {
    let mut entries = Vec::new();
    if let Some(graph) = &proto::model(bytes)?.graph {
        of_graph(graph, &mut entries);
    }
    Ok(entries)
}

fn of_graph(graph: &Graph<'_>, entries: &mut Vec<Entry>) {
    let entry = |name: &str, tensor: &proto::Tensor<'_>| Entry {
        name: name.to_owned(),
        element: Element::of(tensor.element)
            .map_or_else(|name| name, |element| element.name().to_owned()),
        sizes: tensor.sizes.clone(),
    };
    for node in &graph.nodes {
        for attribute in &node.attributes {
            attribute.graph.iter().for_each(|graph| of_graph(graph, entries));
        }
        if node.operator != "Constant" {
            continue;
        }
        let name = node.outputs.first().copied().unwrap_or_default();
        for attribute in &node.attributes {
            let of = |element: &str, sizes| Entry {
                name: name.to_owned(),
                element: element.to_owned(),
                sizes,
            };
            entries.extend(match (attribute.name, &attribute.tensor) {
                ("value", Some(tensor)) => Some(entry(name, tensor)),
                ("value_float", _) => Some(of("f32", vec![])),
                ("value_int", _) => Some(of("i64", vec![])),
                ("value_floats", _) => Some(of("f32", vec![attribute.floats.len() as u64])),
                ("value_ints", _) => Some(of("i64", vec![attribute.ints.len() as u64])),
                _ => None,
            });
        }
    }
    entries.extend(graph.initializers.iter().map(|tensor| entry(tensor.name, tensor)));
}
