//! A game that follows the sliders of the studio: numbers change by name without compilation, another graph is another noise.
//!
//! Run `orogen serve recipes/alps.toml` in one terminal and `cargo run --release --features png --example 08_live_link -- URL
//! [PICTURE]` in another, with the URL that the first prints. The picture is drawn again after every change.

use orogen::draw::shade;
use orogen::{Backend, Engine, EngineOptions, Prepared, Recipe, Region, Setting};
use std::io::ErrorKind;
use std::time::{Duration, Instant};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Error, WebSocket};

/// Time limit of a frame.
const FRAME: Duration = Duration::from_millis(16);

type Failed = Box<dyn std::error::Error>;

fn main() -> Result<(), Failed> {
    let mut words = std::env::args().skip(1);
    let url = words.next().ok_or("the URL that `orogen serve` has printed is missing")?;
    let path = words.next().unwrap_or_else(|| "08_live_link.png".to_owned());
    let engine = Engine::open(&EngineOptions { backend: Backend::Cpu, ..Default::default() })?;

    let live = url.replacen("http://", "ws://", 1).replacen("/?", "/live?follow=true&", 1);
    let (mut socket, _) = tungstenite::connect(live)?;
    if let MaybeTlsStream::Plain(stream) = socket.get_mut() {
        // A game's loop never blocks.
        stream.set_nonblocking(true)?;
    }
    let mut terrain: Option<Prepared> = None;
    loop {
        let start = Instant::now();
        let mut changed = false;
        while let Some(message) = next(&mut socket)? {
            changed |= follow(&engine, &mut terrain, &message)?;
        }
        if let Some(terrain) = terrain.as_ref().filter(|_| changed) {
            let field = terrain.field_with_gradient(&Region { spacing: 2.0, ..Region::plane(512, 512) })?;
            println!("a frame of 512² in {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
            std::fs::write(&path, shade(&field, 1)?.to_png()?)?;
        }
        std::thread::sleep(FRAME.saturating_sub(start.elapsed()));
    }
}

/// The next message, if one has come.
fn next(socket: &mut WebSocket<MaybeTlsStream<std::net::TcpStream>>) -> Result<Option<serde_json::Value>, Failed> {
    match socket.read() {
        Ok(message) if message.is_text() => Ok(Some(serde_json::from_str(&message.into_text()?)?)),
        Ok(_) => Ok(None),
        Err(Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Applies a message; returns whether the terrain is another one.
fn follow(engine: &Engine, terrain: &mut Option<Prepared>, message: &serde_json::Value) -> Result<bool, Failed> {
    if let Some(text) = message.pointer("/recipe/text").and_then(serde_json::Value::as_str) {
        let pipeline = Recipe::from_toml(text, "live")?.pipeline;
        // For a recipe with stages, the noise that they read: a game has its own erosion, or uses baked tiles.
        let node = pipeline.underneath().ok_or("there is no noise")?;
        *terrain = Some(engine.prepare(&pipeline.noise_of(node)?)?);
        return Ok(true);
    }
    let (Some(set), Some(terrain)) = (message.get("set"), terrain) else { return Ok(false) };
    let name = set["name"].as_str().unwrap_or_default();
    let value: Setting = serde_json::from_value(set["value"].clone())?;
    // It may be a parameter of a stage, or of a node that this noise does not have.
    Ok(terrain.set(name, value).is_ok())
}
