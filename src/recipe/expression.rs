//! Numbers written as expressions, such as `width * 0.5 + 20`.
//!
//! Values are 64-bit floats. Every operation is correctly rounded or comes from `libm`, so results do not depend on the platform.

use std::fmt;

/// Maximum length of an expression in characters.
const LONGEST: usize = 256;
/// Maximum depth of brackets, signs and powers in each other.
const DEEPEST: usize = 32;
/// The named constants.
const CONSTANTS: [(&str, f64); 1] = [("pi", std::f64::consts::PI)];

/// An expression, parsed: steps of a stack machine.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expression(Vec<Step>);

/// A step, with the column of its text, from 1.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Number(f64),
    Name(usize, String),
    Apply(usize, Operation, usize),
}

/// An operation on the last values of the stack.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Negate,
    Function(Function),
}

macro_rules! functions {
    ($($name:ident $word:literal $least:literal $most:literal $of:expr;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq)]
        enum Function { $($name),+ }

        impl Function {
            const ALL: &'static [(&'static str, Function)] = &[$(($word, Function::$name)),+];

            /// The allowed numbers of arguments.
            fn arguments(self) -> (usize, usize) {
                match self { $(Function::$name => ($least, $most)),+ }
            }

            fn apply(self, x: &[f64]) -> f64 {
                let of: fn(&[f64]) -> f64 = match self { $(Function::$name => $of),+ };
                of(x)
            }
        }
    };
}

functions! {
    Min "min" 1 16 |x| x.iter().copied().reduce(smaller).unwrap_or(f64::NAN);
    Max "max" 1 16 |x| x.iter().copied().reduce(larger).unwrap_or(f64::NAN);
    Clamp "clamp" 3 3 |x| smaller(larger(x[0], x[1]), x[2]);
    Mix "mix" 3 3 |x| x[0] + (x[1] - x[0]) * x[2];
    Abs "abs" 1 1 |x| x[0].abs();
    Floor "floor" 1 1 |x| x[0].floor();
    Ceil "ceil" 1 1 |x| x[0].ceil();
    Round "round" 1 1 |x| x[0].round();
    Sqrt "sqrt" 1 1 |x| x[0].sqrt();
    Pow "pow" 2 2 |x| libm::pow(x[0], x[1]);
    Exp "exp" 1 1 |x| libm::exp(x[0]);
    Log "log" 1 1 |x| libm::log(x[0]);
    Sin "sin" 1 1 |x| sine(x[0]);
    Cos "cos" 1 1 |x| cosine(x[0]);
}

/// The smaller number. `f64::min` does not specify which of two zeros it returns.
fn smaller(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The larger number, likewise.
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// Degrees in a turn.
const TURN: f64 = 360.0;

/// The sine of an angle in degrees, exact at multiples of 90.
fn sine(degrees: f64) -> f64 {
    // The remainder is exact.
    let angle = degrees % TURN;
    if angle % 180.0 == 0.0 {
        0.0
    } else if angle % 90.0 == 0.0 {
        if angle == 90.0 || angle == -270.0 { 1.0 } else { -1.0 }
    } else {
        libm::sin(angle.to_radians())
    }
}

/// The cosine of an angle in degrees, exact at multiples of 90.
fn cosine(degrees: f64) -> f64 {
    let angle = degrees.abs() % TURN;
    if angle % 90.0 == 0.0 { sine(angle + 90.0) } else { libm::cos(angle.to_radians()) }
}

/// The reason why an expression has no value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ExpressionError {
    /// The character, from 1.
    pub column: usize,
    pub message: String,
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

/// The value of a name in an expression.
pub(super) enum Named {
    Value(f64),
    /// The variable has an error, which is reported where it is.
    Faulty,
    /// An unknown name, with the list of known names for the message.
    Unknown(String),
}

/// Whether text can be the name of a variable: a letter or `_`, then letters, digits and `_`; not the name of a function.
pub(super) fn is_variable(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(begins_name)
        && chars.all(is_in_name)
        && name.len() <= 64
        && CONSTANTS.iter().all(|(known, _)| *known != name)
        && Function::ALL.iter().all(|(known, _)| *known != name)
}

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl Expression {
    /// Parses text. A leading `=` is allowed.
    pub(super) fn parse(text: &str) -> Result<Self, ExpressionError> {
        let chars: Vec<char> = text.chars().collect();
        if chars.len() > LONGEST {
            let message = format!("an expression of {} characters; allowed: up to {LONGEST}", chars.len());
            return Err(ExpressionError { column: LONGEST + 1, message });
        }
        let mut parser = Parser { chars, at: 0, deep: 0, steps: Vec::new() };
        parser.take("=");
        parser.sum()?;
        match parser.next() {
            None => Ok(Expression(parser.steps)),
            Some(c) => Err(parser.error(format!("'{c}' is not expected here; allowed: + - * / ^"))),
        }
    }

    /// The names of variables in it, in order.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|step| if let Step::Name(_, name) = step { Some(name.as_str()) } else { None })
    }

    /// Its value; `None` if it depends on a variable with an error.
    pub(super) fn value(&self, named: impl Fn(&str) -> Named) -> Result<Option<f64>, ExpressionError> {
        let mut stack: Vec<f64> = Vec::new();
        for step in &self.0 {
            let value = match step {
                Step::Number(x) => *x,
                Step::Name(column, name) => match named(name) {
                    Named::Value(x) => x,
                    Named::Faulty => return Ok(None),
                    Named::Unknown(known) => {
                        return Err(ExpressionError { column: *column, message: format!("there is no variable '{name}'; {known}") });
                    }
                },
                Step::Apply(column, operation, count) => {
                    let given = stack.split_off(stack.len().saturating_sub(*count));
                    let x = operation.apply(&given);
                    if !x.is_finite() {
                        return Err(ExpressionError { column: *column, message: operation.refused(&given, x) });
                    }
                    x
                }
            };
            stack.push(value);
        }
        Ok(stack.pop())
    }
}

impl Operation {
    fn apply(self, x: &[f64]) -> f64 {
        match (self, x) {
            (Operation::Add, [a, b]) => a + b,
            (Operation::Subtract, [a, b]) => a - b,
            (Operation::Multiply, [a, b]) => a * b,
            (Operation::Divide, [a, b]) => a / b,
            (Operation::Power, [a, b]) => libm::pow(*a, *b),
            (Operation::Negate, [a]) => -a,
            (Operation::Function(function), x) => function.apply(x),
            _ => f64::NAN,
        }
    }

    /// A message about operands without a finite result.
    fn refused(self, x: &[f64], result: f64) -> String {
        let shown = match (self, x) {
            (Operation::Divide, [a, b]) if *b == 0.0 => return format!("{a} is divided by zero"),
            (Operation::Add, [a, b]) => format!("{a} + {b}"),
            (Operation::Subtract, [a, b]) => format!("{a} - {b}"),
            (Operation::Multiply, [a, b]) => format!("{a} * {b}"),
            (Operation::Divide, [a, b]) => format!("{a} / {b}"),
            (Operation::Power, [a, b]) => format!("{a} ^ {b}"),
            (Operation::Function(function), x) => {
                let name = Function::ALL.iter().find(|(_, known)| *known == function).map_or("", |(name, _)| name);
                format!("{name}({})", x.iter().map(f64::to_string).collect::<Vec<_>>().join(", "))
            }
            _ => "this".to_owned(),
        };
        if result.is_nan() { format!("{shown} is not a number") } else { format!("{shown} is infinite") }
    }
}

/// A recursive descent over the text.
struct Parser {
    chars: Vec<char>,
    at: usize,
    deep: usize,
    steps: Vec<Step>,
}

type Parsed = Result<(), ExpressionError>;

impl Parser {
    /// The next character that is not a space.
    fn next(&mut self) -> Option<char> {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.chars.get(self.at).copied()
    }

    /// Takes the next character if it is one of these.
    fn take(&mut self, these: &str) -> Option<(usize, char)> {
        let c = self.next().filter(|c| these.contains(*c))?;
        self.at += 1;
        Some((self.at, c))
    }

    /// An error at the next character.
    fn error(&self, message: String) -> ExpressionError {
        ExpressionError { column: self.at + 1, message }
    }

    fn apply(&mut self, column: usize, operation: Operation, count: usize) {
        self.steps.push(Step::Apply(column, operation, count));
    }

    fn sum(&mut self) -> Parsed {
        self.product()?;
        while let Some((column, sign)) = self.take("+-") {
            self.product()?;
            self.apply(column, if sign == '+' { Operation::Add } else { Operation::Subtract }, 2);
        }
        Ok(())
    }

    fn product(&mut self) -> Parsed {
        self.signed()?;
        while let Some((column, sign)) = self.take("*/") {
            self.signed()?;
            self.apply(column, if sign == '*' { Operation::Multiply } else { Operation::Divide }, 2);
        }
        Ok(())
    }

    /// A power, or one with signs: `-2 ^ 2` is -4. Every recursion passes through here.
    fn signed(&mut self) -> Parsed {
        self.deep += 1;
        if self.deep > DEEPEST {
            return Err(self.error(format!("brackets, signs and powers lie in each other; allowed: {DEEPEST} deep")));
        }
        match self.take("+-") {
            Some((column, sign)) => {
                self.signed()?;
                if sign == '-' {
                    self.apply(column, Operation::Negate, 1);
                }
            }
            None => {
                self.atom()?;
                if let Some((column, _)) = self.take("^") {
                    self.signed()?;
                    self.apply(column, Operation::Power, 2);
                }
            }
        }
        self.deep -= 1;
        Ok(())
    }

    fn atom(&mut self) -> Parsed {
        const EXPECTED: &str = "allowed: a number, a variable, a function or '('";
        match self.next() {
            Some('(') => {
                self.at += 1;
                self.sum()?;
                self.close()
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if begins_name(c) => self.name(),
            Some(c) => Err(self.error(format!("'{c}' is not expected here; {EXPECTED}"))),
            None => Err(self.error(format!("something is missing at the end; {EXPECTED}"))),
        }
    }

    fn close(&mut self) -> Parsed {
        match (self.take(")"), self.next()) {
            (Some(_), _) => Ok(()),
            (None, Some(c)) => Err(self.error(format!("'{c}' is not expected here; allowed: ')' or + - * / ^"))),
            (None, None) => Err(self.error("a bracket is not closed; allowed: ')'".to_owned())),
        }
    }

    fn number(&mut self) -> Parsed {
        let start = self.at;
        let digits = |parser: &mut Self| {
            while parser.chars.get(parser.at).is_some_and(|c| c.is_ascii_digit() || *c == '.') {
                parser.at += 1;
            }
        };
        digits(self);
        // An exponent needs a digit: in `2 em`, `em` is a name.
        if matches!(self.chars.get(self.at), Some('e' | 'E')) {
            let sign = usize::from(matches!(self.chars.get(self.at + 1), Some('+' | '-')));
            if self.chars.get(self.at + 1 + sign).is_some_and(char::is_ascii_digit) {
                self.at += 1 + sign;
                digits(self);
            }
        }
        let text: String = self.chars[start..self.at].iter().collect();
        let number = text.parse::<f64>().ok().filter(|x| x.is_finite());
        let wrong = || ExpressionError { column: start + 1, message: format!("{text} is not a number; allowed: as in 20, 0.5 or 1e6") };
        self.steps.push(Step::Number(number.ok_or_else(wrong)?));
        Ok(())
    }

    fn name(&mut self) -> Parsed {
        let start = self.at;
        while self.chars.get(self.at).copied().is_some_and(is_in_name) {
            self.at += 1;
        }
        let name: String = self.chars[start..self.at].iter().collect();
        if self.take("(").is_some() {
            return self.call(start + 1, &name);
        }
        let constant = CONSTANTS.iter().find(|(known, _)| *known == name);
        self.steps.push(constant.map_or_else(|| Step::Name(start + 1, name), |(_, x)| Step::Number(*x)));
        Ok(())
    }

    /// The arguments of a function after its bracket.
    fn call(&mut self, column: usize, name: &str) -> Parsed {
        let refused = |message: String| Err(ExpressionError { column, message });
        let Some(&(_, function)) = Function::ALL.iter().find(|(known, _)| *known == name) else {
            let known: Vec<&str> = Function::ALL.iter().map(|(known, _)| *known).collect();
            return refused(format!("there is no function '{name}'; allowed: {}", known.join(", ")));
        };
        let mut count = 1;
        self.sum()?;
        while self.take(",").is_some() {
            self.sum()?;
            count += 1;
        }
        self.close()?;
        let (least, most) = function.arguments();
        if !(least..=most).contains(&count) {
            let allowed = if least == most { least.to_string() } else { format!("{least} to {most}") };
            return refused(format!("{name} is given {count} numbers; allowed: {allowed}"));
        }
        self.apply(column, Operation::Function(function), count);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, ExpressionError> {
        let named = |name: &str| match name {
            "width" => Named::Value(300.0),
            "höhe_2" => Named::Value(-1.5),
            _ => Named::Unknown("allowed: width, höhe_2".to_owned()),
        };
        Expression::parse(text)?.value(named).map(|value| value.expect("no variable has an error"))
    }

    #[test]
    fn expressions_have_values() {
        for (text, expected) in [
            ("width * 0.5 + 20", 170.0),
            ("= width", 300.0),
            ("höhe_2", -1.5),
            ("2 + 3 * 4", 14.0),
            ("(2 + 3) * 4", 20.0),
            ("8 - 3 - 2", 3.0),
            ("8 / 4 / 2", 1.0),
            ("2 ^ 3 ^ 2", 512.0),
            ("-2 ^ 2", -4.0),
            ("(-2) ^ 2", 4.0),
            ("2 ^ -1", 0.5),
            ("--3", 3.0),
            ("+3 - -3", 6.0),
            (".5e1 + 1E-1 + 2.", 7.1),
            ("0.1 + 0.2", 0.1 + 0.2),
            ("1 / 3", 1.0 / 3.0),
            ("min(3, 1, 2) + max(3, 1, 2)", 4.0),
            ("clamp(5, 0, 1)", 1.0),
            ("mix(10, 20, 0.25)", 12.5),
            ("abs(-3)", 3.0),
            ("floor(-1.5) + ceil(-1.5) + round(2.5)", 0.0),
            ("sqrt(2)", std::f64::consts::SQRT_2),
            ("pow(2, 10)", 1024.0),
            ("exp(0) + log(1)", 1.0),
            ("sin(30)", 0.49999999999999994),
            ("sin(90) + sin(-90) + sin(180) + sin(270)", -1.0),
            ("cos(0) + cos(90) + cos(180) + cos(-180) + cos(360)", 0.0),
            ("pi", std::f64::consts::PI),
        ] {
            assert_eq!(value(text).map(f64::to_bits), Ok(expected.to_bits()), "{text}: {:?}", value(text));
        }
    }

    #[test]
    fn errors_have_a_column_and_a_reason() {
        let long = "1+".repeat(200);
        let deep = "(".repeat(100);
        for (text, expected) in [
            ("", "column 1: something is missing at the end; allowed: a number, a variable, a function or '('"),
            ("width *", "column 8: something is missing at the end; allowed: a number, a variable, a function or '('"),
            ("width * )", "column 9: ')' is not expected here; allowed: a number, a variable, a function or '('"),
            ("width 2", "column 7: '2' is not expected here; allowed: + - * / ^"),
            ("(width", "column 7: a bracket is not closed; allowed: ')'"),
            ("(width, 2)", "column 7: ',' is not expected here; allowed: ')' or + - * / ^"),
            ("2 + widht", "column 5: there is no variable 'widht'; allowed: width, höhe_2"),
            (
                "tan(3)",
                "column 1: there is no function 'tan'; allowed: min, max, clamp, mix, abs, floor, ceil, round, sqrt, pow, exp, log, sin, cos",
            ),
            ("pow(2)", "column 1: pow is given 1 numbers; allowed: 2"),
            ("1.2.3", "column 1: 1.2.3 is not a number; allowed: as in 20, 0.5 or 1e6"),
            ("1e999", "column 1: 1e999 is not a number; allowed: as in 20, 0.5 or 1e6"),
            ("1 + width / (2 - 2)", "column 11: 300 is divided by zero"),
            ("1e308 * 10", "column 7: 1e308 * 10 is infinite"),
            ("sqrt(-1)", "column 1: sqrt(-1) is not a number"),
            ("(-8) ^ 0.5", "column 6: -8 ^ 0.5 is not a number"),
            ("log(0)", "column 1: log(0) is infinite"),
            (&long, "column 257: an expression of 400 characters; allowed: up to 256"),
            (&deep, "column 33: brackets, signs and powers lie in each other; allowed: 32 deep"),
        ] {
            let told = value(text).expect_err(text).to_string();
            // Rust prints large floats in full.
            assert_eq!(told.replace(&1e308.to_string(), "1e308"), expected, "{text}");
        }
    }

    #[test]
    fn names_of_functions_are_not_variables() {
        for (name, expected) in
            [("width", true), ("_a1", true), ("ä", true), ("min", false), ("pi", false), ("1a", false), ("a-b", false), ("", false)]
        {
            assert_eq!(is_variable(name), expected, "{name}");
        }
    }
}
