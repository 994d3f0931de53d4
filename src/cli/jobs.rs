//! `orogen jobs`: a planned world as a submission to a scheduler.

use super::args::{JobsArgs, Scheduler};
use super::exit::{Failure, USAGE};
use super::out::print;
use super::shard;

pub fn run(args: &JobsArgs) -> Result<(), Failure> {
    let world = args.world.canonicalize().map_err(|error| Failure::file(&args.world, &error))?;
    let sharded = shard::open(&world)?;
    let world = world.to_str().filter(|path| !path.contains(['\'', '\n'])).ok_or_else(|| {
        Failure::message(USAGE, format!("{}: has a name that a script cannot hold; allowed: without quotes and line ends", world.display()))
    })?;
    let shards = match sharded.status()? {
        status if status.missing.is_empty() => return Err(Failure::message(USAGE, "no shard lacks tiles; allowed: orogen seal")),
        status => status.array(),
    };
    match args.scheduler {
        Scheduler::Slurm => print(slurm(world, &shards)),
    }
}

/// Two jobs, the second of which waits for the first.
fn slurm(world: &str, shards: &str) -> String {
    format!(
        r#"#!/usr/bin/env bash
# Bakes the shards of a planned world as a job array, and seals it when all are done: bash THIS_FILE.
# Slurm starts a shard again that was stopped or lost its node; it goes on where it was. Resources of one shard stand below;
# OROGEN, the command, and SBATCH_* variables may be set outside. Arrays of more than 1000 need a larger MaxArraySize.
set -euo pipefail

export WORLD='{world}'
export OROGEN="${{OROGEN:-orogen}}"

bake=$(sbatch --parsable --job-name=orogen-bake --array={shards} --requeue --open-mode=append \
    --cpus-per-task="${{CPUS:-1}}" --mem="${{MEMORY:-2G}}" --time="${{TIME:-04:00:00}}" \
    --signal=B:TERM@60 --output="${{LOGS:-/dev/null}}" <<'JOB'
#!/usr/bin/env bash
"$OROGEN" bake "$WORLD" --shard auto --backend "${{BACKEND:-cpu}}" &
trap 'kill -TERM $!' TERM
code=0
wait $! || code=$?
# Interrupted by the signal, while the command finishes the tile that it has in hand.
[ "$code" -le 128 ] || {{ code=0; wait $! || code=$?; }}
# 75: stopped, or short of memory or a device: the same shard goes on. Anything else would fail again.
[ "$code" != 75 ] || scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}"
exit "$code"
JOB
)
seal=$(sbatch --parsable --job-name=orogen-seal --dependency="afterok:$bake" --kill-on-invalid-dep=yes \
    --cpus-per-task=1 --output="${{LOGS:-/dev/null}}" <<'JOB'
#!/usr/bin/env bash
exec "$OROGEN" seal "$WORLD"
JOB
)
echo "$bake $seal""#
    )
}
