//! The one table of passes.
//!
//! Each pass is a function of the same name in `shaders/passes/` (`hydraulic_flow` in `hydraulic.wgsl`) and in `src/cpu/passes/`
//! (`hydraulic::flow`). Its entry here states all other facts: its inputs with their names in both functions, the distance of the
//! samples that it reads, and the planes that it may overwrite.
//!
//! An entry is `Pass = function { … }` under the name of its file, with any of these fields, in this order:
//!
//! - `reads { plane: reach, … }`. The reach is the distance in samples, along x and y, up to which the pass reads. Beyond the
//!   edges of the block, planes repeat their edge values, or are 0 with `beyond 0`. The reach is one of these:
//!   - a number;
//!   - the name of a number of the pass, which gives the reach for each step;
//!   - `(line along_x)`: anywhere in the same row if that number of the pass is 1, and in the same column if it is 0, in a block
//!     without a halo;
//!   - `(radius along x)`: up to the first number, along the line of the second.
//! - `numbers { name, … }`: the same for all samples. Counts are numbers, and so are booleans (1 or 0).
//! - `table "contents"`: a list of numbers.
//! - `writes { plane, … }`, where `plane over read` may overwrite a plane that is read at the own sample only.

/// Passes the table to a macro.
macro_rules! passes {
    ($to:ident) => {
        $to! {
            point {
                /// A constant.
                Fill = fill {
                    numbers { value }
                    writes { value }
                }
                /// Scaled, shifted, and clamped to two numbers.
                Scale = scale {
                    reads { value: 0 }
                    numbers { scale, offset, low, high }
                    writes { value }
                }
                /// Maps one range to another, with exact ends: the value above `from` is scaled and added to `to`.
                Stretch = stretch {
                    reads { value: 0 }
                    numbers { from, scale, to, low, high }
                    writes { value }
                }
                /// The rank of a value among quantiles: `step` for each quantile below it, plus `start`.
                Rank = rank {
                    reads { value: 0 }
                    numbers {
                        /// Index of the last quantile.
                        last,
                        step,
                        start,
                        /// The first quantile.
                        first,
                        /// Parts of the guide per unit.
                        per_part,
                        /// The index of its last part.
                        last_part,
                        /// Maximum number of quantiles between the guide's entry and the answer. Above 8 (65535 without a guide)
                        /// the search is binary.
                        steps,
                    }
                    table "Quantiles, the reciprocals of their differences, and a guide with an entry for each of several equal parts of the range: a \
                           quantile that no value in it stands below."
                    writes { value }
                }
                /// A curve through control points.
                Curve = curve {
                    reads { value: 0 }
                    numbers {
                        /// The number of pieces between control points.
                        pieces,
                    }
                    table "For each control point: its position, its value, the anchor of the piece after it, and the reciprocal of that piece's width."
                    writes { value }
                }
                /// A smooth step.
                Mask = mask {
                    reads { value: 0 }
                    numbers {
                        /// Value at which the mask is 0.
                        from,
                        /// The reciprocal of the difference to the value at which it is 1.
                        per_way,
                    }
                    writes { mask }
                }
                /// The sum of two planes.
                Add = add { reads { a: 0, b: 0 } writes { value } }
                /// The difference of two planes.
                Subtract = subtract { reads { a: 0, b: 0 } writes { value } }
                /// The product of two planes.
                Multiply = multiply { reads { a: 0, b: 0 } writes { value } }
                /// The smaller of two planes.
                Minimum = minimum { reads { a: 0, b: 0 } writes { value } }
                /// The larger of two planes.
                Maximum = maximum { reads { a: 0, b: 0 } writes { value } }
                /// `a` where the mask is 0, `b` where it is 1.
                Blend = blend { reads { a: 0, b: 0, mask: 0 } writes { value } }
                /// The sea.
                Ocean = ocean {
                    reads { height: 0 }
                    numbers {
                        level,
                        /// The reciprocal of the shore's width.
                        per_width,
                    }
                    writes { surface, depth, mask, shore }
                }
            }
            adjacent {
                /// The smaller of a sample and the next one, at an offset of (`x`, `y`).
                AdjacentMinimum = minimum { reads { value: 1 } numbers { x, y } writes { value } }
                /// The larger of both samples.
                AdjacentMaximum = maximum { reads { value: 1 } numbers { x, y } writes { value } }
                /// The mean of both samples.
                AdjacentMean = mean { reads { value: 1 } numbers { x, y } writes { value } }
                /// Half the difference of both samples.
                AdjacentDifference = difference { reads { value: 1 } numbers { x, y } writes { value } }
            }
            window {
                /// Weighted samples along one axis, whose step is (`x`, `y`).
                Gaussian = gaussian {
                    reads { value: (radius along x) }
                    numbers { x, y, radius }
                    table "Weights of the distances 0, 1, 2 and so on."
                    writes { value }
                }
                /// The median of a square.
                Median = median { reads { value: radius } numbers { radius } writes { value } }
                /// The visible share of the sky.
                Occlusion = occlusion {
                    reads { height: steps }
                    numbers {
                        directions,
                        /// Steps in each direction.
                        steps,
                        /// The reciprocal of `directions`.
                        per_direction,
                    }
                    table "For each direction and step: x, y, and the reciprocal of the distance in world units."
                    writes { open }
                }
            }
            node {
                /// The absolute value.
                NodeAbs = abs { reads { value: 0 } writes { value } }
                /// A power that keeps the sign.
                NodePower = power { reads { value: 0 } numbers { exponent } writes { value } }
                /// The first plane, plus a mask times the difference to the second.
                NodeBlend = blend { reads { a: 0, b: 0, mask: 0 } writes { value } }
                /// A smooth step with a continuous curvature.
                NodeSmoothstep = smoothstep {
                    reads { value: 0 }
                    numbers {
                        low,
                        /// The reciprocal of the difference of the edges.
                        per_width,
                    }
                    writes { value }
                }
                /// Steps.
                NodeTerrace = terrace {
                    reads { value: 0 }
                    numbers {
                        height, per_height,
                        /// The share of a step that is flat.
                        flat,
                        /// The reciprocal of the share that is not.
                        per_slope,
                    }
                    writes { value }
                }
                /// One of two numbers.
                NodeThreshold = threshold { reads { value: 0 } numbers { edge, below, above } writes { value } }
                /// Perlin's gain around 1/2.
                NodeGain = gain { reads { value: 0 } numbers { exponent } writes { value } }
                /// The sine of a number of turns.
                NodeSine = sine { reads { value: 0 } numbers { frequency, phase } writes { value } }
                /// The hill article's approximation of the normal distribution.
                NodeNormal = normal { reads { value: 0 } numbers { per_deviation } writes { value } }
                /// The quantile of the Weibull distribution.
                NodeWeibull = weibull { reads { value: 0 } numbers { location, scale, per_shape } writes { value } }
                /// The quantile of the normal distribution.
                NodeQuantile = quantile { reads { value: 0 } numbers { location, scale } writes { value } }
            }
            line {
                /// The places at which a field crosses a level between a sample and the next along x and y, as parts of the way. They
                /// are far away where it does not.
                Crossings = crossing {
                    reads { value: 1 }
                    numbers { level }
                    writes { x, y }
                }
                /// The square of the distance to the nearest crossing along the line of samples whose step is (`x`, `y`).
                CrossingsAlong = along {
                    reads { crossing: (reach along x) }
                    numbers {
                        x, y,
                        /// In samples.
                        reach,
                    }
                    writes { square }
                }
                /// The smallest sum of a plane and the square of the way to it, along the line whose step is (`x`, `y`).
                DistanceEnvelope = envelope {
                    reads { square: (reach along x) }
                    numbers { x, y, reach }
                    writes { square }
                }
                /// The distance from the smaller of two squares, negative where the field is above the level.
                SignedDistance = signed {
                    reads { value: 0, a: 0, b: 0 }
                    numbers {
                        level,
                        /// World units between samples.
                        step,
                        /// The largest distance.
                        most,
                    }
                    writes { distance over a }
                }
            }
            shore {
                /// A plane that rises from the shore, and the share of it.
                Beach = beach {
                    reads { height: 0, distance: 0, gentle: 0 }
                    numbers {
                        level, slope,
                        /// 1 / the width of the beach.
                        per_width,
                    }
                    writes { height over height, sand over gentle }
                }
                /// The ground behind a cliff, and the rock that is cut off.
                Cliff = cliff {
                    reads { height: 0, distance: 0 }
                    numbers {
                        level, retreat, slope, face,
                        /// 1 / the height of the cliff.
                        per_height,
                    }
                    writes { height over height, cut over distance }
                }
            }
            river {
                /// The power of a sample to its own river: the square of the distance less that of half the width. Also the level of
                /// the water, and the area in units of the least. Without a river, the power is large.
                RiverBegin = begin {
                    reads { surface: 0, area: 0 }
                    numbers {
                        /// 1 / the least area of a river.
                        per_least,
                        /// The square of half the least width, in samples.
                        square,
                        /// Exponent of the square of the width.
                        twice_exponent,
                        /// The largest square of half the width.
                        most,
                    }
                    writes { power, level over surface, flow over area }
                }
                /// The smallest power along the line whose step is (`x`, `y`), with the level and the flow of its river.
                RiverNearest = nearest {
                    reads { power: (reach along x), level: (reach along x), flow: (reach along x) }
                    numbers {
                        x, y,
                        /// In samples.
                        reach,
                        most,
                    }
                    writes { power, level, flow }
                }
                /// The ground with channels, and the depth of the water.
                Channel = channel {
                    reads { height: 0, surface: 0, power: 0, level: 0, flow: 0 }
                    numbers {
                        /// Rise of the banks per square of the distance in samples.
                        curvature,
                        square, twice_exponent, most,
                        /// The least depth.
                        depth,
                        depth_exponent,
                        /// 1 / the square of the reach in samples.
                        per_reach_squared,
                    }
                    writes { height over level, depth over flow }
                }
                /// The topographic wetness index.
                Wetness = wetness {
                    reads { slope: 0, area: 0 }
                    numbers {
                        /// 1 / the distance between samples.
                        per_step,
                        /// Slopes below it count as this one.
                        least_slope,
                    }
                    writes { wetness }
                }
            }
            surface {
                /// Height per distance.
                Slope = slope {
                    reads { height: 1 }
                    numbers {
                        /// 1 / (2 · distance between samples).
                        per_two_steps,
                    }
                    writes { slope }
                }
                /// The slope in degrees.
                SlopeDegrees = degrees { reads { height: 1 } numbers { per_two_steps } writes { degrees } }
                /// Mean curvature.
                CurvatureMean = mean {
                    reads { height: 1 }
                    numbers {
                        /// 1 / (distance between samples)².
                        per_step_squared,
                    }
                    writes { curvature }
                }
                /// Curvature along the contour line.
                CurvaturePlan = plan { reads { height: 1 } numbers { per_two_steps, per_step_squared } writes { curvature } }
                /// Curvature along the slope.
                CurvatureProfile = profile { reads { height: 1 } numbers { per_two_steps, per_step_squared } writes { curvature } }
                /// The unit normal of the surface.
                Normal = normal { reads { height: 1 } numbers { per_two_steps } writes { x, y, z } }
                /// Light on the surface; the numbers are the direction of the light.
                Hillshade = hillshade {
                    reads { height: 1 }
                    numbers { per_two_steps, light_x, light_y, light_z }
                    writes { light }
                }
                /// Slopes along x and y.
                Gradient = gradient { reads { height: 1 } numbers { per_two_steps } writes { x, y } }
            }
            thermal {
                /// Material on too steep slopes slides.
                Thermal = slide {
                    reads { height: 1 }
                    numbers {
                        /// The stable difference in height to the next sample.
                        straight,
                        /// The stable difference along the diagonal.
                        diagonal,
                        /// The share of the excess that slides.
                        rate,
                    }
                    writes { height }
                }
            }
            hydraulic {
                /// The flow of water to each of four neighbours.
                HydraulicFlow = flow {
                    reads { soil: 1, water: 1, west: 0, east: 0, north: 0, south: 0 }
                    numbers {
                        /// The share of a flow that remains after friction.
                        kept,
                        gravity,
                    }
                    writes { west over west, east over east, north over north, south over south }
                }
                /// Sediment, carried by the flows.
                HydraulicCarry = carry {
                    reads { west: 1 beyond 0, east: 1 beyond 0, north: 1 beyond 0, south: 1 beyond 0, sediment: 0, load: 1 }
                    writes { sediment }
                }
                /// The water after the flows, its mean discharge, and its speed in samples per iteration.
                HydraulicWater = water {
                    reads { west: 1 beyond 0, east: 1 beyond 0, north: 1 beyond 0, south: 1 beyond 0, water: 0, discharge: 0 }
                    numbers {
                        /// The weight of one iteration in the mean.
                        share,
                    }
                    writes { water over water, discharge over discharge, speed }
                }
                /// Soil that water dissolves and deposits, rain and evaporation, and the sediment that leaves a sample per depth
                /// of outflowing water.
                HydraulicSoil = soil {
                    reads { soil: 1, speed: 0, hardness: 0, rain: 0, water: 0, sediment: 0 }
                    numbers {
                        per_two_steps,
                        capacity,
                        least_slope,
                        /// The share of the unused capacity that is dissolved.
                        dissolve,
                        /// The share of the excess that is deposited.
                        deposit,
                        /// The share of the water that remains after evaporation.
                        kept,
                        /// Rain of an iteration where `rain` is 1.
                        rainfall,
                        /// The depth below which water carries less.
                        shallow,
                    }
                    writes { soil, water over water, sediment over sediment, load }
                }
            }
            erosion {
                /// A plane that was spread from the coarser grid, as the uniform cubic B-spline of its samples, scaled.
                ErosionRefine = refine { reads { value: 2 } numbers { scale } writes { value } }
                /// The ground with a change on the coarser grid. Where material was laid down there, it buries what the coarser grid lacks.
                ErosionBury = bury {
                    reads { before: 0, coarse: 0, change: 0 }
                    numbers {
                        /// 1 / the thickness that buries everything.
                        per_depth,
                    }
                    writes { height }
                }
                /// The discharge and the load of a sample per unit of the weights with which they leave it.
                ErosionRoute = route {
                    reads { height: 1, discharge: 0, load: 0 }
                    numbers {
                        /// 1 / the distance between samples.
                        per_step,
                        /// 1 / the distance along the diagonal.
                        per_diagonal,
                        /// The slope that water overcomes.
                        ease,
                    }
                    writes { discharge over discharge, load over load }
                }
                /// The ground after incision, deposition and slides, the discharge in samples of rain, and the load as height.
                ErosionCarve = carve {
                    reads { height: 1, discharge: 1, load: 1, rain: 0, hardness: 0 }
                    numbers {
                        per_step, per_diagonal, ease,
                        /// The distance between samples.
                        step,
                        /// The height by which ground that fills may exceed its neighbours.
                        rise,
                        /// The steepest stable slope.
                        talus,
                        /// The height that slides per excess of the slope.
                        slide,
                        /// The height that slides per excess of a slope along the diagonal.
                        slide_diagonal,
                        /// Incision at a discharge of 1.
                        strength,
                        /// The share of the load that settles at a discharge of 1.
                        settling,
                    }
                    writes { height, discharge, load }
                }
            }
            strata {
                /// The hardness of the layer at a height, and a number of the layer from 0 to 1.
                StrataLayers = layers {
                    reads { height: 0, fold: 0 }
                    numbers {
                        /// 1 / the mean thickness of a layer.
                        per_thickness,
                        irregular,
                        /// 1 / the share of the mean thickness over which two layers blend.
                        per_blend,
                        soft,
                        /// The hardness of the hardest layer less that of the softest one.
                        harder,
                        /// The largest share of it by which a layer differs from the hardest or the softest one.
                        vary,
                        seed_low, seed_high,
                    }
                    table "Limbs of the layers by which the first sample is raised, and of those per sample along x and y."
                    writes { hardness, layer over fold }
                }
            }
            polyline {
                /// The square of the distance to the nearest point of polylines, the way from there, and the level there, in samples.
                PolylineNearest = nearest {
                    numbers {
                        /// Squares of samples in a row.
                        columns,
                        /// Binary logarithm of the edge of a square.
                        shift,
                        /// The square of the reach, which stands for farther lines.
                        most,
                    }
                    table "For each square of samples the first entry and their number, then entries, which are places of pieces. A piece \
                           has its first point, the way to its last one, 1 / the square of its length, its first level, and the change of it."
                    writes { square, x, y, level }
                }
                /// The ground with beds along lines, the distance to the nearest line, and the share of the bed.
                PolylineBed = bed {
                    reads { height: 0, square: 0, level: 0 }
                    numbers {
                        /// World units between samples.
                        step,
                        reach,
                        /// Half the width of the bed.
                        half,
                        /// 1 / the width of a bank.
                        per_bank,
                        /// 0 is smooth, 1 straight, 2 round.
                        profile,
                        raise, limit,
                        /// Whether the bed has the height of `level`.
                        absolute,
                    }
                    writes { height over height, distance over square, share over level }
                }
            }
            displace {
                /// A plane at a displaced position, between four samples.
                Displace = bilinear {
                    reads { value: reach, x: 0, y: 0 }
                    numbers {
                        /// 1 / the distance between samples.
                        per_step,
                        /// The largest displacement along an axis, in samples.
                        most,
                        /// Its end, and the sample after it.
                        reach,
                    }
                    writes { value }
                }
            }
            loose {
                /// Loose material on the ground, which slides where its surface is too steep.
                LooseSlide = slide {
                    reads { ground: 1, loose: 1 }
                    numbers {
                        /// The stable difference in height to the next sample.
                        straight,
                        /// The stable difference along the diagonal.
                        diagonal,
                    }
                    writes { loose }
                }
            }
            incise {
                /// The part of a fall that one step removes, and the part of the arriving sediment that it lays down.
                IncisePower = power {
                    reads { area: 0, erodibility: 0 }
                    numbers {
                        /// The area of a sample. Smaller areas count as this one.
                        least,
                        concavity,
                        /// The time of a step, per distance between samples.
                        time,
                        /// The largest part of a fall.
                        most,
                        /// The deposition times the area of a sample.
                        settling,
                    }
                    writes { cut over area, settle over erodibility }
                }
                /// The ground after a step of rivers and creep, the sediment that leaves a sample as a height, and the direction in which
                /// it leaves.
                InciseCarve = carve {
                    reads { height: 1, load: 1 beyond 0, to: 1, cut: 0, settle: 0 }
                    numbers {
                        /// Ground below it counts as this height, and is filled by sediment up to it.
                        sea,
                        /// The height by which ground that fills may exceed its neighbours.
                        rise,
                        /// The share of a difference in height that creeps here from the next sample.
                        straight,
                        /// The share along the diagonal.
                        diagonal,
                        /// The stable difference in height to the next sample.
                        holds,
                        /// The share of the excess that slides here from each neighbour.
                        slide,
                    }
                    writes { height, load, to }
                }
                /// Uplift, the sediment that lies on the rock, and the rock that was removed.
                InciseSettle = settle {
                    reads { before: 0, height: 0, uplift: 0, sediment: 0, wear: 0 }
                    numbers {
                        /// The time of a step.
                        time,
                    }
                    writes { height over height, sediment over sediment, wear over wear }
                }
            }
            gully {
                /// Gullies carved into heights with known slopes.
                Gully = carve {
                    reads { height: 0, slope_x: 0, slope_y: 0 }
                    numbers {
                        octaves,
                        /// The square of the slope at which gullies begin.
                        onset_squared,
                    }
                    table "For each octave: limbs of the first lattice coordinate along x and y and of the step, halves of the seed, depth, depth · 2π / wavelength."
                    writes { height, ridge }
                }
            }
            colour {
                /// A ramp of colours, in linear light.
                Colour = ramp {
                    reads { value: 0 }
                    numbers {
                        /// The number of stops.
                        stops,
                        /// 1 for OKLab, 0 for linear light.
                        oklab,
                    }
                    table "For each stop: its value, three coordinates, opacity, and the reciprocal of the way to the next."
                    writes { red, green, blue, opacity }
                }
                /// Colours of three channels, in linear light.
                ColourChannels = channels {
                    reads { first: 0, second: 0, third: 0 }
                    numbers {
                        /// 1 for OKLab, 0 for linear light.
                        oklab,
                    }
                    writes { red over first, green over second, blue over third }
                }
            }
            lattice {
                /// A random number for every index.
                White = white {
                    numbers {
                        /// The lower 16 bits of the seed.
                        seed_low,
                        /// Its upper 16 bits.
                        seed_high,
                    }
                    writes { value }
                }
                /// Random values at the corners of cells, 0 elsewhere.
                Corners = corners {
                    numbers {
                        seed_low, seed_high,
                        /// Indices from corner to corner.
                        edge,
                        amplitude,
                        /// 1 if all rows are the same.
                        along_x,
                    }
                    writes { value }
                }
                /// The middles of cells, from their corners.
                Diamond = diamond {
                    reads { value: arm }
                    numbers {
                        seed_low, seed_high, edge, amplitude,
                        /// Samples from the middle of a cell to its edge.
                        arm,
                    }
                    writes { value }
                }
                /// The middles of edges, from their ends and the middles of the adjacent cells.
                Square = square {
                    reads { value: arm }
                    numbers { seed_low, seed_high, edge, amplitude, arm }
                    writes { value }
                }
                /// The middles of edges and cells, from the corners.
                Midpoint = midpoint {
                    reads { value: arm }
                    numbers { seed_low, seed_high, edge, amplitude, along_x, arm }
                    writes { value }
                }
                /// Sums of random numbers, each of which changes half as often as the previous one.
                Voss = voss {
                    numbers {
                        seed_low, seed_high,
                        /// The number of random numbers.
                        rows,
                        /// Its reciprocal.
                        per_row,
                        along_x,
                    }
                    writes { value }
                }
                /// A periodic square.
                Tile = tile {
                    numbers {
                        /// Its period, a power of two.
                        size,
                    }
                    table "The square, row by row."
                    writes { value }
                }
            }
            fourier {
                /// One round of a Fourier transform.
                Fourier = round {
                    reads { re: (line along_x), im: (line along_x) }
                    numbers {
                        /// 1 along x, 0 along y.
                        along_x,
                        /// Edge of the square.
                        edge,
                        /// Half the length of the transforms that this round produces.
                        half,
                        /// 1 forward, −1 back.
                        direction,
                    }
                    table "Of all rounds: the cosines, then the sines, of i / (2 half) turns for i below half, from half - 1 on."
                    writes { re, im }
                }
                /// Amplitudes by frequency.
                Spectrum = shape {
                    reads { value: 0 }
                    numbers { edge }
                    table "Factors for the rows up to the middle of the square, which those beyond mirror."
                    writes { value }
                }
            }
        }
    };
}
pub(crate) use passes;
