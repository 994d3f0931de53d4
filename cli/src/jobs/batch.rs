//! Batch services of clouds: arrays of containers over a world in object storage.

use super::Left;
use crate::quote;

/// For AWS Batch: array jobs, each of which depends on the previous one.
pub fn aws(world: &str, left: &Left<'_>) -> String {
    let (world, shards) = (quote::shell(&quote::json(world)), left.shards);
    let phases = left.phases();
    let steps = phases.iter().map(|(phase, _)| format!("step orogen-measure-{phase} {shards} measure --phase {phase} --backend cpu\n"));
    let steps = steps.collect::<String>();
    format!(
        r#"#!/usr/bin/env bash
# Bakes every shard of a planned world by AWS Batch, and seals it: QUEUE=… IMAGE=… ROLE=… bash THIS_FILE, with the command line of AWS.
# Shards that are done end at once. IMAGE has the command, built with the feature cloud:
#     FROM debian:bookworm-slim
#     RUN apt-get update && apt-get install -y ca-certificates && rm -rf /var/lib/apt/lists/*
#     COPY orogen /usr/local/bin/orogen
# ROLE is the role of the containers, which may read and write the bucket.
set -euo pipefail

# A string of JSON.
WORLD={world}
: "${{QUEUE:?a job queue}}" "${{IMAGE:?an image}}" "${{ROLE:?the ARN of a role}}"

# What runs one shard. 75 (stopped, or short of memory or a device), 137 and 143 (killed) and a lost machine: the shard goes on in another
# attempt; whatever else fails would fail again.
aws batch register-job-definition --cli-input-json "$(cat <<JSON
{{
  "jobDefinitionName": "orogen",
  "type": "container",
  "containerProperties": {{
    "image": "$IMAGE",
    "jobRoleArn": "$ROLE",
    "resourceRequirements": [{{ "type": "VCPU", "value": "${{CPUS:-1}}" }}, {{ "type": "MEMORY", "value": "${{MEMORY:-2048}}" }}]
  }},
  "retryStrategy": {{
    "attempts": 10,
    "evaluateOnExit": [
      {{ "onExitCode": "75", "action": "RETRY" }},
      {{ "onExitCode": "137", "action": "RETRY" }},
      {{ "onExitCode": "143", "action": "RETRY" }},
      {{ "onStatusReason": "Host EC2*", "action": "RETRY" }},
      {{ "onExitCode": "*", "action": "EXIT" }}
    ]
  }}
}}
JSON
)" >/dev/null

# step NAME COUNT VERB FLAGS...: `orogen VERB WORLD FLAGS` as often, after the step before; an array has two jobs or more.
after=()
step() {{
    local name=$1 count=$2 verb=$3 array=() flags= flag
    shift 3
    if [ "$count" -gt 1 ]; then
        array=(--array-properties "size=$count")
        set -- "$@" --shard auto
    elif [ "$verb" != seal ]; then
        set -- "$@" --shard 0
    fi
    for flag in "$@"; do flags+=", \"$flag\""; done
    job=$(aws batch submit-job --job-name "$name" --job-queue "$QUEUE" --job-definition orogen "${{array[@]}}" "${{after[@]}}" \
        --container-overrides "{{\"command\": [\"orogen\", \"$verb\", $WORLD$flags]}}" --query jobId --output text)
    after=(--depends-on "jobId=$job")
    echo "$name $job"
}}

{steps}step orogen-bake {shards} bake --backend cpu
step orogen-seal 1 seal"#
    )
}

/// For Google Batch: jobs with a task per shard, one after the other.
pub fn google(world: &str, left: &Left<'_>) -> String {
    let (world, shards) = (quote::shell(&quote::json(world)), left.shards);
    let phases = left.phases();
    let steps = phases
        .iter()
        .map(|(phase, _)| format!("step orogen-measure-{phase} {shards} measure --phase {phase} --backend cpu --shard auto\n"));
    let steps = steps.collect::<String>();
    format!(
        r#"#!/usr/bin/env bash
# Bakes every shard of a planned world by Google Batch, and seals it: LOCATION=… IMAGE=… bash THIS_FILE, with the command line of
# Google Cloud. Shards that are done end at once. IMAGE has the command, built with the feature cloud:
#     FROM debian:bookworm-slim
#     RUN apt-get update && apt-get install -y ca-certificates && rm -rf /var/lib/apt/lists/*
#     COPY orogen /usr/local/bin/orogen
# The service account of the machines may read and write the bucket.
set -euo pipefail

# A string of JSON.
WORLD={world}
: "${{LOCATION:?a region}}" "${{IMAGE:?an image}}"
run=$(date +%s)

# step NAME COUNT VERB FLAGS...: `orogen VERB WORLD FLAGS` as often, and waits until all have ended. 75 (stopped, or short of
# memory or a device), 137 and 143 (killed) and a lost machine (50001): the shard goes on in another attempt; usage, tiles that
# differ and bad recipes would fail again.
step() {{
    local job=$1-$run count=$2 verb=$3 flags= flag
    shift 3
    for flag in "$@"; do flags+=", \"$flag\""; done
    gcloud batch jobs submit "$job" --location "$LOCATION" --config - <<JSON
{{
  "taskGroups": [
    {{
      "taskCount": $count,
      "parallelism": $((count < 100 ? count : 100)),
      "taskSpec": {{
        "runnables": [{{ "container": {{ "imageUri": "$IMAGE", "commands": ["orogen", "$verb", $WORLD$flags] }} }}],
        "computeResource": {{ "cpuMilli": ${{CPU_MILLI:-1000}}, "memoryMib": ${{MEMORY:-2048}} }},
        "maxRetryCount": 10,
        "lifecyclePolicies": [
          {{ "action": "RETRY_TASK", "actionCondition": {{ "exitCodes": [75, 137, 143, 50001] }} }},
          {{ "action": "FAIL_TASK", "actionCondition": {{ "exitCodes": [2, 4, 65] }} }}
        ]
      }}
    }}
  ],
  "logsPolicy": {{ "destination": "CLOUD_LOGGING" }}
}}
JSON
    while :; do
        case $(gcloud batch jobs describe "$job" --location "$LOCATION" --format 'value(status.state)') in
            SUCCEEDED) break ;;
            FAILED | DELETION_IN_PROGRESS) echo "$job has failed" >&2 && exit 1 ;;
        esac
        sleep "${{WAIT:-20}}"
    done
    echo "$job"
}}

{steps}step orogen-bake {shards} bake --backend cpu --shard auto
step orogen-seal 1 seal"#
    )
}
