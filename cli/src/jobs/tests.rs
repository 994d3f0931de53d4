//! Runs submissions with stand-ins for schedulers, which record the words that reach the command: any name of a world stays one
//! word.

use super::{Left, Scheduler, submission};
use orogen::bake::shard::{Phase, Status};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use yaml_rust2::{Yaml, YamlLoader};

/// Names that a shell, YAML, JSON, Python or Kubernetes would take for something else.
const NAMES: &[&str] = &[
    "world",
    "two words",
    "it's",
    "a\"b",
    "a;touch PWNED;b",
    "$(touch PWNED)",
    "`touch PWNED`",
    "$HOME",
    "$(HOME)",
    "$$(HOME)",
    "${PATH}",
    "a\nb",
    "a\n  - b: c",
    "end\\",
    "\\n",
    "# no comment",
    "a: b",
    "{x}",
    "*",
    "~",
    "ü 岩 😀",
    "a\tb",
    "\u{1b}[31m",
    "\u{85}\u{2028}",
    "%s%d",
    "a\"\"\"b",
    "'''",
    "!x",
    "JSON\nb",
    "JOB\nb",
];

struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let place = std::env::temp_dir().join(format!("orogen-jobs-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&place);
        std::fs::create_dir_all(place.join("bin")).expect("writable");
        Place(place)
    }

    /// A program in the path.
    fn program(&self, name: &str, text: &str) {
        let path = self.0.join("bin").join(name);
        std::fs::write(&path, text).expect("writable");
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("ours");
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let path = format!("{}:{}", self.0.join("bin").display(), std::env::var("PATH").expect("a path"));
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(&self.0)
            .env("PATH", path)
            .env("SAID", self.0.join("said"))
            .env("PYTHONPATH", self.0.join("bin"))
            // The scripts prefer the command that this variable names to the stand-in in the path.
            .env_remove("OROGEN");
        let output = command.envs([("QUEUE", "q"), ("IMAGE", "i"), ("ROLE", "r"), ("LOCATION", "l")]).output().expect("it starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(!self.0.join("PWNED").exists(), "a part of the name has run");
    }

    /// Returns and clears the records of the stand-ins, in pieces that end with a zero byte.
    fn said(&self) -> Vec<String> {
        let said = std::fs::read(self.0.join("said")).unwrap_or_default();
        let _ = std::fs::remove_file(self.0.join("said"));
        said.split(|byte| *byte == 0).filter(|part| !part.is_empty()).map(|part| String::from_utf8(part.to_vec()).expect("UTF-8")).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The submission for a world of two shards and one phase, before any work.
fn submitted(scheduler: Scheduler, world: &str, in_bucket: bool) -> String {
    let phase = Phase { number: 0, of: 1, what: String::new(), missing: vec![0, 1] };
    let status = Status { phase: Some(phase), tiles: 4, missing: vec![0, 1], ..Status::default() };
    submission(scheduler, world, in_bucket, &Left { shards: 2, status: &status, phases: 1 })
}

fn worlds(before: &str) -> impl Iterator<Item = String> {
    NAMES.iter().map(move |name| format!("{before}{name}"))
}

/// Each word that reaches the command, and a line's end in the place of the next command.
const OROGEN: &str = "#!/bin/sh\nprintf '%s\\0' \"$@\" '|' >>\"$SAID\"\n";

/// Fails where not every command has the world as its second word.
fn assert_commands(said: &[String], verbs: &[&str], world: &str) {
    let commands: Vec<&[String]> = said.split(|word| word == "|").filter(|words| !words.is_empty()).collect();
    assert_eq!(commands.iter().map(|words| words[0].as_str()).collect::<Vec<_>>(), verbs, "{world:?}");
    commands.iter().filter(|words| words.len() > 1).for_each(|words| assert!(words.contains(&world.to_owned()), "{world:?}: {words:?}"));
}

#[test]
fn slurm_takes_worlds_of_any_name() {
    let place = Place::new("slurm");
    place.program("orogen", OROGEN);
    place.program("sbatch", "#!/bin/sh\ncat >\"$SAID.job\"\nbash \"$SAID.job\" </dev/null >/dev/null && echo 7\n");
    for world in worlds("/nowhere/") {
        std::fs::write(place.0.join("submit"), submitted(Scheduler::Slurm, &world, false)).expect("writable");
        place.run("bash", &["submit"]);
        assert_commands(&place.said(), &["measure", "bake", "seal"], &world);
    }
}

#[test]
fn batch_services_take_worlds_of_any_name() {
    let place = Place::new("batch");
    place.program("aws", "#!/bin/bash\nwhile [ $# -gt 0 ]; do [ \"$1\" != --container-overrides ] || printf '%s\\0' \"$2\" >>\"$SAID\"; shift; done\necho 7\n");
    place.program("gcloud", "#!/bin/bash\ncase $3 in submit) cat >>\"$SAID\" && printf '\\0' >>\"$SAID\" ;; *) echo SUCCEEDED ;; esac\n");
    for world in worlds("s3://bucket/") {
        for (scheduler, of) in
            [(Scheduler::AwsBatch, "/command"), (Scheduler::GoogleBatch, "/taskGroups/0/taskSpec/runnables/0/container/commands")]
        {
            std::fs::write(place.0.join("submit"), submitted(scheduler, &world, true)).expect("writable");
            place.run("bash", &["submit"]);
            let said: Vec<Value> =
                place.said().iter().map(|text| serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))).collect();
            let commands: Vec<&Value> = said.iter().map(|job| job.pointer(of).unwrap_or_else(|| panic!("{job}"))).collect();
            assert_eq!(commands.iter().map(|words| &words[1]).collect::<Vec<_>>(), ["measure", "bake", "seal"]);
            commands.iter().for_each(|words| assert_eq!((&words[0], &words[2]), (&"orogen".into(), &world.as_str().into())));
        }
    }
}

/// A container's word as Kubernetes expands it, where no variable has that name.
fn expanded(word: &str) -> String {
    let (mut out, mut rest) = (String::new(), word);
    while let Some((before, after)) = rest.split_once('$') {
        out += before;
        out.push('$');
        assert!(!after.starts_with('('), "a variable: {word}");
        rest = after.strip_prefix('$').unwrap_or(after);
    }
    out + rest
}

#[test]
fn kubernetes_takes_worlds_of_any_name() {
    let place = Place::new("kubernetes");
    place.program("orogen", &format!("{OROGEN}echo sealed\n"));
    for world in worlds("s3://bucket/") {
        let text = submitted(Scheduler::Kubernetes, &world, true);
        let jobs = YamlLoader::load_from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let pods = jobs.iter().map(|job| &job["spec"]["template"]["spec"]);
        let containers = pods.flat_map(|pod| [&pod["initContainers"][0], &pod["containers"][0]]).map(|container| &container["command"]);
        let words = |command: &Yaml| {
            command.as_vec().map(|words| words.iter().map(|word| expanded(word.as_str().expect("text"))).collect::<Vec<_>>())
        };
        let mut verbs = Vec::new();
        for words in containers.filter_map(words) {
            let words: Vec<&str> = ["-c", "exec \"$@\"", "sh"].into_iter().chain(words.iter().map(String::as_str)).collect();
            place.run("sh", &words);
            verbs.extend(place.said());
        }
        assert_commands(&verbs, &["measure", "bake", "status", "seal"], &world);
    }
    assert!(submitted(Scheduler::Kubernetes, "/a/folder", false).contains("claimName: orogen-world"));
}

#[test]
fn dask_takes_worlds_of_any_name() {
    let place = Place::new("dask");
    place.program("orogen", OROGEN);
    let stand_in = "class Future:\n    def __init__(self, value):\n        self.value = value\n\n    def result(self):\n        return self.value\n\n\n\
        class Client:\n    def __init__(self, cluster):\n        pass\n\n    def __enter__(self):\n        return self\n\n    def __exit__(self, *_):\n        pass\n\n    \
        def submit(self, function, *words, pure):\n        return Future(function(*words))\n\n\n\
        def LocalCluster(**_):\n    return None\n\n\ndef as_completed(futures):\n    return futures\n";
    std::fs::write(place.0.join("bin/distributed.py"), stand_in).expect("writable");
    for world in worlds("/nowhere/") {
        std::fs::write(place.0.join("bake.py"), submitted(Scheduler::Dask, &world, false)).expect("writable");
        place.run("python3", &["bake.py"]);
        assert_commands(&place.said(), &["measure", "measure", "bake", "bake", "seal"], &world);
    }
}

/// A `file://` URL names a folder of this machine, which a container does not have.
#[test]
fn folders_by_their_url_are_folders() {
    use orogen::bake::Address;
    assert_eq!(Address::of(Path::new("file:///world/a b")), Address::FileUrl(Path::new("/world/a b")));
    assert_eq!(Address::of(Path::new("s3://bucket/a b")), Address::Bucket("s3://bucket/a b"));
}
