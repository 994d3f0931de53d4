// The end of each cell's chain of heads. An end is its own head.
//
// Invocations shorten the chains that others follow. A head always lies on the way to the same end, so the ends do not depend on the
// order.

@group(0) @binding(1) var<storage, read_write> heads: array<atomic<u32>>;

// Of steps in one dispatch. So each dispatch makes chains shorter by at least this factor.
const ENDS_STEPS: u32 = 64u;

fn ends_of(cell: u32) {
    var at = atomicLoad(&heads[cell]);
    for (var step = 0u; step < ENDS_STEPS; step++) {
        let next = atomicLoad(&heads[at]);
        if (next == at) {
            break;
        }
        at = next;
    }
    atomicStore(&heads[cell], at);
}
