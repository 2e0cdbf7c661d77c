//! What travels beside the message.

/// The metadata of a request or a reply, besides message and attachment.
///
/// baidu_std carries all of it; a protocol that has no place for a field leaves it out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metadata {
    /// A number that ties log lines of one user request together.
    pub log_id: Option<i64>,
    /// The same as text.
    pub request_id: Option<String>,
    /// The trace that the call belongs to.
    pub trace_id: Option<i64>,
    /// The span of the caller.
    pub span_id: Option<i64>,
    /// The span above it.
    pub parent_span_id: Option<i64>,
    /// Fields of the users' own, in wire order; a key may stand twice.
    pub user_fields: Vec<(String, String)>,
    /// What an authenticator checks; on the first request of a connection.
    pub authentication_data: Option<Vec<u8>>,
}

/// What a message came with that came with nothing.
static EMPTY: Metadata = Metadata {
    log_id: None,
    request_id: None,
    trace_id: None,
    span_id: None,
    parent_span_id: None,
    user_fields: Vec::new(),
    authentication_data: None,
};

/// User fields as they stand in a frame, to be kept.
pub(crate) fn owned_fields(fields: &[(&str, &str)]) -> Vec<(String, String)> {
    fields.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

impl Metadata {
    /// Metadata out of the way of the many calls that have none.
    pub(crate) fn boxed(self) -> Option<Box<Self>> {
        (self != EMPTY).then(|| Box::new(self))
    }

    /// The metadata behind such a box.
    pub(crate) fn of(boxed: &Option<Box<Self>>) -> &Self {
        boxed.as_deref().unwrap_or(&EMPTY)
    }

    /// The value of the last user field named `key`: of two with one key, the later counts, as in
    /// a Protobuf map.
    pub fn user_field(&self, key: &str) -> Option<&str> {
        self.user_fields.iter().rev().find(|(name, _)| name == key).map(|(_, value)| &**value)
    }
}
