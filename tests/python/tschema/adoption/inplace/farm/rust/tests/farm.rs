//! Objects of adopted classes, made and read by Rust.

use farm::animal::{Animal, Cow, Mood};
use farm::herd::Herd;
use farm::sidecar::milk;

#[test]
fn a_cow_is_made_and_milked() {
    let cow = Cow::builder("Berta", 20.0).mood(Mood::WILD).build().unwrap();
    assert_eq!(cow.buckets(), 2.0);
    assert_eq!(cow.mood, Mood::WILD);
    assert_eq!(cow.yearly(10).unwrap(), 200.0);
    let herd = Herd::new([Animal::from(cow.clone())]);
    assert_eq!(milk(herd, Some(cow)).unwrap(), 40.0);
}
