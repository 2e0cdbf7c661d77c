//! Frames as the lists of fields that the data files hold.

use stubwire::frame::prpc::{HEADER_LEN, RpcMeta, decode_header, decode_meta};
use stubwire::frame::{Error, Sniff, sniff};
use stubwire_tests_support::Fields;

/// brpc's default.
pub(crate) const MAX_BODY_SIZE: usize = 64 * 1024 * 1024;

/// A frame cut into its parts.
pub(crate) struct Frame<'a> {
    pub(crate) meta: RpcMeta<'a>,
    pub(crate) payload: &'a [u8],
}

/// Takes the first frame off a stream. `None` until all of it is there.
pub(crate) fn next_frame<'a>(stream: &mut &'a [u8]) -> Result<Option<Frame<'a>>, Error> {
    match sniff(stream) {
        Sniff::Incomplete => return Ok(None),
        Sniff::Known(_) if stream.len() < HEADER_LEN => return Ok(None),
        Sniff::Known(_) => {}
        Sniff::Unknown(_) => {
            let mut found = [0; 4];
            let len = stream.len().min(4);
            found[..len].copy_from_slice(&stream[..len]);
            return Err(Error::WrongMagic { found });
        }
    }
    let header = decode_header(stream, MAX_BODY_SIZE)?;
    let Some((body, rest)) = stream[HEADER_LEN..].split_at_checked(header.body_size as usize)
    else {
        return Ok(None);
    };
    let (meta, payload) = body.split_at(header.meta_size as usize);
    let meta = decode_meta(meta)?;
    *stream = rest;
    Ok(Some(Frame { meta, payload }))
}

/// Every frame of a stream, as fields, until it ends or breaks a rule.
pub(crate) fn fields_of_stream(mut stream: &[u8]) -> Result<Vec<Fields>, Error> {
    let mut frames = Vec::new();
    while let Some(frame) = next_frame(&mut stream)? {
        frames.push(fields(&frame));
    }
    Ok(frames)
}

/// A frame in the words of the data files.
fn fields(frame: &Frame<'_>) -> Fields {
    let mut fields = Fields::new();
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            fields.push((name.into(), value));
        }
    };
    let meta = &frame.meta;
    if let Some(request) = &meta.request {
        put("request.service_name", Some(request.service_name.into()));
        put("request.method_name", Some(request.method_name.into()));
        put("request.log_id", request.log_id.map(|id| id.to_string()));
        put("request.trace_id", request.trace_id.map(|id| id.to_string()));
        put("request.span_id", request.span_id.map(|id| id.to_string()));
        put("request.parent_span_id", request.parent_span_id.map(|id| id.to_string()));
        put("request.request_id", request.request_id.map(Into::into));
        put("request.timeout_ms", request.timeout_ms.map(|ms| ms.to_string()));
    }
    if let Some(response) = &meta.response {
        put("response.error_code", response.error_code.map(|code| code.to_string()));
        put("response.error_text", response.error_text.map(Into::into));
    }
    put("compress_type", meta.compress_type.map(|kind| kind.to_string()));
    put("correlation_id", meta.correlation_id.map(|id| id.to_string()));
    put("attachment_size", meta.attachment_size.map(|size| size.to_string()));
    put("authentication_data", meta.authentication_data.map(|data| hex(data, "")));
    put("stream_settings", meta.stream_settings.map(|settings| hex(settings, "")));
    for (key, value) in &meta.user_fields {
        put(&format!("user_fields[{key}]"), Some((*value).into()));
    }
    put("content_type", meta.content_type.map(|kind| kind.to_string()));
    put("checksum_type", meta.checksum_type.map(|kind| kind.to_string()));
    put("checksum_value", meta.checksum_value.map(|value| hex(value, "")));
    put("checksum_with_attachment", meta.checksum_with_attachment.map(|with| with.to_string()));
    // A size beyond the payload leaves all of it as the message, in the data files.
    let message_len = meta.message_len(frame.payload.len()).unwrap_or(frame.payload.len());
    let (message, attachment) = frame.payload.split_at(message_len);
    put("message", Some(hex(message, " ")));
    put("attachment", (!attachment.is_empty()).then(|| hex(attachment, " ")));
    fields
}

fn hex(bytes: &[u8], between: &str) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(between)
}
