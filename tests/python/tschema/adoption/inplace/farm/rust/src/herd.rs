use super::animal::Animal;

// tschema: HerdNode
// tschema: end

// tschema: Herd
// tschema: end
