//! The studio's handling of untrusted text, files and connections, and preservation of texts from other editors.

use crate::serve::{STAGES, Server};
use crate::support::{Scratch, path};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Texts of one meaning with their line ends in every way, with a byte order mark or without.
fn written(text: &str) -> Vec<String> {
    let crlf = text.replace('\n', "\r\n");
    let mixed: String = text
        .split_inclusive('\n')
        .enumerate()
        .map(|(i, line)| if i % 3 == 1 { line.replace('\n', "\r\n") } else { line.to_owned() })
        .collect();
    let without_end = |text: &str| text.trim_end_matches(['\r', '\n']).to_owned();
    let all = [text.to_owned(), crlf.clone(), mixed.clone(), without_end(text), without_end(&crlf), without_end(&mixed)];
    all.iter().cloned().chain(all.iter().map(|text| format!("\u{feff}{text}"))).collect()
}

/// Lines with their ends.
fn lines(text: &str) -> Vec<&str> {
    text.strip_prefix('\u{feff}').unwrap_or(text).split_inclusive('\n').collect()
}

fn bare(text: &str) -> String {
    text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n")
}

#[test]
fn edits_and_saves_keep_every_line_end_and_the_byte_order_mark() {
    let scratch = Scratch::new("serve-ends");
    let file = scratch.file("r.toml", "");
    let server = Server::start(&[path(&file)]);
    // With text of several lines in quotes.
    let text = STAGES
        .replace("# On top of it.", "# Höhe\n# On top of it.")
        .replace("[bake]", "[node.note]\nkind = \"\"\"\nsimplex\"\"\"\n\n[bake]");
    let edits = [
        json!([]),
        json!([{ "op": "set", "table": "node", "name": "hills", "param": "wavelength", "value": 50 }]),
        json!([{ "op": "set", "table": "node", "name": "land", "param": "gain", "value": 0.25 }]),
        json!([{ "op": "set", "table": "node", "name": "land", "param": "octaves", "value": null }]),
        json!([{ "op": "rename", "table": "node", "name": "land", "to": "ground" }]),
        json!([{ "op": "remove", "table": "node", "name": "hills" }]),
        json!([{ "op": "add", "table": "node", "name": "more", "kind": "spline", "params": { "of": "land", "points": [
            { "at": 0, "value": 1 }, { "at": 1, "value": 2 }, { "at": 2, "value": 2 }, { "at": 3, "value": 2 }] } }]),
        json!([{ "op": "output", "name": "land" }, { "op": "bake", "param": "tile", "value": 64 }]),
    ];
    let mut tried = 0;
    for edit in &edits {
        let plain = server.edit(&text, edit).json()["text"].as_str().expect("a text").to_owned();
        for old in written(&text) {
            let answer = server.edit(&old, edit);
            let new = answer.json()["text"].as_str().unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&answer.body))).to_owned();
            let what = format!("{edit}: {old:?} → {new:?}");
            // The same edit as of plain text, and nothing else.
            assert_eq!(bare(&new).trim_end(), plain.trim_end(), "{what}");
            assert_eq!((new.starts_with('\u{feff}'), new.ends_with('\n')), (old.starts_with('\u{feff}'), old.ends_with('\n')), "{what}");
            let (before, after) = (lines(&old), lines(&new));
            let once = |line: &&&str| before.iter().filter(|other| other.trim_end() == line.trim_end()).count() == 1;
            for line in before.iter().filter(once).filter(|line| line.ends_with('\n')) {
                let stays = after.iter().position(|other| other.trim_end() == line.trim_end()).filter(|at| at + 1 < after.len());
                assert!(stays.is_none_or(|at| after[at] == *line), "{line:?}: {what}");
            }
            if !old.contains("\r\n") {
                assert!(!new.contains('\r'), "{what}");
            } else if old.replace("\r\n", "").matches('\n').count() == 0 {
                assert_eq!(new.matches('\n').count(), new.matches("\r\n").count(), "{what}");
            }
            // A page's editor returns it with one kind of line end.
            fs::write(&file, &old).expect("written");
            let document = server.get("/api/document").json();
            assert_eq!(document["text"], json!(old));
            let saved = server.ask("PUT", "/api/document", &json!({ "text": bare(&new), "over": document["saved"] }));
            assert_eq!(saved.status, 200, "{}", String::from_utf8_lossy(&saved.body));
            assert_eq!(fs::read_to_string(&file).expect("the file"), new, "saved: {what}");
            assert_eq!(server.get("/api/document").json()["saved"], saved.json()["saved"]);
            // A draft that differs in line ends alone is dropped.
            server.ask("PUT", "/api/draft", &json!({ "text": bare(&new) }));
            assert_eq!(server.get("/api/document").json()["draft"], Value::Null, "{what}");
            tried += 1;
        }
    }
    assert_eq!(tried, edits.len() * 12);
}

/// A recipe of heights in a file of this name.
fn raster(name: &str) -> String {
    format!("output = \"r\"\n[node.r]\nkind = \"raster\"\nheights = '{name}'\n")
}

#[cfg(target_os = "linux")]
#[test]
fn heights_lie_within_the_recipes_folder() {
    use std::os::unix::fs::symlink;
    let (scratch, other) = (Scratch::new("serve-within"), Scratch::new("serve-elsewhere-heights"));
    let server = Server::start(&[path(&scratch.file("r.toml", &raster("own.r32")))]);
    let four: Vec<u8> = [1f32, 2.0, 3.0, 4.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    fs::create_dir(scratch.0.join("sub")).expect("a folder");
    for file in [scratch.0.join("own.r32"), scratch.0.join("sub/own.r32"), other.0.join("foreign.r32")] {
        fs::write(file, &four).expect("written");
    }
    symlink(other.0.join("foreign.r32"), scratch.0.join("link.r32")).expect("a link");
    symlink(&other.0, scratch.0.join("folder")).expect("a link");
    symlink("own.r32", scratch.0.join("inner.r32")).expect("a link");
    symlink("/dev/zero", scratch.0.join("zero.r32")).expect("a link");
    fs::create_dir(scratch.0.join("folder.r32")).expect("a folder");
    fs::File::create(scratch.0.join("large.txt")).and_then(|file| file.set_len(orogen::limits::HEIGHTS + 1)).expect("a sparse file");
    assert!(std::process::Command::new("mkfifo").arg(scratch.0.join("pipe.r32")).status().expect("mkfifo").success());
    let check = |name: &str| server.ask("POST", "/api/check", &json!({ "text": raster(name) })).json();
    for name in ["own.r32", "./own.r32", "sub/own.r32", "inner.r32"] {
        assert_eq!(check(name)["ok"], true, "{name}: {}", check(name));
    }
    let (absolute, above) =
        (other.0.join("foreign.r32"), format!("../{}/foreign.r32", other.0.file_name().and_then(|name| name.to_str()).expect("a name")));
    let inside = scratch.0.join("own.r32");
    let start = Instant::now();
    for (name, says) in [
        (path(&absolute), "within the recipe's folder"),
        (path(&inside), "within the recipe's folder"),
        (&above[..], "within the recipe's folder"),
        ("sub/../own.r32", "within the recipe's folder"),
        ("/dev/zero", "within the recipe's folder"),
        ("/etc/passwd", "within the recipe's folder"),
        ("../nothing/here.r32", "within the recipe's folder"),
        ("link.r32", "within the recipe's folder"),
        ("folder/foreign.r32", "within the recipe's folder"),
        ("zero.r32", "within the recipe's folder"),
        ("pipe.r32", "a pipe; allowed: a regular file"),
        ("folder.r32", "directory"),
        ("sub", "ends in no known format"),
        // Larger than what is read: refused by its name before that.
        ("large.txt", "ends in no known format"),
        ("nothing.r32", "No such file"),
    ] {
        let told = check(name);
        let message = told["error"]["message"].as_str().unwrap_or_default();
        assert!(told["ok"] == false && message.contains(says) && told["error"]["line"] == 4, "{name}: {told}");
        // Every way in: tiles of the saved recipe, bakes, edits.
        server.edit(&raster(name), &json!([{ "op": "set", "table": "node", "name": "r", "param": "fill", "value": 1 }]));
        server.ask("POST", "/api/bake/plan", &json!({ "text": raster(name), "folder": "out" })).refused(422, says);
        server.ask("POST", "/api/bake", &json!({ "text": raster(name), "folder": "out" })).refused(422, says);
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// Resident memory of a process, in MiB.
#[cfg(target_os = "linux")]
fn resident(of: u32, field: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{of}/status")).expect("its status");
    let line = status.lines().find_map(|line| line.strip_prefix(field)).expect("a line");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") >> 10
}

#[cfg(target_os = "linux")]
#[test]
fn files_that_nobody_waits_for_are_not_read_on() {
    const LARGE: u64 = 3 << 30;
    let scratch = Scratch::new("serve-large");
    let server = Server::start(&[path(&scratch.file("r.toml", &raster("large.r32")))]);
    // Without content: it takes no place on the disk.
    fs::File::create(scratch.0.join("large.r32")).and_then(|file| file.set_len(LARGE)).expect("a file with holes");
    let body = json!({ "text": raster("large.r32") }).to_string();
    let head = format!(
        "POST /api/check HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        server.port,
        server.token,
        body.len()
    );
    let before = resident(server.id_of_process(), "VmRSS:");
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
    stream.write_all((head + &body).as_bytes()).expect("sent");
    let start = Instant::now();
    while resident(server.id_of_process(), "VmRSS:") < before + 64 {
        assert!(start.elapsed() < Duration::from_secs(30), "nothing is read");
        std::thread::sleep(Duration::from_millis(1));
    }
    drop(stream);
    std::thread::sleep(Duration::from_secs(3));
    let (now, most) = (resident(server.id_of_process(), "VmRSS:"), resident(server.id_of_process(), "VmHWM:"));
    println!("{before} MiB before, at most {most} MiB, {now} MiB after");
    assert!(most < before + (LARGE >> 21) && now < before + 256, "{before} MiB before, at most {most} MiB, {now} MiB after");
    assert_eq!(server.get("/api/about").status, 200);
}

#[test]
fn requests_that_do_not_arrive_end() {
    let server = Server::start(&[]);
    let head = |length: &str| {
        format!(
            "POST /api/check HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n{length}\r\n\r\n",
            server.port, server.token
        )
    };
    let whole = head("Content-Length: 100");
    // Data sent at once, data sent repeatedly, and the status of the answer, if there is one.
    let cases = [
        (String::new(), "", None),
        (whole[..40].to_owned(), "", None),
        (whole[..whole.len() - 2].to_owned(), "X-More: 1\r\n", None),
        (whole.clone(), "", Some(408)),
        (whole + "{", " ", Some(408)),
        (head("Transfer-Encoding: chunked"), "1\r\n \r\n", Some(408)),
    ];
    std::thread::scope(|scope| {
        for (first, again, status) in &cases {
            let server = &server;
            scope.spawn(move || {
                let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
                stream.write_all(first.as_bytes()).expect("sent");
                stream.set_read_timeout(Some(Duration::from_millis(500))).expect("a timeout");
                let (start, mut answer) = (Instant::now(), Vec::new());
                loop {
                    assert!(start.elapsed() < Duration::from_secs(25), "'{first}' is waited for");
                    let mut some = [0; 1024];
                    match stream.read(&mut some) {
                        Ok(0) => break,
                        Ok(count) => answer.extend(&some[..count]),
                        Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {
                            // The connection may be closed by now.
                            let _ = stream.write_all(again.as_bytes());
                        }
                        Err(_) => break,
                    }
                }
                let answer = String::from_utf8_lossy(&answer).into_owned();
                let found = answer.split(' ').nth(1).and_then(|status| status.parse::<u16>().ok());
                // hyper may say 408 itself before it closes.
                assert!(found == *status || (status.is_none() && found == Some(408)), "'{first}': {answer}");
                assert!(start.elapsed() > Duration::from_secs(5), "'{first}' ended after {:?}", start.elapsed());
            });
        }
    });
    // Bodies that are too large, whether they say so or not.
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
    stream.write_all(head("Content-Length: 99999999").as_bytes()).expect("sent");
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).expect("an answer before the body");
    assert!(answer.ends_with(b"413"), "{}", String::from_utf8_lossy(&answer));
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("a connection");
    stream.write_all(head("Transfer-Encoding: chunked").as_bytes()).expect("sent");
    let chunk = format!("100000\r\n{}\r\n", " ".repeat(1 << 20));
    // The server answers before all is sent.
    let sent = (0..64).take_while(|_| stream.write_all(chunk.as_bytes()).is_ok()).count();
    let read = stream.read_exact(&mut answer);
    assert!(sent < 64 || (read.is_ok() && answer.ends_with(b"413")), "{sent} MiB were taken: {}", String::from_utf8_lossy(&answer));
    assert_eq!(server.get("/api/about").status, 200);
}
