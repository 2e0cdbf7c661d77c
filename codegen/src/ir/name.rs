//! Names as the schema spells them. Rust spellings are decided by back ends alone.

use std::fmt;

/// A package or namespace: its segments, outermost first; empty for the root package.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Package(pub Vec<String>);

impl Package {
    /// Splits a dotted name; an empty string is the root package.
    pub fn parse(dotted: &str) -> Self {
        Self(dotted.split('.').filter(|segment| !segment.is_empty()).map(str::to_owned).collect())
    }
}

impl fmt::Display for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("."))
    }
}

/// A fully qualified schema name without a leading dot, such as `bench.EchoService`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FullName(pub String);

impl FullName {
    /// All segments but the last: for elements that are nested in nothing, their package.
    pub fn outer(&self) -> Package {
        Package::parse(self.0.rsplit_once('.').map_or("", |(outer, _)| outer))
    }

    /// The last segment.
    pub fn last(&self) -> &str {
        self.0.rsplit('.').next().unwrap_or(&self.0)
    }
}

impl fmt::Display for FullName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
