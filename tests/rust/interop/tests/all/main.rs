//! All tests of the crates are one program: each of its own takes half a second to build.

mod backtrace;
mod containers;
mod depth;
mod display;
mod driver;
mod engines;
mod enums;
mod explanations;
mod failing_mutators;
mod functors;
mod init;
mod int_sets;
mod iter_maps;
mod load_types;
mod nodes;
mod operators;
mod passes;
mod relay;
mod relay_operators;
mod schedule;
mod script;
mod target;
mod tuning;
