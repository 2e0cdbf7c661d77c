//! How an option's path selects elements: the matching rules of prost-build, which users know.
//!
//! A path with a leading dot selects the element and everything inside it; `.` selects all;
//! without a leading dot it selects by the last segments of the full name.

/// Values by path, in the order in which they were set.
#[derive(Clone, Debug)]
pub struct PathMap<T> {
    entries: Vec<(String, T)>,
}

impl<T> Default for PathMap<T> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

/// How well `path` selects `full_path` (`.pkg.Message.field`): lower is better.
fn rank(path: &str, full_path: &str) -> Option<usize> {
    if path == full_path {
        return Some(0);
    }
    let length = full_path.len();
    if path == "." {
        return Some(2 * length + 1);
    }
    if path.starts_with('.') {
        let inside = full_path.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
        return inside.then(|| 2 * length - path.len());
    }
    let suffix = full_path.strip_suffix(path).is_some_and(|rest| rest.ends_with('.'));
    suffix.then(|| length - path.len())
}

impl<T> PathMap<T> {
    /// Adds a value.
    pub(crate) fn insert(&mut self, path: impl Into<String>, value: T) {
        self.entries.push((path.into(), value));
    }

    /// Every value whose path selects the element, in the order of insertion.
    pub(crate) fn all<'a>(&'a self, full_path: &'a str) -> impl Iterator<Item = &'a T> {
        self.entries
            .iter()
            .filter(move |(path, _)| rank(path, full_path).is_some())
            .map(|(_, value)| value)
    }

    /// The value of the path that selects the element most closely.
    pub(crate) fn best(&self, full_path: &str) -> Option<&T> {
        self.entries
            .iter()
            .filter_map(|(path, value)| rank(path, full_path).map(|rank| (rank, value)))
            .min_by_key(|(rank, _)| *rank)
            .map(|(_, value)| value)
    }

    /// True when any path selects the element.
    pub(crate) fn selects(&self, full_path: &str) -> bool {
        self.entries.iter().any(|(path, _)| rank(path, full_path).is_some())
    }

    /// Paths and values.
    pub(crate) fn entries(&self) -> &[(String, T)] {
        &self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_select_as_in_prost_build() {
        let selects = |path: &str, full: &str| rank(path, full).is_some();
        assert!(selects(".", ".a.B.c"));
        assert!(selects(".a", ".a.B.c"));
        assert!(selects("B.c", ".a.B.c"));
        assert!(selects("c", ".a.B.c"));
        assert!(!selects("B", ".a.B.c"));
        assert!(!selects(".a.Be", ".a.B.c"));
        assert!(!selects(".a.B", ".a.Bc"));
    }

    #[test]
    fn the_closest_path_wins() {
        let mut map = PathMap::default();
        for path in [".", ".a", ".a.B", "c", "B.c", ".a.B.c"] {
            map.insert(path, path);
        }
        assert_eq!(map.best(".a.B.c"), Some(&".a.B.c"));
        assert_eq!(map.best(".x.B.c"), Some(&"B.c"));
        assert_eq!(map.best(".a.B.d"), Some(&".a.B"));
        assert_eq!(map.best(".x"), Some(&"."));
    }
}
