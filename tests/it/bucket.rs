//! A world of shards in object storage: in memory here, against a server in `scripts/cloud`.

use crate::nodes;
use crate::support::{Random, command, cpu, expect, run};
use object_store::memory::InMemory;
use object_store::path::Path as Key;
use orogen::bake::folder::World;
use orogen::bake::manifest::{Product, RangeKind, RangeRecord};
use orogen::bake::plan::Plan;
use orogen::bake::shard::{Bucket, Object, Store};
use orogen::bake::{Format, Sharded, Tiles};
use orogen::stage::Pipeline;
use std::io::{Error, ErrorKind, Read, Result};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn bucket(memory: &Arc<InMemory>) -> Bucket {
    Bucket::on(memory.clone(), Key::from("worlds/one"), "memory://worlds/one/").expect("a bucket")
}

#[test]
fn objects_are_made_once_and_found_by_folder() {
    let memory = Arc::new(InMemory::new());
    let bucket = bucket(&memory);
    bucket.probe().expect("conditional puts hold");
    assert_eq!(bucket.names("").expect("names"), [""; 0]);
    let object = |name: &str, bytes: &[u8]| Object { name: name.to_owned(), bytes: bytes.to_vec() };
    assert_eq!(bucket.make(&[object("a/b", b"first"), object("c", b"x")]).expect("made"), [true, true]);
    assert_eq!(bucket.make(&[object("a/b", b"second"), object("a/d", b"")]).expect("made"), [false, true]);
    assert_eq!(bucket.read("a/b").expect("read").as_deref(), Some(&b"first"[..]));
    assert_eq!((bucket.size("a/d").expect("size"), bucket.size("a").expect("size")), (Some(0), None));
    assert_eq!(
        (bucket.names("").expect("names"), bucket.names("a").expect("names")),
        (vec!["a".into(), "c".into()], vec!["b".into(), "d".into()])
    );
    assert_eq!(bucket.path(), PathBuf::from("memory://worlds/one"));
}

#[test]
fn a_task_of_a_runtime_may_call_it_too() {
    let memory = Arc::new(InMemory::new());
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let read = runtime.block_on(async {
        let bucket = bucket(&memory);
        bucket.probe().expect("conditional puts hold");
        bucket.make(&[Object { name: "a".to_owned(), bytes: b"x".to_vec() }]).expect("made");
        bucket.read("a").expect("read")
    });
    assert_eq!(read.as_deref(), Some(&b"x"[..]));
}

/// Fails some calls, some of them after they have been done.
struct Cut {
    bucket: Bucket,
    random: Mutex<Random>,
}

impl Cut {
    fn or<T>(&self, call: impl FnOnce() -> Result<T>) -> Result<T> {
        match self.random.lock().expect("no panic").bits() % 150 {
            0 => Err(Error::other("the request failed")),
            1 => call().and(Err(Error::other("the answer was cut"))),
            _ => call(),
        }
    }
}

impl Store for Cut {
    fn path(&self) -> PathBuf {
        self.bucket.path()
    }
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        self.or(|| self.bucket.read(name))
    }
    fn size(&self, name: &str) -> Result<Option<u64>> {
        self.or(|| self.bucket.size(name))
    }
    fn names(&self, folder: &str) -> Result<Vec<String>> {
        self.or(|| self.bucket.names(folder))
    }
    fn make(&self, objects: &[Object]) -> Result<Vec<bool>> {
        self.or(|| self.bucket.make(objects))
    }
    fn probe(&self) -> Result<()> {
        self.or(|| self.bucket.probe())
    }
    fn remove(&self, name: &str) -> Result<()> {
        self.or(|| self.bucket.remove(name))
    }
    fn tidy(&self, folder: &str) -> Result<()> {
        self.or(|| self.bucket.tidy(folder))
    }
}

#[test]
fn requests_that_fail_or_are_cut_change_nothing() {
    let range = Some(RangeRecord { lo: -2.0, hi: 2.0, kind: RangeKind::Declared });
    let products = [Product { layer: "n".into(), format: Format::R16, range }];
    let pipeline = Pipeline::from(nodes::of_kind("fractal").remove(0).named("n"));
    let plan = Plan { tile: 8, tiles: Tiles { x: -9..12, y: 4..10 }, overlap: 0, level: 0, spacing: 2.0, z: 0.0 };
    let world = World::new(&pipeline, &plan, &products);
    let baked = |store: Arc<dyn Store>| {
        // Failed processes are started again.
        let mut failed = 0;
        let sharded = loop {
            match Sharded::plan(store.clone(), &cpu(), &world, 5) {
                Ok(sharded) => break sharded,
                Err(_) => failed += 1,
            }
        };
        for shard in 0..5 {
            while let Err(error) = sharded.bake(&cpu(), shard, &()) {
                failed += 1;
                assert!(failed < 10_000, "it never ends: {error}");
            }
        }
        loop {
            match sharded.seal(&()) {
                Ok(sealed) => return (sealed, failed),
                Err(_) => failed += 1,
            }
            assert!(failed < 10_000, "it never ends");
        }
    };
    let (expected, none) = baked(Arc::new(bucket(&Arc::new(InMemory::new()))));
    assert_eq!(none, 0);
    let mut total = 0;
    for seed in 1..=4 {
        let memory = Arc::new(InMemory::new());
        let cut = Cut { bucket: bucket(&memory), random: Mutex::new(Random(seed)) };
        let (found, failed) = baked(Arc::new(cut));
        assert_eq!(found, expected);
        total += failed;
        let checked = Sharded::open(Arc::new(bucket(&memory))).expect("the plan").check(None, &()).expect("a check");
        assert_eq!((checked.findings.len(), checked.unfinished), (0, false), "{:?}", checked.findings);
    }
    assert!(total > 10, "{total} failures: nothing was tried");
}

#[test]
fn servers_are_greeted_in_tls() {
    let server = TcpListener::bind("127.0.0.1:0").expect("a port");
    let endpoint = format!("https://{}", server.local_addr().expect("an address"));
    let mut client = command(&["status", "s3://worlds/hills"])
        .envs([("AWS_ENDPOINT", &*endpoint), ("AWS_ACCESS_KEY_ID", "key"), ("AWS_SECRET_ACCESS_KEY", "secret")])
        .stderr(Stdio::null())
        .spawn()
        .expect("the command");
    // Without a greeting there would be no connection: the command ends, and so does waiting.
    server.set_nonblocking(true).expect("a socket");
    let mut connection = loop {
        match server.accept() {
            Ok((connection, _)) => break connection,
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(Duration::from_millis(5)),
            Err(error) => panic!("{error}"),
        }
        assert_eq!(client.try_wait().expect("a process"), None, "it has ended without a connection");
    };
    connection.set_nonblocking(false).and_then(|()| connection.set_read_timeout(Some(Duration::from_secs(30)))).expect("a socket");
    // RFC 8446, 5.1 and 4: a record of a handshake, and in it a greeting.
    let mut greeting = [0; 6];
    connection.read_exact(&mut greeting).expect("a greeting");
    client.kill().and_then(|()| client.wait()).expect("it waits for an answer");
    assert_eq!((greeting[0], greeting[5]), (22, 1));
}

#[test]
fn what_is_no_place_in_object_storage_is_refused() {
    expect(&run(&["status", "what://worlds/hills"], ""), 2, &["what://worlds/hills", "allowed: s3://BUCKET/FOLDER"]);
    expect(&run(&["bake", "s3://", "--shard", "0/1"], ""), 2, &["s3://"]);
}
