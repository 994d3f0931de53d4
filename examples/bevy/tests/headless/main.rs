//! The plugin in an app without a window: what appears, when, where, and on which threads.

mod failures;
mod origin;
mod seams;
mod settings;
mod streaming;
mod support;
mod threads;
