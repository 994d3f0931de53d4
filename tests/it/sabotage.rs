//! Tests that can fail: a wrong kernel, an unwritten sample and a lost device are all noticed.

use crate::nodes;
use crate::support::{bits, cpu, own_gpu};
use orogen::{Engine, EngineError, GpuError, Gradient, Region, testing};

fn differs(engine: &Engine) -> bool {
    let noise = nodes::of_kind("fractal").remove(0);
    let region = Region::plane(64, 64);
    let (a, b) = (engine.field(&noise, &region).expect("gpu"), cpu().field(&noise, &region).expect("cpu"));
    bits(&a.values) != bits(&b.values)
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn a_wrong_kernel_gives_other_bits() {
    let gpu = own_gpu(None);
    assert!(!differs(&gpu), "untouched, the bits are the CPU's");
    for (from, to) in [
        ("across.left - x * x", "SIMPLEX_REACH - (across.d.x * across.pull.x + x * x)"),
        ("0x7feb352du", "0x7feb352fu"),
        (".x + k)", ".x)"),
    ] {
        testing::sabotage(&gpu, from, to);
        assert!(differs(&gpu), "'{from}' → '{to}' went unnoticed");
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn unwritten_samples_are_an_error() {
    let gpu = own_gpu(None);
    let noise = nodes::of_kind("simplex").remove(0);
    testing::sabotage(&gpu, "< dispatch.size.x {", "< dispatch.size.x && first.y != 3u {");
    let result = gpu.field(&noise, &Region::plane(10, 7));
    assert_eq!(result, Err(EngineError::Gpu(GpuError::Unwritten { count: 10, of: 70 })));
    // A buffer that was written once must not hide what the next dispatch leaves out.
    let twice = [Region::plane(10, 7), Region::tile(1, 0, 20)];
    let result = gpu.fields(&noise, twice, Gradient::With, |_, _| Ok::<(), EngineError>(()));
    assert!(matches!(result, Err(EngineError::Gpu(GpuError::Unwritten { .. }))), "{result:?}");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn a_kernel_that_does_not_compile_is_an_error() {
    let gpu = own_gpu(None);
    testing::sabotage(&gpu, "fn main(", "fn main(broken");
    let result = gpu.field(&nodes::of_kind("simplex").remove(0), &Region::plane(4, 4));
    assert!(matches!(result, Err(EngineError::Gpu(GpuError::Refused(_)))), "{result:?}");
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn a_lost_device_is_an_error_and_no_panic() {
    let gpu = own_gpu(None);
    let noise = nodes::of_kind("simplex").remove(0);
    gpu.field(&noise, &Region::plane(4, 4)).expect("before");
    testing::lose(&gpu);
    for _ in 0..2 {
        let result = gpu.field(&noise, &Region::plane(4, 4));
        assert!(matches!(result, Err(EngineError::Gpu(GpuError::Lost(_)))), "{result:?}");
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn a_poison_that_cannot_be_filled_is_an_error() {
    let gpu = own_gpu(None);
    assert!(testing::poisons(&gpu, 1024));
    // Longer than any buffer may be: nothing can be mapped.
    assert!(!testing::poisons(&gpu, 1 << 60));
    testing::lose(&gpu);
    assert!(!testing::poisons(&gpu, 1024));
}
