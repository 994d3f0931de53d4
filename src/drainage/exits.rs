//! Exits: the cells by which water leaves squares, as a forest between the squares of a group.

use super::group::Group;

/// A cell of a rim in a record.
pub(super) trait OnRim {
    /// The direction in which its water leaves the square; `None` if it is not an exit.
    fn exit(&self) -> Option<u8>;

    /// The end of its water in the square: the number in the world of an exit or an outlet.
    fn end(&self) -> u64;
}

/// A cell by which water leaves a square.
pub(super) struct Exit {
    /// Counted in the group.
    pub square: u32,
    /// Its place on the rim.
    pub at: u32,
    pub direction: u8,
    /// The square and the place on its rim that the water enters; `None` if it leaves the group.
    pub into: Option<(u32, u32)>,
    /// The number of the next exit; `None` if the water leaves the group, or reaches an outlet before.
    pub next: Option<u32>,
}

/// The exits of all squares of a group.
pub(super) struct Exits<'a, C> {
    group: &'a Group,
    /// The cells of each square's rim.
    rims: Vec<&'a [C]>,
    pub all: Vec<Exit>,
    /// Of each square and place on its rim the number of the exit.
    numbers: Vec<Vec<Option<u32>>>,
    /// Every exit, after all exits whose water it receives.
    order: Vec<u32>,
}

impl<'a, C: OnRim> Exits<'a, C> {
    /// `None` if water runs in circles: the records are not those of one world.
    pub fn new(group: &'a Group, rims: Vec<&'a [C]>) -> Option<Self> {
        let (mut all, mut numbers) = (Vec::new(), Vec::with_capacity(rims.len()));
        for (square, (rim, rect)) in (0..).zip(rims.iter().zip(group.rects())) {
            let mut of_square = vec![None; rim.len()];
            for (at, cell) in (0..).zip(*rim) {
                let Some(direction) = cell.exit() else { continue };
                let into = group.neighbour(rect.rim_position(at), direction).map(|next| group.on_rim(next));
                of_square[at as usize] = Some(all.len() as u32);
                all.push(Exit { square, at, direction, into, next: None });
            }
            numbers.push(of_square);
        }
        let mut exits = Exits { group, rims, all, numbers, order: Vec::new() };
        for number in 0..exits.all.len() {
            exits.all[number].next = exits.all[number].into.and_then(|into| exits.end(into));
        }
        exits.sort();
        (exits.order.len() == exits.all.len()).then_some(exits)
    }

    fn sort(&mut self) {
        let mut donors = vec![0_u32; self.all.len()];
        self.all.iter().filter_map(|exit| exit.next).for_each(|next| donors[next as usize] += 1);
        self.order = (0..self.all.len() as u32).filter(|number| donors[*number as usize] == 0).collect();
        let mut done = 0;
        while let Some(&number) = self.order.get(done) {
            done += 1;
            let Some(next) = self.all[number as usize].next else { continue };
            donors[next as usize] -= 1;
            if donors[next as usize] == 0 {
                self.order.push(next);
            }
        }
    }

    /// The exit at a cell of a square's rim.
    pub fn at(&self, (square, at): (u32, u32)) -> Option<u32> {
        self.numbers[square as usize][at as usize]
    }

    /// The exit by which water leaves a square that is at a cell of its rim; `None` if it reaches an outlet.
    pub fn end(&self, (square, at): (u32, u32)) -> Option<u32> {
        let (grid, number) = (&self.group.grid, self.group.number(square));
        let end = grid.position(self.rims[square as usize][at as usize].end());
        // The number of another square is only in a damaged record.
        let is_inside = self.group.rect.holds(end) && grid.holder(end) == number;
        grid.square(number).rim_at(end).filter(|_| is_inside).and_then(|at| self.at((square, at)))
    }

    /// The position in the world of an exit.
    pub fn position(&self, exit: &Exit) -> [u32; 2] {
        self.group.grid.square(self.group.number(exit.square)).rim_position(exit.at)
    }

    /// Adds the amounts of each exit to those of the next one, from the springs downwards.
    pub fn accumulate<const N: usize>(&self, amounts: &mut [[u64; N]]) {
        for &number in &self.order {
            let (Some(next), own) = (self.all[number as usize].next, amounts[number as usize]) else { continue };
            amounts[next as usize].iter_mut().zip(own).for_each(|(sum, amount)| *sum += amount);
        }
    }

    /// A value of each exit, from the outlets upwards. `beyond` is that of an exit that leads out of the group. `behind` makes that of
    /// another exit from the cell that it leads to, and from the value of the next exit, if the water of that cell reaches one.
    pub fn upwards<T: Copy + Default>(&self, beyond: impl Fn(&Exit) -> T, behind: impl Fn(&Exit, &C, Option<T>) -> T) -> Vec<T> {
        let mut values = vec![T::default(); self.all.len()];
        for &number in self.order.iter().rev() {
            let exit = &self.all[number as usize];
            values[number as usize] = match exit.into {
                None => beyond(exit),
                Some((square, at)) => {
                    let next = exit.next.map(|next| values[next as usize]);
                    behind(exit, &self.rims[square as usize][at as usize], next)
                }
            };
        }
        values
    }
}
