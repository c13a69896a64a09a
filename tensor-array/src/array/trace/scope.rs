//! Scopes: the calls of `trace`, which steps belong to.

use core::cell::RefCell;
use core::fmt;
use core::panic::Location;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tensor_kernels::layout::{Layout, StridedLayout, is_traced};

use super::Step;
use crate::array::history::{AnyArray, Node, node, with_history};

thread_local! {
    /// The innermost function that this thread is tracing.
    static CURRENT: RefCell<Option<Arc<Scope>>> = const { RefCell::new(None) };
}

/// Whether this thread is calling a function that is traced.
pub fn is_tracing() -> bool {
    CURRENT.with_borrow(Option::is_some)
}

/// The address of the innermost body of a loop or branch that this thread is tracing; 0 for none.
pub fn innermost_body() -> usize {
    let mut next = CURRENT.with_borrow(Clone::clone);
    while let Some(scope) = next {
        if scope.is_body {
            return Arc::as_ptr(&scope) as usize;
        }
        next = scope.outer.clone();
    }
    0
}

/// One call of `trace`. Arrays are traced in it while its function runs.
pub struct Scope {
    location: &'static Location<'static>,
    /// The trace whose function made this call.
    outer: Option<Arc<Self>>,
    /// Whether the function is the body of a loop or branch, which is traced once, however often it runs.
    is_body: bool,
    /// How many calls are adding steps: that of the function, and those of gradients of the program.
    entered: AtomicUsize,
    /// For the number of each node that the function captures, what stands for it and its views in the program. Weak,
    /// because the steps own their scope.
    captures: Mutex<HashMap<u64, Vec<Weak<Node>>>>,
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let call = if self.is_body { "loop or branch" } else { "`trace`" };
        write!(f, "the {call} at {}", self.location)
    }
}

impl Scope {
    /// The scope of the caller's `trace`.
    #[track_caller]
    pub fn new(is_body: bool) -> Arc<Self> {
        let outer = CURRENT.with_borrow(Clone::clone);
        let location = Location::caller();
        Arc::new(Self { location, outer, is_body, entered: 0.into(), captures: Mutex::default() })
    }

    /// Calls a function whose operations on traced arrays are steps of this scope.
    pub fn enter<R>(self: &Arc<Self>, function: impl FnOnce() -> R) -> R {
        struct Leave<'a>(&'a Scope, Option<Arc<Scope>>);
        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                CURRENT.set(self.1.take());
                self.0.entered.fetch_sub(1, Ordering::Release);
            }
        }
        self.entered.fetch_add(1, Ordering::Acquire);
        let _leave = Leave(self, CURRENT.replace(Some(self.clone())));
        function()
    }

    /// What stands for a captured tensor, which is made once.
    pub(super) fn captured(
        &self,
        array: &AnyArray,
        capture: impl FnOnce(&AnyArray) -> AnyArray,
    ) -> AnyArray {
        let number = array.node().expect("a captured tensor has a history").number;
        // Dropped after the lock is released: nodes own values of the user.
        let known: Vec<Arc<Node>>;
        let mut captures = self.captures.lock().unwrap_or_else(PoisonError::into_inner);
        let of_node = captures.entry(number).or_default();
        known = of_node.iter().filter_map(Weak::upgrade).collect();
        let place =
            |array: &AnyArray| array.layout().map(|layout| (layout.offset, layout.strides.clone()));
        let is_same = |leaf: &&Arc<Node>| {
            let other = step_of(leaf).constants[0].as_ref().expect("the tensor that is captured");
            other.sizes() == array.sizes() && place(other) == place(array)
        };
        if let Some(leaf) = known.iter().find(is_same) {
            return stand_in(leaf.clone());
        }
        let leaf = capture(array);
        of_node.retain(|leaf| leaf.strong_count() > 0);
        of_node.push(Arc::downgrade(&leaf.node().expect("it is traced")));
        leaf
    }

    /// Whether this call was made by the function of another.
    pub(super) fn is_in(&self, outer: &Arc<Self>) -> bool {
        let mut next = self.outer.as_ref();
        while let Some(scope) = next {
            if Arc::ptr_eq(scope, outer) {
                return true;
            }
            next = scope.outer.as_ref();
        }
        false
    }

    /// Whether this call is still adding steps.
    ///
    /// # Errors
    ///
    /// If its function has returned: the message for a tensor that was kept from it.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.entered.load(Ordering::Relaxed) > 0 {
            return Ok(());
        }
        Err(format!(
            "this tensor was kept from the function of {self:?}, which has returned: it has a shape and no elements. \
             Return it from the function to read it when the program runs"
        ))
    }

    /// The scope of a step with operands of these layouts, of which one is traced: the innermost.
    ///
    /// # Errors
    ///
    /// If an operand was traced in a call of `trace` that has returned, or in one whose function did not make the other
    /// call.
    pub(super) fn of_step<'a>(
        operands: impl Iterator<Item = Option<&'a StridedLayout>>,
    ) -> Result<Arc<Self>, String> {
        let mut innermost: Option<Arc<Self>> = None;
        for layout in operands.filter(|&layout| is_traced(layout)) {
            let scope = scope_of(layout);
            scope.check()?;
            innermost = Some(match innermost {
                None => scope,
                Some(inner) if Arc::ptr_eq(&inner, &scope) || inner.is_in(&scope) => inner,
                Some(inner) if scope.is_in(&inner) => scope,
                Some(inner) => return Err(are_apart(&inner, &scope)),
            });
        }
        Ok(innermost.expect("an operand is traced"))
    }
}

/// The scope of a traced layout.
pub(super) fn scope_of(layout: Option<&StridedLayout>) -> Arc<Scope> {
    step_of(&node(layout).expect("it is traced")).scope.clone()
}

fn step_of(node: &Node) -> &Step {
    node.step.as_deref().and_then(Step::of).expect("it is traced")
}

/// The traced array of a node.
pub(super) fn stand_in(node: Arc<Node>) -> AnyArray {
    let (element, sizes) = (step_of(&node).element, node.sizes.clone());
    with_history(element.traced(sizes, Layout::ROW_MAJOR), node)
}

/// The message for tensors that are parts of two programs.
pub(super) fn are_apart(one: &Scope, other: &Scope) -> String {
    format!(
        "these tensors are parts of two programs, of {one:?} and of {other:?}: trace one function that computes both, or \
         run one program and give its results to the other as an input"
    )
}
