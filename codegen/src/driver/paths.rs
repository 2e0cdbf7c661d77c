//! One path or several, as options take them.

/// Paths of schema elements: made of a string or of several.
///
/// A path with a leading dot, such as `.pkg.Message.field`, selects that element and all inside
/// it, `.` selects everything; without a leading dot it selects by the last segments of the full
/// name.
#[derive(Clone, Debug)]
pub struct Paths(pub(super) Vec<String>);

impl From<&str> for Paths {
    fn from(path: &str) -> Self {
        Self(vec![path.to_owned()])
    }
}

impl From<String> for Paths {
    fn from(path: String) -> Self {
        Self(vec![path])
    }
}

impl From<&String> for Paths {
    fn from(path: &String) -> Self {
        Self(vec![path.clone()])
    }
}

impl<T: AsRef<str>> From<&[T]> for Paths {
    fn from(paths: &[T]) -> Self {
        Self(paths.iter().map(|path| path.as_ref().to_owned()).collect())
    }
}

impl<T: AsRef<str>, const N: usize> From<[T; N]> for Paths {
    fn from(paths: [T; N]) -> Self {
        Self::from(&paths[..])
    }
}

impl<T: AsRef<str>, const N: usize> From<&[T; N]> for Paths {
    fn from(paths: &[T; N]) -> Self {
        Self::from(&paths[..])
    }
}

impl<T: AsRef<str>> From<Vec<T>> for Paths {
    fn from(paths: Vec<T>) -> Self {
        Self::from(&paths[..])
    }
}
