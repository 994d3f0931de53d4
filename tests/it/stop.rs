//! Stopped computations end, and others are not changed by a handle that could stop them.

use orogen::mesh::{MeshError, Terrain, terrain, terrain_chunk, terrain_until};
use orogen::scatter::{Poisson, PoissonError};
use orogen::stats::{Band, Periodogram, Window};
use orogen::{Engine, EngineError, Layer, Noise, Stop, Stopped};

#[test]
fn what_is_stopped_ends_and_what_is_not_is_the_same() {
    let (stop, going) = (Stop::default(), Stop::default());
    stop.stop();
    let region = terrain_chunk([0, 0], 16);
    let values: Vec<f32> = (0..19 * 19_u32).map(|i| (i * 7919 % 101) as f32).collect();
    let heights = Layer { name: String::new(), region, channels: 1, values };
    for error in [0.0, 20.0] {
        let how = Terrain { error, skirt: 1.0 };
        assert!(matches!(terrain_until(&heights, &how, &stop), Err(MeshError::Engine(EngineError::Stopped))));
        assert_eq!(terrain_until(&heights, &how, &going).ok(), terrain(&heights, &how).ok());
    }
    let poisson = Poisson { relax: 1, ..Default::default() };
    let (low, high) = ([0.0; 2], [500.0; 2]);
    assert_eq!(poisson.points_until(low, high, &stop), Err(PoissonError::Engine(EngineError::Stopped)));
    assert_eq!(poisson.points_until(low, high, &going), poisson.points(low, high));
    let engine = Engine::new().expect("an engine").stopped_by(&stop);
    assert!(poisson.scatter(&engine, &Noise::constant(1.0), low, high, 0.0).is_err());
    let square = &heights.values[..256];
    assert_eq!(Periodogram::of_until(square, 16, Window::Hann, &stop), Err(Stopped));
    let power = Periodogram::of(square, 16, Window::Hann).expect("a square");
    assert_eq!((power.radial_until(&stop), power.isotropy_until(2, Band::new(0.0, 0.5), &stop)), (Err(Stopped), Err(Stopped)));
    assert_eq!(power.radial_until(&going), Ok(power.radial()));
}
