//! Animals.

/// Litres of a bucket.
pub const BUCKET : f64 = 10.0;

/* A block begins like this: /*
// tschema: Nothing
*/ */

// tschema: Mood
// tschema: end

// tschema: AnimalNode
// tschema: end

// tschema: Animal
// tschema: end

// tschema: CowNode
// tschema: custom-begin
impl CowNode {
    pub fn buckets(&self) -> f64 { self.litres / BUCKET }
}
// tschema: custom-end
// tschema: end

// tschema: Cow
// tschema: end
