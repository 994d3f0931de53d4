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
    let status = sharded.status()?;
    if status.missing.is_empty() {
        return Err(Failure::message(USAGE, "no shard lacks tiles; allowed: orogen seal"));
    }
    print(match args.scheduler {
        Scheduler::Slurm => slurm(world, &status.array()),
        Scheduler::Kubernetes => kubernetes(sharded.shards()),
        Scheduler::Dask => dask(world, &status.missing),
    })
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

/// Pods that bake at a time, unless the file is edited.
const AT_ONCE: u32 = 100;

/// Two jobs, the second of which waits until the first has baked all there is.
fn kubernetes(shards: u32) -> String {
    let at_once = shards.min(AT_ONCE);
    format!(
        r#"# Bakes every shard of a planned world as an Indexed Job, and seals it: kubectl apply -f THIS_FILE
# Shards that are done end at once. The image has the command:
#     FROM debian:bookworm-slim
#     COPY orogen /usr/local/bin/orogen
# The claim is a volume that many pods may write to (ReadWriteMany), with plan.json at its top.
apiVersion: batch/v1
kind: Job
metadata:
  name: orogen-bake
spec:
  completionMode: Indexed
  completions: {shards}
  parallelism: {at_once}
  # 75, an eviction or a lost node: the shard goes on in another pod.
  backoffLimitPerIndex: 20
  podFailurePolicy:
    rules:
      # Usage, tiles that differ, a bad recipe: it would fail again.
      - action: FailIndex
        onExitCodes:
          containerName: bake
          operator: In
          values: [2, 4, 65]
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 60
      containers:
        - name: bake
          image: orogen
          command: [orogen, bake, /world, --shard, auto, --backend, cpu]
          resources:
            requests:
              cpu: "1"
              memory: 2Gi
            limits:
              memory: 2Gi
          volumeMounts:
            - name: world
              mountPath: /world
      volumes:
        - name: world
          persistentVolumeClaim:
            claimName: orogen-world
---
apiVersion: batch/v1
kind: Job
metadata:
  name: orogen-seal
spec:
  backoffLimit: 6
  template:
    spec:
      restartPolicy: OnFailure
      initContainers:
        - name: wait
          image: orogen
          command: [sh, -c, 'until orogen status /world | grep -qE "^(to be )?sealed"; do sleep 30; done']
          volumeMounts:
            - name: world
              mountPath: /world
      containers:
        - name: seal
          image: orogen
          command: [orogen, seal, /world]
          volumeMounts:
            - name: world
              mountPath: /world
      volumes:
        - name: world
          persistentVolumeClaim:
            claimName: orogen-world"#
    )
}

/// A program in Python whose workers start the command.
fn dask(world: &str, missing: &[u32]) -> String {
    format!(
        r#""""Bakes the missing shards of a planned world with Dask, and seals it: python THIS_FILE [SCHEDULER].

Without the address of a scheduler, two workers on this machine do it. Workers need the command (OROGEN says where, else PATH) and the
folder under the same name.
"""

import os
import subprocess
import sys

from distributed import Client, LocalCluster, as_completed

WORLD = r'{world}'
SHARDS = {missing:?}
OROGEN = os.environ.get("OROGEN", "orogen")
BACKEND = os.environ.get("BACKEND", "cpu")


def bake(shard):
    """Bakes a shard; one that was stopped goes on."""
    for _ in range(20):
        done = subprocess.run([OROGEN, "bake", WORLD, "--shard", str(shard), "--backend", BACKEND], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.strip()
        if done.returncode != 75:
            break
    raise RuntimeError(f"shard {{shard}}: exit code {{done.returncode}}: {{done.stderr.strip()}}")


if __name__ == "__main__":
    cluster = sys.argv[1] if len(sys.argv) > 1 else LocalCluster(n_workers=2, threads_per_worker=1)
    with Client(cluster) as client:
        for future in as_completed(client.map(bake, SHARDS, pure=False)):
            print(future.result(), flush=True)
    subprocess.run([OROGEN, "seal", WORLD], check=True)"#
    )
}
