//! The class visible in Godot. Its functions are in [`crate::ground`].

use crate::ground::{Done, Ground, Queue, Shape, Surface, Window};
use crate::variant::{setting, variant};
use godot::builtin::{
    Array, GString, PackedByteArray, PackedFloat32Array, PackedInt32Array, PackedStringArray, PackedVector2Array, PackedVector3Array,
    VarArray, VarDictionary, Variant, Vector2, Vector3, vdict,
};
use godot::classes::image::Format;
use godot::classes::mesh::{ArrayType, PrimitiveType};
use godot::classes::{ArrayMesh, FileAccess, IResource, Image};
use godot::global::godot_error;
use godot::meta::ToGodot;
use godot::obj::{EngineEnum, Gd, NewGd};
use godot::register::{GodotClass, godot_api};
use std::path::Path;
use std::sync::Arc;

/// Orogen's noise: a recipe, and its heights as numbers, images and meshes.
///
/// The same bits as everywhere else, exact at any distance from the origin. A failure is reported in Godot's output and in
/// [`last_error`], and returns null, an empty array, false or not-a-number; nothing crashes. Call it from the main thread;
/// [`request_mesh`] works on others.
#[derive(GodotClass)]
#[class(tool, init, base = Resource)]
pub(crate) struct OrogenNoise {
    /// The recipe as text, TOML or JSON: what is saved with the resource. Setting it reads it.
    #[var(set = set_recipe)]
    #[export(multiline)]
    recipe: GString,
    ground: Option<Arc<Ground>>,
    queue: Option<Queue>,
    /// The ground as the queue's threads evaluate it, each by itself; made when it is first asked for.
    background: Option<Arc<Ground>>,
    last_error: String,
}

#[godot_api]
impl IResource for OrogenNoise {}

#[godot_api]
impl OrogenNoise {
    /// Reads a recipe as text, TOML or JSON. Returns false, and keeps the current recipe, if the text is invalid. Files that it
    /// names are not read.
    #[func]
    fn load_text(&mut self, text: GString) -> bool {
        let ground = Ground::from_text(&text.to_string());
        self.take(ground).inspect(|()| self.recipe = text).is_some()
    }

    /// Reads a recipe from a file: with a path of the system, also the files that it names; with res:// or user://, through
    /// Godot, its text. A resource that is saved holds the text alone: one that names files has to be loaded from its file again.
    #[func]
    fn load_file(&mut self, path: GString) -> bool {
        let name = path.to_string();
        if name.starts_with("res://") || name.starts_with("user://") {
            let text = FileAccess::get_file_as_string(&path);
            if !text.is_empty() {
                return self.load_text(text);
            }
            let why = FileAccess::get_open_error();
            return self.answer::<()>(Err(format!("{name} cannot be read, or is empty ({why:?})"))).is_some();
        }
        let ground = Ground::load(Path::new(&name));
        if self.take(ground).is_none() {
            return false;
        }
        // So that the resource is saved with what it shows.
        self.recipe = GString::from(self.recipe_text().to_string().as_str());
        true
    }

    /// As load_text, for the property.
    #[func]
    fn set_recipe(&mut self, text: GString) {
        if text.is_empty() {
            (self.ground, self.background, self.recipe) = (None, None, text);
            return;
        }
        // A text that is being written stays as it is until it is a recipe.
        self.recipe = text.clone();
        self.load_text(text);
    }

    /// Whether there is a recipe.
    #[func]
    fn is_loaded(&self) -> bool {
        self.ground.is_some()
    }

    /// The recipe as TOML, with parameters as they stand now.
    #[func]
    fn recipe_text(&mut self) -> GString {
        let text = self.loaded().and_then(|ground| ground.to_toml());
        self.answer(text).map_or_else(GString::new, |text| GString::from(text.as_str()))
    }

    /// The error message of the last call; empty if it succeeded.
    #[func]
    fn last_error(&self) -> GString {
        GString::from(self.last_error.as_str())
    }

    /// Sets a parameter by its path, "node.parameter": a bool, a number, a word, a vector or an array, as in a recipe.
    /// The property recipe stays as it is.
    #[func]
    fn set_parameter(&mut self, name: GString, value: Variant) -> bool {
        let changed = self.loaded().and_then(|ground| {
            let mut ground = Ground::clone(&ground);
            ground.set(&name.to_string(), setting(&value)?)?;
            Ok(ground)
        });
        self.take(changed).is_some()
    }

    /// A parameter's value by its name; null for one that is not given, or does not exist.
    #[func]
    fn get_parameter(&mut self, name: GString) -> Variant {
        let found = self.loaded().and_then(|ground| ground.get(&name.to_string()));
        self.answer(found).flatten().map_or_else(Variant::nil, |found| variant(&found))
    }

    /// The names of all parameters.
    #[func]
    fn parameters(&mut self) -> PackedStringArray {
        let names = self.loaded().map(|ground| ground.parameters());
        self.answer(names).unwrap_or_default().iter().map(|name| GString::from(name.as_str())).collect()
    }

    /// The height at a position, in world units. NaN after an error.
    #[func]
    fn height(&mut self, x: f64, y: f64) -> f64 {
        let height = self.loaded().and_then(|ground| ground.height([x, y]));
        self.answer(height).unwrap_or(f64::NAN)
    }

    /// Heights on a grid, row by row, the first at (x, y) · spacing. x and y count samples: grids share samples bit for bit at
    /// any distance.
    #[func]
    fn heights(&mut self, x: i64, y: i64, width: i64, height: i64, #[opt(default = 1.0)] spacing: f64) -> PackedFloat32Array {
        let heights = self.loaded().and_then(|ground| ground.heights(&Window { at: [x, y], size: [width, height], spacing }));
        self.answer(heights).map(PackedFloat32Array::from).unwrap_or_default()
    }

    /// The same as an image of floats (FORMAT_RF): the heights themselves or, normalised, from 0 at the lower end of the range to 1.
    #[func]
    fn image(
        &mut self,
        x: i64,
        y: i64,
        width: i64,
        height: i64,
        #[opt(default = 1.0)] spacing: f64,
        #[opt(default = false)] normalised: bool,
    ) -> Option<Gd<Image>> {
        let window = Window { at: [x, y], size: [width, height], spacing };
        let pixels = self.loaded().and_then(|ground| if normalised { ground.normalised(&window) } else { ground.heights(&window) });
        let image = pixels.and_then(|pixels| {
            let bytes: PackedByteArray = pixels.iter().flat_map(|height| height.to_ne_bytes()).collect();
            // The window has been checked: edges have at most 16384 samples.
            let image = Image::create_from_data(width as i32, height as i32, false, Format::RF, &bytes);
            image.ok_or_else(|| "Godot made no image".to_owned())
        });
        self.answer(image)
    }

    /// The mesh of a chunk, relative to its corner: the node's position is (chunk_x, 0, chunk_y) · cells · spacing.
    /// Neighbouring chunks share the vertices and normals of their border. error: maximum vertical error of the mesh; skirt:
    /// depth of the walls around it.
    #[func]
    fn mesh(
        &mut self,
        chunk_x: i64,
        chunk_y: i64,
        cells: i64,
        error: f64,
        #[opt(default = 1.0)] spacing: f64,
        #[opt(default = 0.0)] skirt: f64,
    ) -> Option<Gd<ArrayMesh>> {
        let surface = self.loaded().and_then(|ground| ground.surface([chunk_x, chunk_y], &Shape { cells, error, spacing, skirt }));
        self.answer(surface).map(array_mesh)
    }

    /// Asks for a mesh that is made in the background, in the order of requests, with parameters as they stand now. False if it cannot be.
    #[func]
    fn request_mesh(
        &mut self,
        chunk_x: i64,
        chunk_y: i64,
        cells: i64,
        error: f64,
        #[opt(default = 1.0)] spacing: f64,
        #[opt(default = 0.0)] skirt: f64,
    ) -> bool {
        let requested = self.request([chunk_x, chunk_y], Shape { cells, error, spacing, skirt });
        self.answer(requested).is_some()
    }

    /// Finished meshes, up to a number, each a dictionary: x and y of the chunk, mesh (null after an error), error (empty if
    /// there is a mesh). Call it every frame.
    #[func]
    fn take_meshes(&mut self, #[opt(default = 1)] most: i64) -> Array<VarDictionary> {
        let done = self.queue.as_ref().map(|queue| queue.take(usize::try_from(most).unwrap_or(0))).unwrap_or_default();
        done.into_iter().map(|done| self.hand_over(done)).collect()
    }

    /// The number of requested meshes that have not been taken.
    #[func]
    fn pending_meshes(&self) -> i64 {
        self.queue.as_ref().map_or(0, |queue| queue.pending() as i64)
    }

    /// Forgets a chunk's mesh, unless it is being made just now.
    #[func]
    fn cancel_mesh(&mut self, chunk_x: i64, chunk_y: i64) {
        if let Some(queue) = &self.queue {
            queue.forget([chunk_x, chunk_y]);
        }
    }

    /// Forgets meshes that have been asked for and not been taken.
    #[func]
    fn cancel_meshes(&mut self) {
        if let Some(queue) = &self.queue {
            queue.cancel();
        }
    }

    /// Proven lower and upper bounds of the heights. The actual heights may not reach them.
    #[func]
    fn range(&mut self) -> Vector2 {
        let range = self.loaded().and_then(|ground| ground.range());
        let [low, high] = self.answer(range).unwrap_or([f64::NAN; 2]);
        Vector2::new(low as f32, high as f32)
    }
}

impl OrogenNoise {
    fn loaded(&self) -> Result<Arc<Ground>, String> {
        self.ground.clone().ok_or_else(|| "there is no recipe; allowed: load_text, load_file or the property recipe before".to_owned())
    }

    /// Takes a ground over, if there is one.
    fn take(&mut self, ground: Result<Ground, String>) -> Option<()> {
        let ground = self.answer(ground)?;
        (self.ground, self.background) = (Some(Arc::new(ground)), None);
        Some(())
    }

    /// Returns the result, or reports the error to Godot and `last_error`.
    fn answer<T>(&mut self, result: Result<T, String>) -> Option<T> {
        match result {
            Ok(found) => {
                self.last_error.clear();
                Some(found)
            }
            Err(error) => {
                godot_error!("OrogenNoise: {error}");
                self.last_error = error;
                None
            }
        }
    }

    fn request(&mut self, chunk: [i64; 2], shape: Shape) -> Result<(), String> {
        let ground = match self.background.clone() {
            Some(ground) => ground,
            None => self.background.insert(Arc::new(self.loaded()?.alone()?)).clone(),
        };
        let queue = match self.queue.take() {
            Some(queue) => queue,
            None => Queue::new()?,
        };
        self.queue.insert(queue).request(&ground, chunk, shape);
        Ok(())
    }

    fn hand_over(&mut self, Done { chunk, surface }: Done) -> VarDictionary {
        let error = surface.as_ref().err().cloned().unwrap_or_default();
        let mesh = self.answer(surface).map_or_else(Variant::nil, |surface| array_mesh(surface).to_variant());
        vdict! { "x" => chunk[0], "y" => chunk[1], "mesh" => &mesh, "error" => error.as_str() }
    }
}

/// Triangles as Godot has them.
fn array_mesh(surface: Surface) -> Gd<ArrayMesh> {
    let vectors = |all: Vec<[f32; 3]>| all.into_iter().map(|[x, y, z]| Vector3::new(x, y, z)).collect::<PackedVector3Array>();
    let coordinates = surface.coordinates.into_iter().map(|[u, v]| Vector2::new(u, v)).collect::<PackedVector2Array>();
    let mut arrays = VarArray::new();
    arrays.resize(ArrayType::MAX.ord() as usize, &Variant::nil());
    arrays.set(ArrayType::VERTEX.ord() as usize, &vectors(surface.positions).to_variant());
    arrays.set(ArrayType::NORMAL.ord() as usize, &vectors(surface.normals).to_variant());
    arrays.set(ArrayType::TEX_UV.ord() as usize, &coordinates.to_variant());
    arrays.set(ArrayType::INDEX.ord() as usize, &PackedInt32Array::from(surface.indices).to_variant());
    let mut mesh = ArrayMesh::new_gd();
    mesh.add_surface_from_arrays(PrimitiveType::TRIANGLES, &arrays);
    mesh
}
