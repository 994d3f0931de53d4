//! The studio's server, tested by a program that uses the protocol. `studio/tests` tests it with the page.

use crate::support::{RECIPE, Scratch, command, cpu, expect, path, root, run};
use orogen::rivers::RiverOptions;
use orogen::scatter::{PlaceList, PlaceRules};
use orogen::{Recipe, Region};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A server of its own, which ends with the test.
pub struct Server {
    child: Child,
    pub port: u16,
    pub token: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer: status, head and body.
pub struct Answer {
    pub status: u16,
    head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}: {}", self.status, String::from_utf8_lossy(&self.body)))
    }

    pub fn refused(&self, status: u16, why: &str) {
        let said = String::from_utf8_lossy(&self.body);
        assert!(self.status == status && said.contains(why), "{} instead of {status} '{why}': {said}", self.status);
    }
}

impl Server {
    pub fn start(args: &[&str]) -> Self {
        let mut child = command(&[&["serve", "--port", "0", "--backend", "cpu"], args].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        let mut url = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut url).expect("the URL");
        let rest = url.trim().strip_prefix("http://127.0.0.1:").expect("an address of this machine");
        let (port, token) = rest.split_once("/?token=").expect("a token");
        Server { child, port: port.parse().expect("a port"), token: token.to_owned() }
    }

    fn send(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let own = [("Host", format!("127.0.0.1:{}", self.port)), ("Content-Type", "application/json".to_owned())];
        let mut text = format!("{method} {target} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        for (name, value) in own.iter().filter(|(name, _)| !headers.iter().any(|(given, _)| given == name)) {
            text += &format!("{name}: {value}\r\n");
        }
        headers.iter().for_each(|(name, value)| text += &format!("{name}: {value}\r\n"));
        stream.write_all((text + "\r\n").as_bytes()).and_then(|()| stream.write_all(body)).expect("sent");
        let mut all = Vec::new();
        stream.read_to_end(&mut all).expect("an answer");
        let end = all.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&all[..end]).to_lowercase();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Answer { status, head, body: all[end + 4..].to_vec() }
    }

    /// Of its process.
    pub fn id_of_process(&self) -> u32 {
        self.child.id()
    }

    /// With the token.
    pub fn ask(&self, method: &str, target: &str, body: &Value) -> Answer {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.send(method, target, &[("Authorization", &format!("Bearer {}", self.token))], body.as_bytes())
    }

    pub fn get(&self, target: &str) -> Answer {
        self.ask("GET", target, &Value::Null)
    }

    /// The name that a text's recipe goes by.
    fn id(&self, text: &str) -> String {
        let checked = self.ask("POST", "/api/check", &json!({ "text": text })).json();
        checked["id"].as_str().unwrap_or_else(|| panic!("{checked}")).to_owned()
    }

    /// Sends a request without reading the answer.
    fn ask_only(&self, target: &str) -> TcpStream {
        let head = format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n\r\n", self.port, self.token);
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.write_all(head.as_bytes()).expect("sent");
        stream
    }

    pub fn edit(&self, text: &str, edits: &Value) -> Answer {
        self.ask("POST", "/api/edit", &json!({ "text": text, "edits": edits }))
    }
}

pub const STAGES: &str = r#"# The land.
output = "high"

[node.hills] # a comment that stays
kind = "simplex"
wavelength = 40.0 # in units
seed = 3

# On top of it.
[node.land]
kind = "fractal"
of = "hills"
octaves = 5

[stage.eroded]
kind = "thermal"
of = "land"
iterations = 4

[stage.high]
kind = "normalise"
of = "eroded"

[bake]
tile = 32
tiles = [3, 2]
layers = ["land"]
"#;

#[test]
fn only_who_knows_the_token_and_comes_from_here_is_answered() {
    let scratch = Scratch::new("serve-guard");
    let server = Server::start(&[path(&scratch.file("r.toml", RECIPE))]);
    let bearer = format!("Bearer {}", server.token);
    let by_url = format!("/?token={}", server.token);
    for target in ["/", "/api/about", "/api/document", "/assets/studio.js", "/tiles/n/0/0/0.png", "/live", "/nothing"] {
        server.send("GET", target, &[], b"").refused(403, "token");
        server.send("GET", target, &[("Authorization", "Bearer 00000000000000000000000000000000")], b"").refused(403, "token");
        server.send("GET", target, &[("Authorization", &bearer), ("Host", "evil.example")], b"").refused(403, "host");
        server.send("GET", target, &[("Authorization", &bearer), ("Origin", "http://evil.example")], b"").refused(403, "origin");
    }
    let page = server.send("GET", &by_url, &[], b"");
    let cookie = format!("set-cookie: orogen_{}={}; httponly; samesite=strict; path=/", server.port, server.token);
    assert!(page.status == 200 && page.head.contains(&cookie), "{}", page.head);
    assert!(page.head.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{}", page.head);
    let own = format!("http://127.0.0.1:{}", server.port);
    let cookie = format!("other=1; orogen_{}={}", server.port, server.token);
    assert_eq!(server.send("GET", "/api/about", &[("Cookie", &cookie), ("Origin", &own)], b"").status, 200);
    server.get("/nothing").refused(404, "nothing here");
    server.get("/assets/..%2fmod.rs").refused(404, "there is no");
}

/// The bits of the numbers in an answer.
fn floats(answer: &Answer) -> Vec<u32> {
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.body.as_chunks::<4>().0.iter().map(|four| u32::from_le_bytes(*four)).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn samples_are_the_bits_of_the_library() {
    let server = Server::start(&[]);
    let id = server.id(STAGES);
    assert_eq!(server.id(&STAGES.replace("# The land.", "# Other words.")), id, "comments change nothing");
    let recipe = Recipe::from_toml(STAGES, "text").expect("a recipe");
    let region = Region { origin: [-7, 1 << 40, 0], size: [33, 20, 1], spacing: 0.25, ..Region::plane(1, 1) };
    let found = floats(&server.get(&format!("/api/samples/{id}/land?x=-7&y={}&width=33&height=20&spacing=0.25", 1_u64 << 40)));
    let noise = recipe.pipeline.noise_of("land").expect("a noise");
    assert_eq!(found, bits(&cpu().field(&noise, &region).expect("a field").values));
    // A stage that needs the world is measured as a bake measures it.
    let world = Region::plane(96, 64);
    let pipeline = cpu().measure(&recipe.pipeline, &["high"], &[world]).expect("measured");
    let layer = cpu().layers(&pipeline, &["high"], &Region { origin: [5, 9, 0], ..Region::plane(40, 30) }).expect("a layer").remove(0);
    assert_eq!(floats(&server.get(&format!("/api/samples/{id}/high?x=5&y=9&width=40&height=30&spacing=1"))), bits(&layer.values));
    let several = server.get(&format!("/api/layers/{id}?layers=high,land,eroded&x=5&y=9&width=40&height=30&spacing=1"));
    assert!(several.head.contains("x-orogen-channels: 1,1,1"), "{}", several.head);
    assert_eq!(floats(&several)[..40 * 30], bits(&layer.values));
    let seams = server.get(&format!("/api/seams/{id}/high?x=5&y=9&width=41&height=30&spacing=1")).json();
    assert_eq!(seams, json!({ "samples": 1230, "different": 0 }));
    let probe = server.get(&format!("/api/probe/{id}/land?x=3.5&y=-2")).json();
    let octaves = probe["octaves"].as_array().expect("octaves");
    let sum: f64 = octaves.iter().filter_map(|octave| octave["value"].as_f64()).sum();
    assert!(octaves.len() == 5 && (sum - probe["value"][0].as_f64().expect("a value")).abs() < 1e-6, "{probe}");
    let measured = server.get(&format!("/api/measure/{id}/land?x=0&y=0&width=128&height=128&spacing=1")).json();
    let counted: u64 = measured["histogram"]["counts"].as_array().expect("counts").iter().filter_map(Value::as_u64).sum();
    assert_eq!((counted, measured["directions"]["sectors"].as_array().map(Vec::len)), (128 * 128, Some(16)));
    // Other fields, too large requests, unknown names and invalid regions are refused.
    for (target, status, why) in [
        (format!("/api/samples/{id}/high?x=0&y=0&width=8&height=8&spacing=2"), 400, "would be another field"),
        (format!("/api/samples/{id}/land?x=0&y=0&width=9000&height=9000&spacing=1"), 413, "81000000 samples"),
        (format!("/api/samples/{id}/land?x=0&y=0&width=0&height=8&spacing=1"), 422, "size"),
        (format!("/api/samples/{id}/land?x=0&y=0&width=8&height=8&spacing=NaN"), 422, "spacing"),
        (format!("/api/samples/{id}/nobody?x=0&y=0&width=8&height=8&spacing=1"), 422, "nobody"),
        ("/api/samples/0123/land?x=0&y=0&width=8&height=8&spacing=1".to_owned(), 410, "no longer cached"),
        (format!("/api/probe/{id}/land?x=NaN&y=0"), 422, "point 0"),
        (format!("/api/measure/{id}/land?x=0&y=0&width=8&height=9&spacing=1"), 400, "squares"),
        ("/api/places?x0=0&y0=0&x1=1e6&y1=1e6&distance=1".to_owned(), 400, "at most 2e5 places"),
        ("/api/places?x0=0&y0=0&x1=1&y1=1&distance=1&seed=-1".to_owned(), 400, "such as its magnitude"),
        ("/api/places?x0=-1e9&y0=0&x1=1e9&y1=0&distance=1".to_owned(), 400, "at most 2e5 places"),
        (format!("/api/export/{id}/high?target=wgsl"), 400, "high"),
        (format!("/api/export/{id}/land?target=spirv"), 400, "allowed: wgsl"),
    ] {
        server.get(&target).refused(status, why);
    }
    let wide = STAGES.replace("iterations = 4", "iterations = 4096").replace("tiles = [3, 2]", "tiles = [400, 400]");
    let id = server.id(&wide);
    server.get(&format!("/api/samples/{id}/high?x=0&y=0&width=8&height=8&spacing=1")).refused(413, "measured over the whole world");
}

/// Water is traced in the world of each level, and its nearest samples stand beyond the edge.
#[test]
fn traced_water_is_shown_at_every_level_and_ends_at_the_edge() {
    let server = Server::start(&[]);
    let bake = "[bake]\ntile = 32\ntiles = [3, 2]";
    let text = STAGES.replace(bake, "[stage.water]\nkind = \"drainage\"\nof = \"land\"\n\n[bake]\ntile = 20\ntiles = [2, 1]");
    let id = server.id(&text);
    let engine = cpu();
    let recipe = Recipe::from_toml(&text, "text").expect("a recipe");
    for level in [0, 1] {
        let world = Region { level, ..Region::plane(40 >> level, 20 >> level) };
        let whole = &engine.layers(&recipe.pipeline, &["water"], &world).expect("a layer")[0];
        let [width, height] = [world.size[0] as usize, world.size[1] as usize];
        for (x, y) in [(-3_i64, -2_i64), (5, 3), (i64::from(world.size[0]) - 2, 4), (1000, -1000)] {
            let at = |from: i64, i: usize, size: usize| (from + i as i64).clamp(0, size as i64 - 1) as usize;
            let expected: Vec<f32> = (0..7 * 9).map(|i| whole.values[at(y, i / 9, height) * width + at(x, i % 9, width)]).collect();
            let found = floats(&server.get(&format!("/api/samples/{id}/water?x={x}&y={y}&width=9&height=7&spacing=1&level={level}")));
            assert_eq!(found, bits(&expected), "{x}, {y} at level {level}");
        }
    }
    let rivers = server.get(&format!("/api/rivers/{id}/water?area=30")).json();
    let found =
        engine.rivers(&recipe.pipeline, "water", &Region::plane(40, 20), &RiverOptions { basin: f64::INFINITY, ..RiverOptions::new(30.0) });
    let found: Value = serde_json::from_str(&found.expect("rivers").geojson()).expect("JSON");
    assert!(rivers == found && found["features"].as_array().is_some_and(|all| !all.is_empty()));
    // The rules of drainage hold over the whole world: 40 × 20 samples.
    let rules = server.get(&format!("/api/drainage/{id}")).json();
    let outlets = rules[0]["outlets"].as_u64().expect("a number");
    assert_eq!(rules, json!([{ "stage": "water", "samples": 800, "outlets": outlets, "broken": null, "at": null }]));
    assert!(outlets > 100, "{outlets} outlets");
    server.get(&format!("/api/rivers/{id}/land")).refused(400, "drainage");
    server.get(&format!("/api/rivers/{id}/water?area=-1")).refused(400, "area");
}

/// Places by rules are those of the library over the recipe's tiles, also where water that is traced in them limits places.
#[test]
fn places_by_rules_are_those_of_the_library() {
    let server = Server::start(&[]);
    let bake = "[bake]\ntile = 32\ntiles = [3, 2]";
    let text = STAGES.replace(bake, "[stage.water]\nkind = \"drainage\"\nof = \"land\"\n\n[bake]\ntile = 40\ntiles = [2, 1]");
    let id = server.id(&text);
    let rules = "[tree]\ndistance = 3.0\nradius = 1.0\nlimits = { 'water.area' = [0.0, 60.0] }\n[stone]\ndistance = 2.0\n";
    let (recipe, known) = (Recipe::from_toml(&text, "text").expect("a recipe"), PlaceRules::from_toml(rules).expect("rules"));
    let (engine, world) = (cpu(), Region::plane(80, 40));
    let measured = engine.measure(&recipe.pipeline, &["water"], &[world]).expect("measured");
    let output = &recipe.pipeline.output;
    let found = |low, high| known.places(&engine, &measured, &world, output, low, high).expect("places");
    let asked = |body: &Value| server.ask("POST", &format!("/api/places/{id}"), body);
    let here = found([7.5, 3.0], [50.0, 40.0]);
    let places: Vec<Value> = here.iter().map(|place| json!([place.kind, place.position[0], place.position[1]])).collect();
    // Nothing is outside of the world.
    let answer = asked(&json!({ "rules": rules, "area": [7.5, 3.0, 50.0, 99.0] })).json();
    assert_eq!(answer, json!({ "kinds": ["tree", "stone"], "places": places }));
    assert!(here.iter().any(|place| place.kind == 0) && here.iter().any(|place| place.kind == 1));
    let all = found([0.0; 2], [80.0, 40.0]);
    for list in PlaceList::ALL {
        let answer = asked(&json!({ "rules": rules, "list": list.name() }));
        assert_eq!(String::from_utf8(answer.body).expect("text"), known.list(&all, *list), "{list}");
    }
    asked(&json!({ "rules": "[tree]\nlimits = { wter = [0.0, 1.0] }" })).refused(400, "wter");
    asked(&json!({ "rules": "[tree]\ndistance = 0.02" })).refused(413, "more than 2e5 places");
}

#[test]
fn a_recipe_of_thousands_of_nodes_is_answered_in_time() {
    let server = Server::start(&[]);
    let rows = (1..2000).map(|i| format!("[node.n{i}]\nkind = \"scale_offset\"\nof = \"n{}\"\n", i - 1)).collect::<String>();
    let text = format!("output = \"n1999\"\n[node.n0]\nkind = \"simplex\"\n{rows}");
    let start = Instant::now();
    assert_eq!(server.ask("POST", "/api/check", &json!({ "text": text })).json()["ok"], true);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let text = "#".repeat(5 << 20);
    server.ask("POST", "/api/check", &json!({ "text": text })).refused(413, "allowed: up to");
}

#[test]
fn nothing_of_anybody_is_overwritten() {
    let scratch = Scratch::new("serve-save");
    let file = scratch.file("r.toml", RECIPE);
    let server = Server::start(&[path(&file)]);
    let document = server.get("/api/document").json();
    assert_eq!((&document["name"], &document["text"], &document["draft"]), (&json!("r.toml"), &json!(RECIPE), &Value::Null));
    let mine = RECIPE.replace("output", "# mine\noutput");
    server.ask("PUT", "/api/draft", &json!({ "text": mine }));
    assert_eq!(server.get("/api/document").json()["draft"], json!(mine));
    let saved = server.ask("PUT", "/api/document", &json!({ "text": mine, "over": document["saved"] })).json()["saved"].clone();
    assert_eq!(fs::read_to_string(&file).expect("the file"), mine);
    assert_eq!(server.get("/api/document").json()["draft"], Value::Null, "a saved text is not a draft");
    // After a change by another program, neither an old hash nor none saves over it.
    fs::write(&file, "# theirs\n").expect("written");
    for over in [&saved, &document["saved"], &Value::Null] {
        let conflict = server.ask("PUT", "/api/document", &json!({ "text": mine, "over": over }));
        assert_eq!((conflict.status, &conflict.json()["text"]), (409, &json!("# theirs\n")));
    }
    assert_eq!(fs::read_to_string(&file).expect("the file"), "# theirs\n");
    // A file that is not there yet is made; without a name there is nothing to save to.
    let server = Server::start(&[path(&scratch.0.join("new.toml"))]);
    assert_eq!(server.get("/api/document").json()["saved"], Value::Null);
    assert_eq!(server.ask("PUT", "/api/document", &json!({ "text": mine, "over": null })).status, 200);
    assert_eq!(fs::read_to_string(scratch.0.join("new.toml")).expect("the file"), mine);
    Server::start(&[]).ask("PUT", "/api/document", &json!({ "text": mine, "over": null })).refused(400, "no file to save to");
}

#[test]
fn tiles_are_the_saved_recipes_and_keep_their_tags() {
    let scratch = Scratch::new("serve-tiles");
    let server = Server::start(&[path(&scratch.file("r.toml", STAGES))]);
    let npy = server.get("/tiles/land/0/-1/2.npy");
    let recipe = Recipe::from_toml(STAGES, "text").expect("a recipe");
    let noise = recipe.pipeline.noise_of("land").expect("a noise");
    let field = cpu().field(&noise, &Region::tile(-1, 2, 256)).expect("a field");
    let values: Vec<u8> = field.values.iter().flat_map(|value| value.to_le_bytes()).collect();
    assert!(npy.status == 200 && npy.body.starts_with(b"\x93NUMPY\x01\x00") && npy.body.ends_with(&values));
    assert_eq!((npy.body.len() - values.len()) % 64, 0, "the offset of the numbers");
    let tag = npy.head.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a tag").to_owned();
    let bearer = format!("Bearer {}", server.token);
    let again = server.send("GET", "/tiles/land/0/-1/2.npy", &[("Authorization", &bearer), ("If-None-Match", &tag)], b"");
    assert_eq!((again.status, again.body.len()), (304, 0));
    // Neighbours are drawn alike, and terrarium's heights come to within half a step.
    let picture = image::load_from_memory(&server.get("/tiles/land/0/-1/2.terrarium.png").body).expect("a picture").to_rgb8();
    for (pixel, value) in picture.pixels().zip(&field.values) {
        let [r, g, b] = pixel.0.map(f64::from);
        assert!((r * 256.0 + g + b / 256.0 - 32_768.0 - f64::from(*value)).abs() <= 1.0 / 512.0);
    }
    assert_eq!(server.get("/tiles/high/0/0/0.png").status, 200);
    for (target, why) in [
        ("/tiles/high/1/0/0.png", "zoom 1 is not allowed; allowed: 0 to 0"),
        ("/tiles/land/99/0/0.png", "zoom 99 is not allowed"),
        ("/tiles/land/0/0/0.gif", "allowed: Y.terrarium.png, Y.png, Y.npy"),
        ("/tiles/land/0/0/9223372036854775807.png", "below 2^40"),
    ] {
        server.get(target).refused(404, why);
    }
}

#[test]
fn a_renderer_follows_the_sliders() {
    let server = Server::start(&[]);
    let url = |rest: &str| format!("ws://127.0.0.1:{}/live?{rest}", server.port);
    assert!(tungstenite::connect(url("follow=true")).is_err(), "without the token");
    let connected = |rest: &str| {
        let (mut socket, _) = tungstenite::connect(url(&format!("{rest}token={}", server.token))).expect("a socket");
        // A message that does not come is a failure, and no endless wait.
        if let tungstenite::stream::MaybeTlsStream::Plain(stream) = socket.get_mut() {
            stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket of this machine");
        }
        socket
    };
    let mut socket = connected("follow=true&");
    let mut next = || serde_json::from_str::<Value>(&socket.read().expect("a message").into_text().expect("text")).expect("JSON");
    let first = next()["recipe"]["text"].as_str().expect("the recipe in work").to_owned();
    let mut noise = Recipe::from_toml(&first, "live").expect("a recipe").noise().expect("a noise");
    // A live parameter is sent by its name, so that a renderer sets it and compiles nothing.
    let edits = json!([{ "op": "set", "table": "node", "name": "hills", "param": "gain", "value": 0.25 }]);
    let text = server.edit(&first, &edits).json()["text"].clone();
    let text = text.as_str().expect("a text");
    let set = next()["set"].clone();
    assert_eq!(set, json!({ "name": "hills.gain", "value": 0.25, "text": text }));
    noise.set("hills.gain", 0.25).expect("a live parameter");
    assert_eq!(Recipe::from_toml(text, "live").expect("a recipe").noise().expect("a noise"), noise);
    // All other changes are sent as a recipe.
    let add = json!({ "op": "add", "table": "node", "name": "top", "kind": "abs", "params": { "of": "hills" } });
    let edited = server.edit(text, &json!([add, { "op": "output", "name": "top" }])).json();
    assert_eq!(next(), json!({ "recipe": { "text": edited["text"], "id": edited["checked"]["id"] }, "by": null }));
    // Pages receive their number, so that they can recognise their own changes.
    let mut page = connected("");
    let mut heard = || serde_json::from_str::<Value>(&page.read().expect("a message").into_text().expect("text")).expect("JSON");
    let own = heard()["hello"]["page"].as_u64().expect("a number");
    let headers = [("Authorization", format!("Bearer {}", server.token)), ("X-Orogen-Page", own.to_string())];
    let body = json!({ "text": edited["text"], "edits": edits }).to_string();
    server.send("POST", "/api/edit", &headers.each_ref().map(|(name, value)| (*name, value.as_str())), body.as_bytes());
    assert_eq!(heard()["by"], json!(own));
}

#[test]
fn surfaces_are_those_of_the_library() {
    let scratch = Scratch::new("serve-surface");
    let recipe = Recipe::load(root().join("recipes/caves.toml")).expect("a recipe");
    let text = recipe.to_toml().expect("text");
    let server = Server::start(&[path(&scratch.file("r.toml", &text))]);
    let id = server.ask("POST", "/api/check", &json!({ "text": text })).json()["id"].as_str().expect("a recipe").to_owned();
    let ask = |layer: &str, rest: &str| server.get(&format!("/api/surface/{id}/{layer}?x=-20&y=9&z=1000000000&spacing=3.5&{rest}"));
    let region = Region { origin: [-20, 9, 1_000_000_000], size: [34; 3], spacing: 3.5, ..Region::plane(1, 1) };
    let noise = recipe.pipeline.noise_of("first").expect("a node");
    let mesh = orogen::mesh::solid(&cpu(), &noise, &region, 0.1).expect("a surface");
    assert!(mesh.triangles.len() > 500, "{} triangles", mesh.triangles.len());
    let numbers: Vec<u32> = [mesh.positions.len() as u32, mesh.triangles.len() as u32]
        .into_iter()
        .chain(mesh.positions.iter().chain(&mesh.normals).flatten().map(|x| x.to_bits()))
        .chain(mesh.triangles.iter().flatten().copied())
        .collect();
    let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    let answer = ask("first", "size=34&at=0.1");
    assert!(answer.status == 200 && answer.body == bytes, "{} with {} bytes instead of {}", answer.status, answer.body.len(), bytes.len());
    // Nothing is solid: no triangles.
    assert_eq!(ask("first", "size=34&at=99").body, [0; 8]);
    for size in [0, 1, 130, u32::MAX] {
        ask("first", &format!("size={size}&at=0")).refused(400, "allowed: 2 to 129 samples");
    }
    ask("first", "size=34&at=NaN").refused(400, "allowed: a number");
    ask("nobody", "size=34&at=0").refused(400, "nobody");
}

#[test]
fn surfaces_that_nobody_waits_for_are_not_computed() {
    // 2 million samples of 400 lattices each: a minute's work.
    let text = concat!(
        "output = \"all\"\n[node.cells]\nkind = \"worley\"\ndimensions = 3\nwavelength = 9\n",
        "[node.some]\nkind = \"fractal\"\nof = \"cells\"\noctaves = 20\nlacunarity = 1.1\n",
        "[node.all]\nkind = \"fractal\"\nof = \"some\"\noctaves = 20\nlacunarity = 1.1\n"
    );
    let scratch = Scratch::new("serve-gone");
    let server = Server::start(&[path(&scratch.file("r.toml", text))]);
    let id = server.id(text);
    let surface = |size: u32| format!("/api/surface/{id}/all?x=0&y=0&z=0&spacing=1&size={size}&at=0");
    // More of them than there are places to compute.
    let mut waiting: Vec<TcpStream> = (0..32).map(|_| server.ask_only(&surface(129))).collect();
    waiting[0].set_read_timeout(Some(Duration::from_secs(2))).expect("a timeout");
    let early = waiting[0].read(&mut [0; 1]);
    assert!(early.is_err(), "so much is not answered within two seconds: {early:?}");
    drop(waiting);
    let start = Instant::now();
    let answer = server.get(&surface(2));
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    assert!(start.elapsed() < Duration::from_secs(10), "a small one waited for {:?}", start.elapsed());
}

/// A measured world is computed for those who wait: others find their places free.
#[test]
fn worlds_that_nobody_waits_for_are_not_measured() {
    let text = format!(
        "{}\n[node.ground]\nkind = \"fractal\"\nof = \"land\"\noctaves = 8\n",
        STAGES.replace("\"land\"\niter", "\"ground\"\niter")
    );
    let text = text.replace("tile = 32\ntiles = [3, 2]", "tile = 4096\ntiles = [5, 5]");
    let server = Server::start(&[]);
    let id = server.id(&text);
    let samples = |id: &str, layer: &str| format!("/api/samples/{id}/{layer}?x=0&y=0&width=8&height=8&spacing=1");
    let mut waiting: Vec<TcpStream> = (0..32).map(|_| server.ask_only(&samples(&id, "high"))).collect();
    waiting[0].set_read_timeout(Some(Duration::from_secs(1))).expect("a timeout");
    let early = waiting[0].read(&mut [0; 1]);
    assert!(early.is_err(), "so much is not answered within a second: {early:?}");
    drop(waiting);
    let start = Instant::now();
    let answer = server.get(&samples(&server.id(STAGES), "high"));
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    assert!(start.elapsed() < Duration::from_secs(10), "a small one waited for {:?}", start.elapsed());
}

#[test]
fn a_recipe_is_handed_out_as_other_text() {
    let scratch = Scratch::new("serve-code");
    let server = Server::start(&[path(&scratch.file("r.toml", STAGES))]);
    let id = server.ask("POST", "/api/check", &json!({ "text": STAGES })).json()["id"].as_str().expect("a recipe").to_owned();
    let recipe = Recipe::from_toml(STAGES, "r.toml").expect("a recipe");
    let texts = [recipe.to_python(), recipe.to_rust(), recipe.to_toml().expect("text"), recipe.to_json().expect("text")];
    for (form, text) in ["python", "rust", "toml", "json"].iter().zip(texts) {
        let answer = server.get(&format!("/api/code/{id}?as={form}"));
        assert_eq!((answer.status, String::from_utf8_lossy(&answer.body)), (200, text.into()), "{form}");
    }
    server.get(&format!("/api/code/{id}?as=basic")).refused(400, "allowed: python, rust, json, toml");
}

/// Waits until a bake has written its manifest.
fn manifest(folder: &Path) -> Value {
    for _ in 0..600 {
        if let Ok(text) = fs::read_to_string(folder.join("manifest.json")) {
            return serde_json::from_str(&text).expect("JSON");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("no manifest in {}", folder.display());
}

#[test]
fn bakes_go_where_they_may_and_are_those_of_the_command() {
    let scratch = Scratch::new("serve-bake");
    let recipe = scratch.file("r.toml", STAGES);
    let (out, alone) = (scratch.0.join("out"), scratch.0.join("alone"));
    let server = Server::start(&[path(&recipe), "--out", path(&out)]);
    for folder in ["../x", "/x", "a/b", "", ".", "..", ".hidden", "a\\b", "c:"] {
        server.ask("POST", "/api/bake", &json!({ "text": STAGES, "folder": folder })).refused(400, "is not allowed");
    }
    server.ask("POST", "/api/bake", &json!({ "text": STAGES, "folder": "w", "format": "gif" })).refused(400, "gif");
    server.ask("POST", "/api/bake", &json!({ "text": "output = 1", "folder": "w" })).refused(422, "output");
    assert_eq!(server.ask("POST", "/api/bake", &json!({ "text": STAGES, "folder": "w", "format": "r16", "range": "-1,1" })).status, 202);
    expect(&run(&["bake", path(&recipe), "--out", path(&alone), "--backend", "cpu", "--format", "r16", "--range", "-1,1"], ""), 0, &[]);
    let files = |manifest: &Value| manifest["tiles"].clone();
    assert_eq!(files(&manifest(&out.join("w"))), files(&manifest(&alone)));
}

#[test]
fn kinds_are_offered_with_their_names_in_other_libraries() {
    let scratch = Scratch::new("serve-kinds");
    let about = Server::start(&[path(&scratch.file("r.toml", STAGES))]).get("/api/about").json();
    for (table, kind, name) in [("node", "worley", "voronoi"), ("node", "fractal", "perlin_fractal"), ("stage", "gaussian", "blur")] {
        let rows = about["kinds"][table].as_array().expect("rows");
        let offered = rows.iter().filter(|row| row["synonyms"].as_array().expect("names").contains(&json!(name)));
        assert_eq!(offered.map(|row| &row["kind"]).collect::<Vec<_>>(), [kind], "{name}");
    }
}

#[test]
fn a_bake_for_a_program_is_planned_refused_and_made_as_by_the_command() {
    let scratch = Scratch::new("serve-for");
    let recipe = scratch.file("r.toml", STAGES);
    let (out, alone) = (scratch.0.join("out"), scratch.0.join("alone"));
    let server = Server::start(&[path(&recipe), "--out", path(&out)]);
    let about = server.get("/api/about").json();
    let unity = about["destinations"].as_array().expect("a list").iter().find(|one| one["name"] == "unity").expect("one of them");
    assert_eq!((&unity["formats"], &unity["doc"]), (&json!(["r16"]), &json!("Unity: one terrain per tile")));
    let plan = |more: Value| {
        let mut wanted = json!({ "text": STAGES, "folder": "w", "for": "unity" });
        wanted.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        server.ask("POST", "/api/bake/plan", &wanted)
    };
    let planned = plan(json!({})).json();
    let proven = |lo: f64, hi: f64| json!({ "lo": lo, "hi": hi, "kind": "proven" });
    let recipe_read = Recipe::from_toml(STAGES, "r.toml").expect("a recipe");
    let land = recipe_read.pipeline.noise_of("land").expect("a node").range().expect("a range");
    let files = json!([
        { "layer": "high", "format": "r16", "range": proven(0.0, 1.0) },
        { "layer": "land", "format": "png8", "range": proven(land.lo, land.hi) },
    ]);
    assert_eq!(planned, json!({ "for": "unity", "tiles": 6, "edge": 33, "overlap": 1, "rows": "up", "files": files }));
    let measured = plan(json!({ "range": "measured", "layers": "land" })).json();
    assert_eq!(measured["files"], json!([{ "layer": "land", "format": "r16", "range": "measured" }]));
    plan(json!({ "tile": 40 })).refused(400, "is not allowed; allowed: 33 samples (--tile 32), 65 samples (--tile 64)");
    plan(json!({ "format": "exr" })).refused(400, "for unity: format = exr is not allowed; allowed: r16");
    plan(json!({ "for": "gimp" })).refused(400, "gimp");
    assert!(!out.exists(), "a plan writes nothing");
    let wanted = json!({ "text": STAGES, "folder": "w", "for": "unity", "layers": "land,high", "tile": 64 });
    assert_eq!(server.ask("POST", "/api/bake", &wanted).status, 202);
    let flags = ["--for", "unity", "--layers", "land,high", "--tile", "64"];
    expect(&run(&[&["bake", path(&recipe), "--out", path(&alone), "--backend", "cpu"][..], &flags].concat(), ""), 0, &[]);
    let made = out.join("w");
    for file in ["IMPORT.md", "import.json"] {
        // The last things that a bake writes.
        for _ in 0..600 {
            if made.join("import.json").exists() && made.join("IMPORT.md").exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let read = |folder: &Path| fs::read_to_string(folder.join(file)).expect(file);
        assert_eq!(read(&made), read(&alone));
    }
    assert_eq!(manifest(&made)["tiles"], manifest(&alone)["tiles"]);
}

#[test]
fn what_cannot_be_served_says_why() {
    let scratch = Scratch::new("serve-start");
    let recipe = scratch.file("r.toml", RECIPE);
    let server = Server::start(&[path(&recipe)]);
    let taken = server.port.to_string();
    expect(&run(&["serve", "--port", &taken], ""), 69, &["port", "allowed: a free one"]);
    expect(&run(&["serve", path(&scratch.file("r.json", "{}"))], ""), 2, &["r.json", "allowed: a name that ends in .toml"]);
    // With errors in it, it is served all the same, to be mended there.
    let broken = Server::start(&[path(&scratch.file("broken.toml", "output = \"nobody\"\n"))]);
    let document = broken.get("/api/document").json();
    let checked = broken.ask("POST", "/api/check", &json!({ "text": document["text"] })).json();
    assert_eq!((&checked["ok"], &checked["error"]["line"]), (&json!(false), &json!(1)), "{checked}");
    let about = broken.get("/api/about").json();
    assert_eq!((&about["file"]["writable"], &about["engine"]["backend"]), (&json!(true), &json!("cpu")));
    // Files of the same name in another folder have separate drafts.
    let other = Scratch::new("serve-elsewhere");
    let elsewhere = Server::start(&[path(&other.file("r.toml", STAGES))]).get("/api/about").json();
    assert!(about["file"]["id"].is_string() && about["file"]["id"] != elsewhere["file"]["id"], "{about}");
    assert_eq!(about["kinds"]["node"].as_array().map(Vec::len), Some(orogen::node::Node::TABLE.len()));
}
