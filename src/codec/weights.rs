//! Weights: up to four masks in one 8-bit PNG whose numbers add up to 255, the splat maps of terrain engines.

use super::png;
use super::shares::MOST;
use super::tile::{Placement, Storage, TileFacts};

pub const TILE: TileFacts =
    TileFacts { ending: png::TILE_8.ending, storage: Storage::Shares(png::CODER_8), channels: &[2, 3, MOST], placement: Placement::File };
