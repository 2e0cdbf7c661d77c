//! Full schema paths as options spell them: with a leading dot, a member of a oneof below the
//! oneof.

use crate::ir::{Field, MessageId, Schema};

/// `.pkg.Message.field`, or `.pkg.Message.oneof.field`.
pub(crate) fn field_path(schema: &Schema, holder: MessageId, field: &Field) -> String {
    let message = schema.message(holder);
    match field.oneof.and_then(|index| message.oneofs.get(index)) {
        Some(oneof) => {
            format!(".{}.{}.{}", message.full_name, oneof.schema_name, field.schema_name)
        }
        None => format!(".{}.{}", message.full_name, field.schema_name),
    }
}
