//! Comments as written in the schema. They are hostile input: a back end sanitises them.

/// The comments attached to one element, markers (`//`, `/*`) removed, otherwise untouched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doc {
    /// Comments before the element that a blank line separates from it.
    pub detached: Vec<String>,
    /// The comment right before the element.
    pub leading: Option<String>,
    /// The comment behind it.
    pub trailing: Option<String>,
}

impl Doc {
    /// The text that documents the element: leading, else trailing.
    pub fn text(&self) -> Option<&str> {
        self.leading.as_deref().or(self.trailing.as_deref())
    }
}
