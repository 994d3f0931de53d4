//! Code generated from the table of passes: [`Pass`] with the facts about each pass, and a struct for each with its planes and
//! numbers by name. [`made`] has a struct for each with the planes that it writes.

use crate::schedule::passes::passes;
use crate::schedule::{NUMBERS, PlaneId, WRITES};
use std::sync::Arc;

/// The distance of the samples that a pass reads from the one that it computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Up to this many samples along x and y.
    Samples(u32),
    /// Up to the number of the pass with this index.
    Number(usize),
    /// Up to the first number, along the own row if the second number is 1, and along the own column if it is 0.
    Along(usize, usize),
    /// Anywhere in the own row if the number of the pass with this index is 1, and in the own column if it is 0. The block then
    /// has no halo.
    Line(usize),
}

impl Reach {
    /// In samples, given the numbers of a step; `None` for anywhere.
    pub fn samples(self, numbers: &[f64]) -> Option<u32> {
        match self {
            Reach::Samples(samples) => Some(samples),
            // A count, which the stage's check keeps small.
            Reach::Number(index) | Reach::Along(index, _) => Some(numbers[index] as u32),
            Reach::Line(_) => None,
        }
    }

    /// In samples along x and y; `None` for anywhere along an axis.
    pub fn along(self, numbers: &[f64]) -> [Option<u32>; 2] {
        match self {
            Reach::Line(index) if numbers[index] == 1.0 => [None, Some(0)],
            Reach::Line(_) => [Some(0), None],
            Reach::Along(_, along) if numbers[along] == 1.0 => [self.samples(numbers), Some(0)],
            Reach::Along(..) => [Some(0), self.samples(numbers)],
            Reach::Samples(_) | Reach::Number(_) => [self.samples(numbers); 2],
        }
    }
}

/// A plane that a pass reads.
#[derive(Clone, Copy, Debug)]
pub struct ReadInfo {
    pub name: &'static str,
    pub reach: Reach,
    /// Whether it is 0 beyond the edges of the block, where other planes repeat their edge values.
    pub zero: bool,
}

/// A plane that a pass writes.
#[derive(Clone, Copy, Debug)]
pub struct WriteInfo {
    pub name: &'static str,
    /// The read whose memory it may take.
    pub over: Option<usize>,
}

/// The facts about a pass.
#[derive(Clone, Copy, Debug)]
pub struct PassInfo {
    /// The file in `shaders/passes/` and `src/cpu/passes/`.
    pub file: &'static str,
    /// The function in it, as named in the shader.
    pub function: &'static str,
    pub reads: &'static [ReadInfo],
    pub numbers: &'static [&'static str],
    /// Whether it has a table.
    pub table: bool,
    pub writes: &'static [WriteInfo],
}

impl PassInfo {
    /// Whether it reads at most the eight neighbours.
    pub const fn is_close(&self) -> bool {
        let mut i = 0;
        while i < self.reads.len() {
            if !matches!(self.reads[i].reach, Reach::Samples(0 | 1)) {
                return false;
            }
            i += 1;
        }
        true
    }

    /// The write that may take the place of a read.
    pub fn overwritten(&self, read: usize) -> Option<usize> {
        self.writes.iter().position(|write| write.over == Some(read))
    }

    /// The memory that may be reused: (read, write).
    pub fn overwrites(&self) -> impl Iterator<Item = (usize, usize)> {
        self.writes.iter().enumerate().filter_map(|(write, info)| Some((info.over?, write)))
    }
}

/// The type of the fields in a pass's struct, which depends on its use.
pub trait View {
    type Plane;
    type Number;
    type Table;
}

/// A pass as a step of a schedule.
#[derive(Debug)]
pub struct InSchedule;

impl View for InSchedule {
    type Plane = PlaneId;
    type Number = f64;
    type Table = Arc<Vec<f64>>;
}

/// One of the planes that a pass reads.
#[derive(Clone, Copy, Debug)]
pub struct ReadIndex(pub usize);

/// The inputs of a step, by index instead of name.
#[derive(Debug)]
pub struct PassArguments {
    pub reads: Vec<PlaneId>,
    pub numbers: Vec<f64>,
    pub table: Option<Arc<Vec<f64>>>,
}

/// A pass with all its inputs.
pub trait PassCall {
    const PASS: Pass;
    /// The planes that it writes, by name.
    type Made;
    fn parts(self) -> PassArguments;
    fn made(plane: impl FnMut() -> PlaneId) -> Self::Made;
}

/// The reach of a read as written in the table; `$Number` holds the pass's numbers.
macro_rules! reach {
    ($Number:ident, (line $along:ident)) => {
        Reach::Line($Number::$along as usize)
    };
    ($Number:ident, ($number:ident along $along:ident)) => {
        Reach::Along($Number::$number as usize, $Number::$along as usize)
    };
    ($Number:ident, $samples:literal) => {
        Reach::Samples($samples)
    };
    ($Number:ident, $number:ident) => {
        Reach::Number($Number::$number as usize)
    };
}

macro_rules! define {
    ($( $file:ident { $(
        $(#[doc = $doc:literal])+
        $pass:ident = $function:ident {
            $( reads { $( $read:ident: $reach:tt $(beyond $beyond:literal)? ),+ } )?
            $( numbers { $( $(#[doc = $number_doc:literal])* $number:ident ),+ $(,)? } )?
            $( table $table:literal )?
            writes { $( $write:ident $(over $over:ident)? ),+ }
        }
    )+ } )+) => {
        /// All passes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Pass { $($( $(#[doc = $doc])+ $pass, )+)+ }

        impl Pass {
            /// All of them.
            pub const ALL: &'static [Pass] = &[ $($( Pass::$pass, )+)+ ];

            pub const fn info(self) -> PassInfo {
                match self { $($( Pass::$pass => {
                    #[allow(non_camel_case_types, dead_code, reason = "names that stand for indices")]
                    enum PlaneRead { $($( $read ),+)? }
                    #[allow(non_camel_case_types, dead_code, reason = "names that stand for indices")]
                    enum Number { $($( $number ),+)? }
                    const INFO: PassInfo = PassInfo {
                        file: stringify!($file),
                        function: concat!(stringify!($file), "_", stringify!($function)),
                        reads: &[ $($( ReadInfo {
                            name: stringify!($read),
                            reach: reach!(Number, $reach),
                            zero: false $(|| $beyond == 0)?,
                        } ),+)? ],
                        numbers: &[ $($( stringify!($number) ),+)? ],
                        table: false $(|| !$table.is_empty())?,
                        writes: &[ $( WriteInfo {
                            name: stringify!($write),
                            over: [$( Some(PlaneRead::$over as usize), )? None][0],
                        } ),+ ],
                    };
                    const { assert!(INFO.numbers.len() <= NUMBERS && INFO.writes.len() <= WRITES) };
                    INFO
                } )+)+ }
            }
        }

        $($(
            $(#[doc = $doc])+
            #[derive(Clone, Copy)]
            pub struct $pass<V: View> {
                $($( pub $read: V::Plane, )+)?
                $($( $(#[doc = $number_doc])* pub $number: V::Number, )+)?
                $( #[doc = $table] pub table: V::Table, )?
            }

            impl<V: View> $pass<V> {
                /// Assigns names to planes and numbers.
                #[inline(always)]
                #[allow(unused_variables, reason = "not every pass has all of them")]
                pub fn of(plane: impl Fn(usize) -> V::Plane, number: impl Fn(usize) -> V::Number, table: impl Fn() -> V::Table) -> Self {
                    #[allow(non_camel_case_types, dead_code, reason = "names that stand for indices")]
                    enum PlaneRead { $($( $read ),+)? }
                    #[allow(non_camel_case_types, dead_code, reason = "names that stand for indices")]
                    enum Number { $($( $number ),+)? }
                    $pass {
                        $($( $read: plane(PlaneRead::$read as usize), )+)?
                        $($( $number: number(Number::$number as usize), )+)?
                        $( table: { let _ = $table; table() }, )?
                    }
                }
            }

            impl PassCall for $pass<InSchedule> {
                const PASS: Pass = Pass::$pass;
                type Made = made::$pass<PlaneId>;
                fn parts(self) -> PassArguments {
                    PassArguments {
                        reads: vec![ $($( self.$read ),+)? ],
                        numbers: vec![ $($( self.$number ),+)? ],
                        table: [ $( { let _ = $table; Some(self.table) }, )? None ].into_iter().next().flatten(),
                    }
                }
                fn made(mut plane: impl FnMut() -> PlaneId) -> Self::Made {
                    made::$pass { $( $write: plane() ),+ }
                }
            }
        )+)+

        /// The results of passes by name, per sample or as planes.
        pub mod made {
            $($(
                $(#[doc = $doc])+
                #[derive(Clone, Copy, Debug)]
                pub struct $pass<T> { $( pub $write: T ),+ }

                impl<T> From<$pass<T>> for [T; [$( stringify!($write) ),+].len()] {
                    #[inline(always)]
                    fn from(made: $pass<T>) -> Self {
                        [$( made.$write ),+]
                    }
                }
            )+)+
        }
    };
}

passes!(define);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_fit_the_fewest_buffers_that_every_device_can_bind() {
        for pass in Pass::ALL {
            let info = pass.info();
            let buffers = info.reads.len() + info.writes.len() + usize::from(info.table) - info.overwrites().count();
            assert!(buffers <= 8, "{pass:?} needs {buffers}");
        }
    }

    #[test]
    fn what_is_written_over_is_read_at_the_own_sample_only() {
        for pass in Pass::ALL {
            let info = pass.info();
            for (read, _) in info.overwrites() {
                assert_eq!(info.reads[read].reach, Reach::Samples(0), "{pass:?} reads further in '{}'", info.reads[read].name);
            }
        }
    }
}
