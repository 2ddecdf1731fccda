"""Every check is itself checked: run alone, it finds the planted fault that it is there for."""

import pytest

from porting import check
from porting.parity.checks import TWINS, checks
from porting.runners import RUNNERS
from porting.selftest.planted import planted_faults

# check -> planted faults that this check alone must find
TORCH = {
    "adjoint": "forward.exponent_ignored formula.NegativeCosine",
    "broadcast": "structure.OffsetNotSummed",
    "coincidences": "special.nothing_at_the_static special.NothingWhereEqual",
    "complex_numbers": "transforms.NotConjugated transforms.ConjugatedAsInJax",
    "cotangent_sizes": "cotangent.TinyCotangentsDropped cotangent.HugeCotangentsClipped",
    "duplicates": "layout.LastOneWins layout.AveragedDuplicates",
    "global_state": "state.SeedsInBackward state.default_type_changed",
    "inputs_unchanged": "memory.CloneForgotten memory.ShiftedInPlace",
    "interleaved": "state.KeptInTheModule state.KeptOnTheClass",
    "jvp": "transforms.OneTangentForgotten transforms.TangentNegative",
    "kinks": "special.BothTakeAll special.OneAtZero",
    "large": "elements.OneOfMany special.FlatFarOut",
    "layouts": "layout.CotangentStridesFixed layout.InputStridesFixed",
    "leak": "memory.OutputOnCtx memory.OutputCached",
    "linear": "cotangent.ClippedCotangent cotangent.SignOfCotangent cotangent.WeightDecayInside",
    "nan_cotangent": "special.CotangentCleaned",
    "nan_input": "special.MaskedNan",
    "raw_gradient": "structure.AlwaysDouble structure.DoubleOutput structure.MaskInSingle",
    "refusals": "refusals.takes_any_bounds refusals.asserts_the_bounds",
    "repeated": "state.NoisyGradient state.DroppedGradients",
    "retained": "state.FreedAfterUse state.MaskReused",
    "second_order": "second_order.ComplementSaved second_order.CurvatureNegative",
    "shapes": "layout.BatchExpected layout.LastAxisExpected layout.NoBlocks",
    "shared_cotangent": "memory.CloneForgotten memory.ScaledInPlace",
    "single_outputs": "structure.AllOrNothing structure.NoneNotExpected",
    "special_values": "special.InfiniteValue special.QuotientOfInfinities",
    "subsets": "structure.NeedsExchanged structure.WantedOnesFirst",
    "value": "forward.exponent_ignored forward.CubeOfTheMagnitude",
    "vjp": "formula.NegativeCosine formula.SlightlyTooSteep special.GradientOfRelu6",
    "vmap": "transforms.BatchAlwaysFirst transforms.OneInputMoved",
    "whole_range": "special.InfiniteValue special.QuotientOfInfinities",
}
TF = {
    "adjoint": "formula.hard_forward formula.leaky_forward",
    "broadcast": "structure.offset_not_summed",
    "coincidences": "special.no_gradient_at_the_static special.no_gradient_where_equal",
    "complex_numbers": "structure.not_conjugated structure.wrong_one_conjugated",
    "cotangent_sizes": "cotangent.underflow_flushed cotangent.explosion_prevented",
    "duplicates": "structure.last_one_wins structure.mean_of_duplicates",
    "global_state": "state.seeds_numpy state.seeds_python state.seeds_tensorflow",
    "indexed_slices": "graph.slices_taken_for_all graph.sparse_cotangent_indexed",
    "interleaved": "state.saved_in_the_module state.saved_on_a_class",
    "keyword_call": "graph.body_without_gradient graph.guard_skipped",
    "kinks": "special.slope_at_zero special.tie_to_the_first",
    "large": "special.one_in_a_large_array special.cut_off",
    "linear": "cotangent.clipped cotangent.sign_only",
    "nan_cotangent": "special.nan_cotangent_to_zero",
    "nan_input": "special.nan_to_zero",
    "python_state": "graph.slope_from_the_settings",
    "raw_gradient": "structure.always_float64 structure.output_in_float32",
    "refusals": "refusals.any_bounds refusals.bounds_by_debugging",
    "repeated": "state.noisy state.dropped_out",
    "retained": "state.accumulates state.buffer_used_again",
    "second_order": "second_order.half_the_curvature second_order.input_in_the_closure",
    "shapes": "structure.first_apart_backward structure.row_by_row",
    "single_outputs": "cotangent.first_output_unused",
    "special_values": "special.exponential_over_itself special.largest_not_subtracted",
    "subsets": "structure.one_for_two",  # no gradient function of TensorFlow knows which are wanted
    "traced": "graph.calls_counted graph.columns_counted graph.placeholder_gradient",
    "value": "formula.hard_forward formula.leaky_forward",
    "variables": "state.variable_gets_none state.variable_ignores_cotangent",
    "vjp": "special.straight_beyond_ten formula.averaged_twice",
    "xla": "graph.python_in_the_graph graph.sparse_matrix",
    "whole_range": "special.exponential_over_itself special.largest_not_subtracted",
}
CASES = [
    pytest.param(backend, name, fault, id=f"{backend}: {name} finds {fault}")
    for backend, table in (("torch", TORCH), ("tf", TF))
    for name, faults in table.items()
    for fault in faults.split()
]


def found(backend, name, fault, seed):
    if RUNNERS[backend].missing():
        pytest.skip(RUNNERS[backend].missing())
    (planted,) = [p for p in planted_faults(backend) if p.name == f"{backend}.{fault}"]
    report = check(planted.op, runners=[backend], only=[name], seed=seed)
    return report.counts["differ"] and report.exit_code == 1


@pytest.mark.parametrize(("backend", "name", "fault"), CASES)
def test_check_finds_its_fault(backend, name, fault):
    assert found(backend, name, fault, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "name", "fault"), CASES)
def test_check_finds_its_fault_with_other_seeds(backend, name, fault):
    assert all(found(backend, name, fault, seed) for seed in (1, 2))


@pytest.mark.parametrize("backend", TWINS)
def test_every_check_of_a_twin_has_a_fault(backend):
    table = TORCH if backend == "torch" else TF
    elsewhere = {"outside_domain"}  # test_contract.py: no toy has a domain
    elsewhere |= {"finite"}  # test_caught.py: it is for sides without an oracle
    if backend == "tf":
        elsewhere |= {"layouts", "inputs_unchanged"}  # no strides; and nothing in TensorFlow overwrites a tensor
    assert set(table) == {c.name for c in checks().values() if backend in c.runners} - elsewhere
