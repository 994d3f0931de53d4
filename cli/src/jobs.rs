//! `orogen jobs`: a planned world as a submission to a scheduler.

mod batch;
#[cfg(all(test, unix))]
mod tests;

use super::args::{JobsArgs, Scheduler};
use super::exit::{Failure, USAGE};
use super::out::print;
use super::quote;
use super::shard;
use orogen::bake::Address;
use orogen::bake::shard::Status;

pub fn run(args: &JobsArgs) -> Result<(), Failure> {
    let address = Address::of(&args.world);
    let world = match address.folder() {
        None => args.world.clone(),
        Some(folder) => folder.canonicalize().map_err(|error| Failure::file(folder, &error))?,
    };
    let sharded = shard::open(&world)?;
    let world = world
        .to_str()
        .ok_or_else(|| Failure::message(USAGE, format!("{}: the name is not UTF-8, which a script requires", world.display())))?;
    let status = sharded.status()?;
    if status.missing.is_empty() {
        return Err(Failure::message(USAGE, "no shard is missing; run orogen seal"));
    }
    let left = Left { shards: sharded.shards(), status: &status, phases: sharded.phases()? };
    let in_bucket = address.folder().is_none();
    if !in_bucket && matches!(args.scheduler, Scheduler::AwsBatch | Scheduler::GoogleBatch) {
        let message = format!("{world}: other machines cannot access this folder; allowed: a world in object storage, s3://… or gs://…");
        return Err(Failure::message(USAGE, message));
    }
    print(submission(args.scheduler, world, in_bucket, &left))
}

/// The submission, as text for a scheduler.
fn submission(scheduler: Scheduler, world: &str, in_bucket: bool, left: &Left<'_>) -> String {
    match scheduler {
        Scheduler::Slurm => slurm(world, left),
        Scheduler::Kubernetes => kubernetes(in_bucket.then_some(world), left),
        Scheduler::AwsBatch => batch::aws(world, left),
        Scheduler::GoogleBatch => batch::google(world, left),
        Scheduler::Dask => dask(world, left),
    }
}

/// The work to submit.
struct Left<'a> {
    shards: u32,
    status: &'a Status,
    phases: u32,
}

impl Left<'_> {
    /// The incomplete phases, with the shards that are missing in each.
    fn phases(&self) -> Vec<(u32, Vec<u32>)> {
        let Some(next) = &self.status.phase else { return Vec::new() };
        let all = || (0..self.shards).collect();
        let first = std::iter::once((next.number, next.missing.clone()));
        first.chain((next.number + 1..self.phases).map(|phase| (phase, all()))).collect()
    }
}

/// An array for each phase, one for the tiles, and a seal. Each waits for the previous one.
fn slurm(world: &str, left: &Left<'_>) -> String {
    let (world, phases) = (quote::shell(world), left.phases());
    let last = left.shards - 1;
    // Only the missing shards of the first phase, all shards of later ones.
    let first = left.status.array();
    let baked = if phases.is_empty() { first.clone() } else { format!("0-{last}") };
    let steps = phases.iter().enumerate().map(|(i, (phase, _))| {
        let array = if i == 0 { first.clone() } else { format!("0-{last}") };
        format!("step orogen-measure-{phase} {array} measure --phase {phase}\n")
    });
    let steps = steps.collect::<String>();
    format!(
        r#"#!/usr/bin/env bash
# Bakes the shards of a planned world as job arrays, and seals it when all are done: bash THIS_FILE.
# Slurm starts a shard again that was stopped or lost its node; it goes on where it was. Resources of one shard stand below;
# OROGEN, the command, and SBATCH_* variables may be set outside. Arrays of more than 1000 need a larger MaxArraySize.
set -euo pipefail

export WORLD={world}
export OROGEN="${{OROGEN:-orogen}}"

# step NAME SHARDS VERB FLAGS...: an array of `orogen VERB WORLD FLAGS --shard auto`, after the one before.
after=()
step() {{
    local name=$1 shards=$2
    export VERB=$3 FLAGS="${{*:4}}"
    job=$(sbatch --parsable --job-name="$name" --array="$shards" "${{after[@]}}" --requeue --open-mode=append --kill-on-invalid-dep=yes \
        --cpus-per-task="${{CPUS:-1}}" --mem="${{MEMORY:-2G}}" --time="${{TIME:-04:00:00}}" \
        --signal=B:TERM@60 --output="${{LOGS:-/dev/null}}" <<'JOB'
#!/usr/bin/env bash
"$OROGEN" "$VERB" "$WORLD" $FLAGS --shard auto --backend "${{BACKEND:-cpu}}" &
trap 'kill -TERM $!' TERM
code=0
wait $! || code=$?
# Interrupted by the signal, while the command finishes the tile that it has in hand.
if [ "$code" -gt 128 ] && kill -0 $! 2>/dev/null; then code=0; wait $! || code=$?; fi
# 75: stopped, or short of memory or a device; 130, 137, 143: killed by somebody. The same shard goes on. Anything else would fail again.
case $code in 75 | 130 | 137 | 143)
    [ "${{SLURM_RESTART_COUNT:-0}}" -ge "${{RETRIES:-100}}" ] || scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}" ;;
esac
exit "$code"
JOB
    )
    after=(--dependency="afterok:$job")
    jobs+=("$job")
}}

jobs=()
{steps}step orogen-bake {baked} bake
seal=$(sbatch --parsable --job-name=orogen-seal "${{after[@]}}" --kill-on-invalid-dep=yes \
    --cpus-per-task=1 --output="${{LOGS:-/dev/null}}" <<'JOB'
#!/usr/bin/env bash
exec "$OROGEN" seal "$WORLD"
JOB
)
echo "${{jobs[@]}} $seal""#
    )
}

/// Maximum number of pods that bake at a time, unless the file is edited.
const AT_ONCE: u32 = 100;

/// An Indexed Job for each phase and one for the tiles, whose pods wait for the previous phase, and a job that waits and seals.
/// Pods get credentials for a world in object storage, otherwise a volume.
fn kubernetes(url: Option<&str>, left: &Left<'_>) -> String {
    let (world, shards) = (quote::kubernetes(url.unwrap_or("/world")), left.shards);
    let pods = Pods { world: &world, in_bucket: url.is_some() };
    let measure = |(phase, _): &(u32, Vec<u32>)| {
        let words = format!("measure, {world}, --shard, auto, --backend, cpu, --phase, \"{phase}\", --wait");
        pods.indexed(&format!("measure-{phase}"), &words, shards) + "---\n"
    };
    let bake = pods.indexed("bake", &format!("bake, {world}, --shard, auto, --backend, cpu, --wait"), shards);
    let jobs = left.phases().iter().map(measure).collect::<String>() + &bake + "---\n" + &pods.seal();
    let needs = if url.is_some() {
        "# The secret orogen-credentials has the variables of the cloud: AWS_ACCESS_KEY_ID and so on."
    } else {
        "# The claim is a volume that many pods may write to (ReadWriteMany), with plan.json at its top."
    };
    format!(
        r#"# Bakes every shard of a planned world as Indexed Jobs, and seals it: kubectl apply -f THIS_FILE
# Shards that are done end at once. The image has the command:
#     FROM debian:bookworm-slim
#     COPY orogen /usr/local/bin/orogen
{needs}
{jobs}"#
    )
}

/// Properties that all pods share.
struct Pods<'a> {
    /// The value as a YAML string.
    world: &'a str,
    in_bucket: bool,
}

impl Pods<'_> {
    /// The container's access to the world.
    fn reach(&self) -> &'static str {
        if self.in_bucket {
            "          envFrom:\n            - secretRef:\n                name: orogen-credentials\n"
        } else {
            "          volumeMounts:\n            - name: world\n              mountPath: /world\n"
        }
    }

    /// The pod's part of that access.
    fn volumes(&self) -> &'static str {
        if self.in_bucket {
            ""
        } else {
            "      volumes:\n        - name: world\n          persistentVolumeClaim:\n            claimName: orogen-world\n"
        }
    }

    /// One job with a pod per shard.
    fn indexed(&self, name: &str, words: &str, shards: u32) -> String {
        let (at_once, reach, volumes) = (shards.min(AT_ONCE), self.reach(), self.volumes());
        format!(
            r#"apiVersion: batch/v1
kind: Job
metadata:
  name: orogen-{name}
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
          containerName: orogen
          operator: In
          values: [2, 4, 65]
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 60
      containers:
        - name: orogen
          image: orogen
          command: [orogen, {words}]
          resources:
            requests:
              cpu: "1"
              memory: 2Gi
            limits:
              memory: 2Gi
{reach}{volumes}"#
        )
    }

    fn seal(&self) -> String {
        let (world, reach, volumes) = (self.world, self.reach(), self.volumes());
        format!(
            r#"apiVersion: batch/v1
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
          command: [sh, -c, 'until orogen status "$1" | grep -qE "^(to be )?sealed"; do sleep 30; done', sh, {world}]
{reach}      containers:
        - name: seal
          image: orogen
          command: [orogen, seal, {world}]
{reach}{volumes}"#
        )
    }
}

/// A Python program whose workers run the command.
fn dask(world: &str, left: &Left<'_>) -> String {
    let (world, phases, missing) = (quote::escaped(world), left.phases(), &left.status.missing);
    format!(
        r#""""Bakes the missing shards of a planned world with Dask, and seals it: python THIS_FILE [SCHEDULER].

Without the address of a scheduler, two workers on this machine do it. Workers need the command (OROGEN says where, else PATH) and the
folder under the same name.
"""

import os
import subprocess
import sys

from distributed import Client, LocalCluster, as_completed

WORLD = {world}
# Phases that come first, each with its shards; then the tiles.
PHASES = {phases:?}
SHARDS = {missing:?}
OROGEN = os.environ.get("OROGEN", "orogen")
BACKEND = os.environ.get("BACKEND", "cpu")


def work(shard, *words):
    """Measures or bakes a shard; one that was stopped goes on."""
    words = [OROGEN, words[0], WORLD, "--shard", str(shard), "--backend", BACKEND, *words[1:]]
    for _ in range(20):
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.strip()
        # 75: stopped, or short of memory; below 0: killed by somebody. Anything else would fail again.
        if done.returncode != 75 and done.returncode >= 0:
            break
    raise RuntimeError(f"shard {{shard}}: exit code {{done.returncode}}: {{done.stderr.strip()}}")


if __name__ == "__main__":
    cluster = sys.argv[1] if len(sys.argv) > 1 else LocalCluster(n_workers=2, threads_per_worker=1)
    with Client(cluster) as client:
        steps = [(shards, "measure", "--phase", str(phase)) for phase, shards in PHASES] + [(SHARDS, "bake")]
        for shards, *words in steps:
            for future in as_completed([client.submit(work, shard, *words, pure=False) for shard in shards]):
                print(future.result(), flush=True)
    subprocess.run([OROGEN, "seal", WORLD], check=True)"#
    )
}
