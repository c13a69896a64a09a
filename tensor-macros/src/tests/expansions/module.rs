// #[derive(Module)] struct Linear<I: Axis, O: Axis> { weight: Tensor<(((), O), I)>, #[module(buffer)] mean: Tensor<((), O)>, #[module(skip)] rate: Rate }
#[automatically_derived]
#[diagnostic::do_not_recommend]
impl<I: Axis, O: Axis> ::tensor_core::module::Module for Linear<I, O> {
    fn visit<'__a>(
        &'__a self,
        path: &::tensor_core::module::Path<'_>,
        visitor: &mut ::tensor_core::module::Visitor<'__a, '_>,
    ) {
        <Tensor<
            (((), O), I),
        > as ::tensor_core::module::Module>::visit(
            &self.weight,
            &path.field("weight"),
            visitor,
        );
        <Tensor<
            ((), O),
        > as ::tensor_core::module::Module>::visit(
            &self.mean,
            &path.field("mean"),
            &mut ::tensor_core::__private::buffers(visitor),
        );
    }
    fn visit_mut<'__a>(
        &'__a mut self,
        path: &::tensor_core::module::Path<'_>,
        visitor: &mut ::tensor_core::module::VisitorMut<'__a, '_>,
    ) {
        <Tensor<
            (((), O), I),
        > as ::tensor_core::module::Module>::visit_mut(
            &mut self.weight,
            &path.field("weight"),
            visitor,
        );
        <Tensor<
            ((), O),
        > as ::tensor_core::module::Module>::visit_mut(
            &mut self.mean,
            &path.field("mean"),
            &mut ::tensor_core::__private::buffers_mut(visitor),
        );
    }
    fn visit_modes(&mut self, visitor: &mut ::tensor_core::module::ModeVisitor<'_>) {
        <Tensor<
            (((), O), I),
        > as ::tensor_core::module::Module>::visit_modes(&mut self.weight, visitor);
        <Tensor<
            ((), O),
        > as ::tensor_core::module::Module>::visit_modes(&mut self.mean, visitor);
    }
    fn from_tensors(
        path: &::tensor_core::module::Path<'_>,
        tensors: &mut ::tensor_core::module::TensorReader<'_>,
    ) -> ::core::option::Option<Self>
    where
        Self: ::core::marker::Sized,
    {
        let _ = (&path, &tensors);
        let field_weight = <Tensor<
            (((), O), I),
        > as ::tensor_core::module::Module>::from_tensors(
            &path.field("weight"),
            tensors,
        );
        let field_mean = <Tensor<
            ((), O),
        > as ::tensor_core::module::Module>::from_tensors(&path.field("mean"), tensors);
        let skipped_rate: ::core::option::Option<Rate> = ::tensor_core::__private::no_value(
            &path.field("rate"),
            tensors,
        );
        ::core::option::Option::Some(Self {
            weight: field_weight?,
            mean: field_mean?,
            rate: skipped_rate?,
        })
    }
}
#[automatically_derived]
#[diagnostic::do_not_recommend]
impl<I: Axis, O: Axis> ::tensor_core::module::StaticModule for Linear<I, O> {
    const FACTS: ::tensor_core::__private::Facts = {
        #[allow(unused_imports)]
        use ::tensor_core::__private::FactsOrUnknown as _;
        ::tensor_core::__private::Facts::NONE
            .and(::tensor_core::__private::FactsOf::<Tensor<(((), O), I)>>::FACTS)
            .and(
                ::tensor_core::__private::FactsOf::<Tensor<((), O)>>::FACTS.as_buffers(),
            )
    };
    const TREE: ::tensor_core::__private::ModuleTree = {
        #[allow(unused_imports)]
        use ::tensor_core::__private::FactsOrUnknown as _;
        ::tensor_core::__private::ModuleTree::Fields(
            &[
                (
                    "weight",
                    ::tensor_core::__private::FactsOf::<Tensor<(((), O), I)>>::TREE,
                ),
                ("mean", ::tensor_core::__private::FactsOf::<Tensor<((), O)>>::TREE),
                (
                    "rate",
                    ::tensor_core::__private::ModuleTree::NoTensor(
                        ::core::stringify!(Rate),
                    ),
                ),
            ],
        )
    };
}
#[automatically_derived]
impl<I: Axis, O: Axis, __V, __S, __S1, __S2> ::tensor_core::module::WalkShapes<__V, __S>
for Linear<I, O>
where
    Tensor<(((), O), I)>: ::tensor_core::module::WalkShapes<__V, __S, Out = __S1>,
    Tensor<((), O)>: ::tensor_core::module::WalkShapes<__V, __S1, Out = __S2>,
{
    type Out = __S2;
}

// #[derive(Module)] struct Block<M>(Vec<M>, #[module(rename = "norm")] M::Norm, bool) where M: Layer;
#[automatically_derived]
#[diagnostic::do_not_recommend]
impl<M> ::tensor_core::module::Module for Block<M>
where
    M: Layer,
    M: ::tensor_core::module::Module,
    M::Norm: ::tensor_core::module::Module,
{
    fn visit<'__a>(
        &'__a self,
        path: &::tensor_core::module::Path<'_>,
        visitor: &mut ::tensor_core::module::Visitor<'__a, '_>,
    ) {
        <Vec<
            M,
        > as ::tensor_core::module::Module>::visit(
            &self.0,
            &path.index(0usize),
            visitor,
        );
        <M::Norm as ::tensor_core::module::Module>::visit(
            &self.1,
            &path.field("norm"),
            visitor,
        );
        <bool as ::tensor_core::module::Module>::visit(
            &self.2,
            &path.index(2usize),
            visitor,
        );
    }
    fn visit_mut<'__a>(
        &'__a mut self,
        path: &::tensor_core::module::Path<'_>,
        visitor: &mut ::tensor_core::module::VisitorMut<'__a, '_>,
    ) {
        <Vec<
            M,
        > as ::tensor_core::module::Module>::visit_mut(
            &mut self.0,
            &path.index(0usize),
            visitor,
        );
        <M::Norm as ::tensor_core::module::Module>::visit_mut(
            &mut self.1,
            &path.field("norm"),
            visitor,
        );
        <bool as ::tensor_core::module::Module>::visit_mut(
            &mut self.2,
            &path.index(2usize),
            visitor,
        );
    }
    fn visit_modes(&mut self, visitor: &mut ::tensor_core::module::ModeVisitor<'_>) {
        <Vec<M> as ::tensor_core::module::Module>::visit_modes(&mut self.0, visitor);
        <M::Norm as ::tensor_core::module::Module>::visit_modes(&mut self.1, visitor);
        <bool as ::tensor_core::module::Module>::visit_modes(&mut self.2, visitor);
    }
    fn from_tensors(
        path: &::tensor_core::module::Path<'_>,
        tensors: &mut ::tensor_core::module::TensorReader<'_>,
    ) -> ::core::option::Option<Self>
    where
        Self: ::core::marker::Sized,
    {
        let _ = (&path, &tensors);
        let field_0 = <Vec<
            M,
        > as ::tensor_core::module::Module>::from_tensors(&path.index(0usize), tensors);
        let field_1 = <M::Norm as ::tensor_core::module::Module>::from_tensors(
            &path.field("norm"),
            tensors,
        );
        let field_2 = <bool as ::tensor_core::module::Module>::from_tensors(
            &path.index(2usize),
            tensors,
        );
        ::core::option::Option::Some(Self {
            0: field_0?,
            1: field_1?,
            2: field_2?,
        })
    }
}
#[automatically_derived]
#[diagnostic::do_not_recommend]
impl<M> ::tensor_core::module::StaticModule for Block<M>
where
    M: Layer,
    M: ::tensor_core::module::StaticModule,
    M::Norm: ::tensor_core::module::StaticModule,
{
    const FACTS: ::tensor_core::__private::Facts = {
        #[allow(unused_imports)]
        use ::tensor_core::__private::FactsOrUnknown as _;
        ::tensor_core::__private::Facts::NONE
            .and(::tensor_core::__private::FactsOf::<Vec<M>>::FACTS)
            .and(::tensor_core::__private::FactsOf::<M::Norm>::FACTS)
            .and(::tensor_core::__private::FactsOf::<bool>::FACTS)
    };
    const TREE: ::tensor_core::__private::ModuleTree = {
        #[allow(unused_imports)]
        use ::tensor_core::__private::FactsOrUnknown as _;
        ::tensor_core::__private::ModuleTree::Fields(
            &[
                ("0", ::tensor_core::__private::FactsOf::<Vec<M>>::TREE),
                ("norm", ::tensor_core::__private::FactsOf::<M::Norm>::TREE),
                ("2", ::tensor_core::__private::FactsOf::<bool>::TREE),
            ],
        )
    };
}
#[automatically_derived]
impl<M, __V, __S, __S1, __S2, __S3> ::tensor_core::module::WalkShapes<__V, __S>
for Block<M>
where
    M: Layer,
    Vec<M>: ::tensor_core::module::WalkShapes<__V, __S, Out = __S1>,
    M::Norm: ::tensor_core::module::WalkShapes<__V, __S1, Out = __S2>,
    bool: ::tensor_core::module::WalkShapes<__V, __S2, Out = __S3>,
{
    type Out = __S3;
}

// #[derive(Module)] enum Head<A> { One(Wrapped<A>), Two { a: A }, None }
#[automatically_derived]
#[diagnostic::do_not_recommend]
impl<A> ::tensor_core::module::Module for Head<A>
where
    A: ::tensor_core::module::Module,
{
    fn visit<'__a>(
        &'__a self,
        path: &::tensor_core::module::Path<'_>,
        visitor: &mut ::tensor_core::module::Visitor<'__a, '_>,
    ) {
        let _ = (&path, &visitor);
        match self {
            Self::One { 0: field_0, .. } => {
                <Wrapped<
                    A,
                > as ::tensor_core::module::Module>::visit(
                    field_0,
                    &path.index(0usize),
                    visitor,
                );
            }
            Self::Two { a: field_a, .. } => {
                <A as ::tensor_core::module::Module>::visit(
                    field_a,
                    &path.field("a"),
                    visitor,
                );
            }
            Self::None { .. } => {}
        }
    }
    fn visit_mut<'__a>(
        &'__a mut self,
        path: &::tensor_core::module::Path<'_>,
        visitor: &mut ::tensor_core::module::VisitorMut<'__a, '_>,
    ) {
        let _ = (&path, &visitor);
        match self {
            Self::One { 0: field_0, .. } => {
                <Wrapped<
                    A,
                > as ::tensor_core::module::Module>::visit_mut(
                    field_0,
                    &path.index(0usize),
                    visitor,
                );
            }
            Self::Two { a: field_a, .. } => {
                <A as ::tensor_core::module::Module>::visit_mut(
                    field_a,
                    &path.field("a"),
                    visitor,
                );
            }
            Self::None { .. } => {}
        }
    }
    fn visit_modes(&mut self, visitor: &mut ::tensor_core::module::ModeVisitor<'_>) {
        let _ = &visitor;
        match self {
            Self::One { 0: field_0, .. } => {
                <Wrapped<
                    A,
                > as ::tensor_core::module::Module>::visit_modes(field_0, visitor);
            }
            Self::Two { a: field_a, .. } => {
                <A as ::tensor_core::module::Module>::visit_modes(field_a, visitor);
            }
            Self::None { .. } => {}
        }
    }
}
#[automatically_derived]
#[diagnostic::do_not_recommend]
impl<A> ::tensor_core::module::StaticModule for Head<A>
where
    A: ::tensor_core::module::StaticModule,
{
    const FACTS: ::tensor_core::__private::Facts = {
        #[allow(unused_imports)]
        use ::tensor_core::__private::FactsOrUnknown as _;
        ::tensor_core::__private::Facts::UNKNOWN
    };
    const TREE: ::tensor_core::__private::ModuleTree = {
        #[allow(unused_imports)]
        use ::tensor_core::__private::FactsOrUnknown as _;
        ::tensor_core::__private::ModuleTree::NoTensor(::core::stringify!(Head))
    };
}
#[automatically_derived]
impl<A, __V, __S, __S1, __S2> ::tensor_core::module::WalkShapes<__V, __S> for Head<A>
where
    Wrapped<A>: ::tensor_core::module::WalkShapes<__V, __S, Out = __S1>,
    A: ::tensor_core::module::WalkShapes<__V, __S1, Out = __S2>,
{
    type Out = __S2;
}
