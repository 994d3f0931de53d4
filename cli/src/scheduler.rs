//! The shard that this process bakes: given explicitly, or by the scheduler that started it.

use super::counted::Counted;
use super::exit::{Failure, USAGE};
use super::out::say;

/// Variables in which schedulers store the index of a job in its array, and the first index.
const VARIABLES: &[(&str, &str, u32)] = &[
    ("Slurm", "SLURM_ARRAY_TASK_ID", 0),
    ("PBS", "PBS_ARRAY_INDEX", 0),
    ("Torque", "PBS_ARRAYID", 0),
    // These schedulers always count from 1.
    ("Grid Engine", "SGE_TASK_ID", 1),
    ("LSF", "LSB_JOBINDEX", 1),
    ("Kubernetes", "JOB_COMPLETION_INDEX", 0),
    ("AWS Batch", "AWS_BATCH_JOB_ARRAY_INDEX", 0),
    ("Google Batch", "BATCH_TASK_INDEX", 0),
    ("Cloud Run", "CLOUD_RUN_TASK_INDEX", 0),
    ("HyperQueue", "HQ_TASK_ID", 0),
];

/// Variables that store the number of jobs in the array, or the highest index.
const ENDS: &[(&str, &str)] = &[("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MAX"), ("PBS_ARRAY_INDEX", "PBS_ARRAY_MAX")];

/// The shard selected by `--shard`, out of this many.
pub fn index(text: &str, shards: u32) -> Result<u32, Failure> {
    let variable = |name: &str| std::env::var(name).ok();
    let found = if text == "auto" { by_scheduler(shards, &variable)? } else { by_hand(text, shards)? };
    if found < shards {
        return Ok(found);
    }
    refuse(format!("there is no shard {found}"), format!("0 to {}", shards - 1))
}

fn refuse<T>(what: impl std::fmt::Display, allowed: impl std::fmt::Display) -> Result<T, Failure> {
    Err(Failure::message(USAGE, format!("--shard: {what}; allowed: {allowed}")))
}

fn by_hand(text: &str, shards: u32) -> Result<u32, Failure> {
    let (index, of) = text.split_once('/').map_or((text, None), |(index, of)| (index, Some(of)));
    let (Ok(index), Ok(of)) = (index.trim().parse::<u32>(), of.map_or(Ok(shards), |of| of.trim().parse())) else {
        return refuse(format!("'{text}' is not a shard"), format!("I, I/{shards} or auto"));
    };
    if of != shards {
        return refuse(format!("{index}/{of} has another number of shards"), format!("I/{shards}, as in the plan"));
    }
    Ok(index)
}

fn by_scheduler(shards: u32, variable: &dyn Fn(&str) -> Option<String>) -> Result<u32, Failure> {
    // Grid Engine sets 'undefined' for jobs outside an array.
    let said: Vec<_> = VARIABLES
        .iter()
        .filter_map(|&(who, name, first)| Some((who, name, first, variable(name).filter(|is| is != "undefined")?)))
        .collect();
    let names = || VARIABLES.iter().map(|(_, name, _)| *name).collect::<Vec<_>>().join(", ");
    let [(who, name, first, value)] = &said[..] else {
        return match &said[..] {
            [] => refuse("auto, but no scheduler variable is set", format!("I/{shards}, or one of {}", names())),
            said => refuse(
                format!("auto, but {} are both set", said.iter().map(|(_, name, ..)| *name).collect::<Vec<_>>().join(" and ")),
                format!("I/{shards}"),
            ),
        };
    };
    let Some(index) = value.parse::<u32>().ok().and_then(|value| value.checked_sub(*first)) else {
        return refuse(format!("{name}={value}"), format!("{first} to {}", u64::from(shards) + u64::from(*first) - 1));
    };
    if let Some(end) = ENDS.iter().find(|(of, _)| of == name).and_then(|(_, end)| Some((end, variable(end)?.parse::<u32>().ok()?))) {
        let (end_name, end) = end;
        if end >= shards {
            return refuse(
                format!("{end_name}={end}, but the world has {}, from 0 on", Counted(shards, "shard")),
                format!("an array of 0-{}", shards - 1),
            );
        }
    }
    say(format_args!("shard {index} by {name} ({who})"));
    Ok(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(said: &[(&str, &str)], shards: u32) -> Result<u32, String> {
        let variable = |name: &str| said.iter().find(|(is, _)| *is == name).map(|(_, value)| (*value).to_owned());
        by_scheduler(shards, &variable).map_err(|failure| failure.to_string())
    }

    #[test]
    fn every_schedulers_index_is_understood() {
        for (_, name, first) in VARIABLES {
            assert_eq!(with(&[(name, &(5 + first).to_string())], 37), Ok(5), "{name}");
        }
        assert_eq!(with(&[("SLURM_ARRAY_TASK_ID", "36"), ("SLURM_ARRAY_TASK_MAX", "36"), ("SGE_TASK_ID", "undefined")], 37), Ok(36));
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for (said, why) in [
            (&[][..], "no scheduler variable is set"),
            (
                &[("SLURM_ARRAY_TASK_ID", "1"), ("JOB_COMPLETION_INDEX", "1")][..],
                "SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are both set",
            ),
            (&[("SGE_TASK_ID", "0")][..], "allowed: 1 to 37"),
            (&[("SLURM_ARRAY_TASK_ID", "x")][..], "allowed: 0 to 36"),
            // Counting from 1 would shift every index, and the last would be out of range.
            (&[("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_ARRAY_TASK_MAX", "37")][..], "an array of 0-36"),
        ] {
            let told = with(said, 37).expect_err(why);
            assert!(told.contains(why), "{told}");
        }
        assert!(by_hand("3/36", 37).is_err() && by_hand("x", 37).is_err() && by_hand("3/37", 37).is_ok_and(|shard| shard == 3));
    }
}
