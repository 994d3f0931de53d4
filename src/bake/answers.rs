//! Answers about the whole world, stored as objects next to the tiles. Recipes stay as their authors wrote them.
//!
//! An object begins with a line of text: `orogen answer` and three SHA-256.
//!
//! 1. The question's: the recipe, its region and level, and the number of the question.
//! 2. That of the parts that the answer was made from.
//! 3. A check over both and the bytes behind the line, which [`Reduction::encode_answer`] makes.
//!
//! So a damaged answer, or an answer to another question, is never used.
//!
//! A bake by one process has `measured.0.answer` and so on. A world of shards has `measured/0.answer`.

use crate::bake::BakeError;
use crate::bake::hash::hex;
use crate::bake::names::answer as answer_file;
use crate::bake::object::Object;
use crate::stage::Pipeline;
use crate::world::one::Checkpoint;
use crate::world::questions::{Ask, Question, Questions};
use crate::world::reduction::Reduction;
use sha2::{Digest, Sha256};

/// The hash of a question. `key` stands for the recipe, its region and level.
pub(super) fn asked(key: &str, number: u32, question: &str) -> String {
    hex(format!("{key}\n{number}\n{question}").as_bytes())
}

/// The hash of parts, in the order of their shards.
#[derive(Default)]
pub(super) struct PartsHash(Sha256);

impl PartsHash {
    pub fn add(&mut self, part: &[u8]) {
        self.0.update(Sha256::digest(part));
    }

    pub fn end(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The hash of a single part.
    pub fn of(part: &[u8]) -> String {
        let mut hash = PartsHash::default();
        hash.add(part);
        hash.end()
    }
}

/// An answer, read from its object.
#[derive(Clone, Copy)]
pub(super) struct Answer<'a> {
    /// The hash of its question.
    pub asked: &'a str,
    /// The hash of its parts.
    pub parts: &'a str,
    pub bytes: &'a [u8],
}

impl<'a> Answer<'a> {
    /// The object of an answer.
    pub fn object(&self) -> Vec<u8> {
        let Answer { asked, parts, bytes } = self;
        [format!("{HEAD} {asked} {parts} {}\n", self.check()).as_bytes(), bytes].concat()
    }

    fn check(&self) -> String {
        hex(&[self.asked.as_bytes(), self.parts.as_bytes(), self.bytes].concat())
    }

    /// Reads an object; `None` if it is damaged.
    pub fn read(object: &'a [u8]) -> Option<Self> {
        let line = object.iter().position(|byte| *byte == b'\n')?;
        let (head, bytes) = (str::from_utf8(&object[..line]).ok()?, &object[line + 1..]);
        let mut words = head.strip_prefix(HEAD)?.strip_prefix(' ')?.split(' ');
        let (answer, check) = (Answer { asked: words.next()?, parts: words.next()?, bytes }, words.next()?);
        (words.next().is_none() && check == answer.check()).then_some(answer)
    }

    /// Reads an object; `None` if it is damaged or answers another question. `asked` is the question's hash.
    pub fn to(asked: &str, object: &'a [u8]) -> Option<Self> {
        Answer::read(object).filter(|answer| answer.asked == asked)
    }
}

/// The first words of an object.
const HEAD: &str = "orogen answer";

/// The answers of a bake by one process, collected as they are found.
pub(super) struct Collected {
    /// The hash that identifies the recipe, its region and level.
    key: String,
    pub answers: Vec<Object>,
}

impl Collected {
    pub fn new(key: &str) -> Self {
        Collected { key: hex(key.as_bytes()), answers: Vec::new() }
    }

    /// Adopts a stored object if it answers the question, and returns the answer's bytes.
    pub fn take_over(&mut self, number: u32, question: &str, bytes: Vec<u8>) -> Option<Vec<u8>> {
        let answer = Answer::to(&asked(&self.key, number, question), &bytes)?.bytes.to_vec();
        self.answers.push(Object { name: answer_file(number), bytes });
        Some(answer)
    }

    /// Adds an answer, in place of an earlier one with this number, and returns its object.
    pub fn add(&mut self, number: u32, question: &str, part: &[u8], bytes: &[u8]) -> &Object {
        let object = Answer { asked: &asked(&self.key, number, question), parts: &PartsHash::of(part), bytes }.object();
        self.answers.retain(|answer| answer.name != answer_file(number));
        self.answers.push(Object { name: answer_file(number), bytes: object });
        self.answers.last().expect("invariant: one was pushed")
    }
}

impl Checkpoint for Collected {
    fn keeps(&self) -> bool {
        true
    }

    fn answer(&mut self, _: u32, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn keep(&mut self, number: u32, question: &str, part: &[u8], answer: &[u8]) {
        self.add(number, question, part, answer);
    }

    fn load(&mut self) -> Option<Vec<u8>> {
        None
    }

    fn save(&mut self, _: &dyn Fn() -> Vec<u8>) {}
}

/// Answers the questions of a pipeline's stages with stored answers. `read` returns the object of an answer by its number. `Err`
/// is the number of the first answer that is missing or damaged.
pub(super) fn answered(
    pipeline: Pipeline,
    layers: &[&str],
    read: &mut dyn FnMut(u32) -> Result<Option<Vec<u8>>, BakeError>,
) -> Result<Result<Pipeline, u32>, BakeError> {
    let mut questions = Questions::new(pipeline, layers, &[""; 0]);
    let missing = questions.ask(&mut Written(read))?;
    Ok(if missing.is_none() { Ok(questions.pipeline) } else { Err(questions.number) })
}

/// Stored answers, read by their numbers.
struct Written<'a>(&'a mut dyn FnMut(u32) -> Result<Option<Vec<u8>>, BakeError>);

impl Ask for Written<'_> {
    type Error = BakeError;

    fn ask<R: Reduction>(&mut self, number: u32, _: &Questions, _: &Question, by: &R) -> Result<Option<R::Answer>, BakeError> {
        let Some(object) = (self.0)(number)? else { return Ok(None) };
        let answer = Answer::read(&object).and_then(|Answer { bytes, .. }| {
            // The pipeline needs no shares of squares.
            let unread = |_| Err("an answer has no shares; allowed: tracing the world again".to_owned());
            by.decode_answer(bytes).or_else(|| by.open_units(bytes, Box::new(unread)))
        });
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_comes_back_whole_and_to_its_question_alone() {
        let question = asked("a recipe", 3, "the extremes of 'hills', for 'even'");
        let object = Answer { asked: &question, parts: &PartsHash::of(b"a part"), bytes: b"\n1\n2\n" }.object();
        let found = Answer::to(&question, &object).expect("an answer");
        assert_eq!((found.bytes, found.parts), (&b"\n1\n2\n"[..], PartsHash::of(b"a part").as_str()));
        for other in
            [asked("another", 3, "the extremes of 'hills', for 'even'"), asked("a recipe", 2, "the extremes of 'hills', for 'even'")]
        {
            assert!(Answer::to(&other, &object).is_none());
        }
        for at in 0..object.len() {
            assert!(Answer::read(&object[..at]).is_none(), "{at} bytes");
            let mut flipped = object.clone();
            flipped[at] ^= 1;
            assert!(Answer::read(&flipped).is_none(), "byte {at}");
        }
    }
}
