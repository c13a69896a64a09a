//! Where the elements of each buffer are while they are needed.

use std::collections::HashMap;

use tensor_onnx::stablehlo::Element;

use crate::lower::Lowering;
use crate::steps::{Place, Step};

/// The positions of the buffers of the workspace.
#[derive(Debug, Default)]
pub struct Plan {
    /// The buffer with whose elements each one shares them: its own number for most.
    pub storage: Vec<usize>,
    /// The first element of each storage in the array of its element type.
    pub offsets: HashMap<usize, usize>,
    /// The lengths of these arrays.
    pub arenas: Vec<(Element, usize)>,
    /// The largest sum of the bytes that are needed at one step.
    pub least_bytes: usize,
}

/// The first and the last loop that needs a buffer.
type Span = (usize, usize);

/// The loops in order, with what they need.
#[derive(Default)]
struct Timeline {
    next: usize,
    spans: HashMap<usize, Span>,
}

impl Timeline {
    fn need(&mut self, buffer: usize) {
        let now = self.next;
        self.spans.entry(buffer).and_modify(|span| span.1 = now).or_insert((now, now));
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Loop(of) => {
                    of.reads().into_iter().chain([of.out]).for_each(|buffer| self.need(buffer));
                    self.next += 1;
                }
                Step::While { before, condition, body } => {
                    let start = self.next;
                    self.steps(before);
                    self.need(*condition);
                    self.next += 1;
                    self.steps(body);
                    // What is from before the loop is needed until its end.
                    let end = self.next;
                    for span in self.spans.values_mut() {
                        if span.0 < start && span.1 >= start {
                            span.1 = end;
                        }
                    }
                    self.next += 1;
                }
                Step::If { condition, then, otherwise } => {
                    self.need(*condition);
                    self.next += 1;
                    self.steps(then);
                    self.steps(otherwise);
                }
            }
        }
    }
}

impl Plan {
    pub fn new(lowering: &Lowering) -> Self {
        let mut timeline = Timeline::default();
        timeline.steps(&lowering.steps);
        let mut plan = Self { storage: (0..lowering.buffers.len()).collect(), ..Self::default() };
        let mut spans = timeline.spans;
        for &[old, new] in &lowering.shared {
            plan.join(lowering, &mut spans, old, new);
        }
        plan.share(lowering, &mut spans, &lowering.steps, &mut 0);
        plan.arrange(lowering, &spans);
        plan
    }

    /// The buffer whose elements these are.
    pub fn of(&self, mut buffer: usize) -> usize {
        while self.storage[buffer] != buffer {
            buffer = self.storage[buffer];
        }
        buffer
    }

    /// Gives two buffers the same elements, those of an output if one of them is one.
    fn join(&mut self, lowering: &Lowering, spans: &mut HashMap<usize, Span>, a: usize, b: usize) {
        let (a, b) = (self.of(a), self.of(b));
        if a == b {
            return;
        }
        let is_output = |buffer: usize| matches!(lowering.buffers[buffer].place, Place::Output(_));
        let (kept, other) = if is_output(b) { (b, a) } else { (a, b) };
        if is_output(other) {
            return;
        }
        let (Some(x), Some(y)) = (spans.get(&kept).copied(), spans.remove(&other)) else { return };
        spans.insert(kept, (x.0.min(y.0), x.1.max(y.1)));
        self.storage[other] = kept;
    }

    /// Writes results over operands that are not needed afterwards.
    fn share(
        &mut self,
        lowering: &Lowering,
        spans: &mut HashMap<usize, Span>,
        steps: &[Step],
        now: &mut usize,
    ) {
        for step in steps {
            match step {
                Step::Loop(of) => {
                    let out = self.of(of.out);
                    let operand = of.reads().into_iter().find(|&operand| {
                        let (a, b) = (&lowering.buffers[operand], &lowering.buffers[of.out]);
                        let operand_of = self.of(operand);
                        let is_free = match lowering.buffers[operand_of].place {
                            Place::Workspace => spans.get(&operand_of).is_some_and(|x| x.1 == *now),
                            _ => false,
                        };
                        let is_new = spans.get(&out).is_some_and(|span| span.0 == *now);
                        let is_same = (a.element, a.len) == (b.element, b.len);
                        is_free && is_new && is_same && of.is_in_place(operand) && operand_of != out
                    });
                    if let Some(operand) = operand {
                        self.join(lowering, spans, operand, of.out);
                    }
                    *now += 1;
                }
                Step::While { before, body, .. } => {
                    self.share(lowering, spans, before, now);
                    *now += 1;
                    self.share(lowering, spans, body, now);
                    *now += 1;
                }
                Step::If { then, otherwise, .. } => {
                    *now += 1;
                    self.share(lowering, spans, then, now);
                    self.share(lowering, spans, otherwise, now);
                }
            }
        }
    }

    /// Gives each storage of the workspace its first element.
    fn arrange(&mut self, lowering: &Lowering, spans: &HashMap<usize, Span>) {
        let mut items: Vec<(usize, usize, Span)> = spans
            .iter()
            .filter(|(buffer, _)| lowering.buffers[**buffer].place == Place::Workspace)
            .map(|(&buffer, &span)| (buffer, lowering.buffers[buffer].len, span))
            .collect();
        items.sort_unstable();
        let end = items.iter().map(|item| item.2.1 + 1).max().unwrap_or(0);
        let bytes = |&(buffer, len, _): &(usize, usize, Span)| {
            len * lowering.buffers[buffer].element.bytes()
        };
        let mut alive = vec![0; end];
        for item in &items {
            alive[item.2.0..=item.2.1].iter_mut().for_each(|sum| *sum += bytes(item));
        }
        self.least_bytes = alive.into_iter().max().unwrap_or(0);
        let mut elements: Vec<Element> = Vec::new();
        for &(buffer, ..) in &items {
            let element = lowering.buffers[buffer].element;
            if !elements.contains(&element) {
                elements.push(element);
            }
        }
        for element in elements {
            let of = items.iter().filter(|item| lowering.buffers[item.0].element == element);
            let mut of: Vec<(usize, usize, Span)> = of.copied().collect();
            // The best of several orders, each storage at the first gap for it.
            let mut best: Option<(usize, Vec<(usize, usize)>)> = None;
            for order in 0..3 {
                of.sort_by_key(|&(_, len, (first, last))| match order {
                    0 => (usize::MAX - len, first),
                    1 => (usize::MAX - (last - first), usize::MAX - len),
                    _ => (first, usize::MAX - len),
                });
                let (len, offsets) = at_first_gaps(&of);
                if best.as_ref().is_none_or(|best| len < best.0) {
                    best = Some((len, offsets));
                }
            }
            if let Some((len, offsets)) = best {
                self.arenas.push((element, len));
                self.offsets.extend(offsets);
            }
        }
        self.arenas.sort_by_key(|&(element, _)| std::cmp::Reverse(element.bytes()));
    }
}

/// The number of elements in all, and the first one of each storage.
fn at_first_gaps(items: &[(usize, usize, Span)]) -> (usize, Vec<(usize, usize)>) {
    let mut placed: Vec<(usize, usize, Span)> = Vec::new();
    let (mut end, mut offsets) = (0, Vec::new());
    for &(buffer, len, (first, last)) in items {
        let mut taken: Vec<(usize, usize)> = placed
            .iter()
            .filter(|(.., span)| span.0 <= last && first <= span.1)
            .map(|&(offset, len, _)| (offset, len))
            .collect();
        taken.sort_unstable();
        let mut offset = 0;
        for (start, of_other) in taken {
            if offset + len <= start {
                break;
            }
            offset = offset.max(start + of_other);
        }
        placed.push((offset, len, (first, last)));
        offsets.push((buffer, offset));
        end = end.max(offset + len);
    }
    (end, offsets)
}
