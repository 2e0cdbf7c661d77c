//! Writes replies in the form that their requests came in.

use super::connection::Connection;
use crate::call::{EncodeMessage, ReplyForm, ReplyParts, ReplyPath, Ticket};
use crate::conn::QueueClosed;
use crate::status::Status;

impl Connection {
    /// Writes a success, or an error in place of one that the caller would not take.
    pub(super) fn write_reply(
        &self,
        ticket: &Ticket,
        parts: &ReplyParts,
        message: &mut dyn EncodeMessage,
    ) -> Result<(), QueueClosed> {
        let size = message.encoded_len().saturating_add(parts.attachment.len());
        let limit = self.limits().max_body_size;
        if size > limit {
            let text = format!("a reply of {size} bytes is larger than max_body_size={limit}");
            return self.write_error(ticket, &Status::internal(text));
        }
        match ticket.form {
            ReplyForm::Prpc => self.write_prpc_reply(ticket, parts, message),
            ReplyForm::Frpc(form) => self.write_frpc_reply(ticket, form, parts, message),
        }
    }

    /// Writes an error: a code, a text where there is a place for it, no message, no attachment.
    pub(super) fn write_error(&self, ticket: &Ticket, status: &Status) -> Result<(), QueueClosed> {
        match ticket.form {
            ReplyForm::Prpc => self.write_prpc_error(ticket, status),
            ReplyForm::Frpc(form) => self.write_frpc_error(ticket, form, status),
        }
    }
}
