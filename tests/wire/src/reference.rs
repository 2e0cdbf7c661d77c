//! The frame metadata once more, by prost: a second opinion on what bytes mean, and a mark to measure against.

use prost::Message;
use stubwire::frame::Error;
use stubwire::frame::prpc::{RpcMeta, decode_meta};

/// `RpcMeta` as prost decodes it. Byte strings are views of a `Bytes`, so that prost copies no more than it must.
#[derive(Clone, PartialEq, Message)]
#[allow(missing_docs)]
pub struct ReferenceMeta {
    #[prost(message, optional, tag = "1")]
    pub request: Option<ReferenceRequest>,
    #[prost(message, optional, tag = "2")]
    pub response: Option<ReferenceResponse>,
    #[prost(int32, optional, tag = "3")]
    pub compress_type: Option<i32>,
    #[prost(int64, optional, tag = "4")]
    pub correlation_id: Option<i64>,
    #[prost(int32, optional, tag = "5")]
    pub attachment_size: Option<i32>,
    #[prost(bytes = "bytes", optional, tag = "7")]
    pub authentication_data: Option<bytes::Bytes>,
    #[prost(bytes = "bytes", optional, tag = "8")]
    pub stream_settings: Option<bytes::Bytes>,
    #[prost(map = "string, string", tag = "9")]
    pub user_fields: std::collections::HashMap<String, String>,
    #[prost(int32, optional, tag = "10")]
    pub content_type: Option<i32>,
    #[prost(int32, optional, tag = "11")]
    pub checksum_type: Option<i32>,
    #[prost(bytes = "bytes", optional, tag = "12")]
    pub checksum_value: Option<bytes::Bytes>,
    #[prost(bool, optional, tag = "13")]
    pub checksum_with_attachment: Option<bool>,
}

/// `RpcRequestMeta` as prost decodes it: a required field that is missing is empty.
#[derive(Clone, PartialEq, Message)]
#[allow(missing_docs)]
pub struct ReferenceRequest {
    #[prost(string, required, tag = "1")]
    pub service_name: String,
    #[prost(string, required, tag = "2")]
    pub method_name: String,
    #[prost(int64, optional, tag = "3")]
    pub log_id: Option<i64>,
    #[prost(int64, optional, tag = "4")]
    pub trace_id: Option<i64>,
    #[prost(int64, optional, tag = "5")]
    pub span_id: Option<i64>,
    #[prost(int64, optional, tag = "6")]
    pub parent_span_id: Option<i64>,
    #[prost(string, optional, tag = "7")]
    pub request_id: Option<String>,
    #[prost(int32, optional, tag = "8")]
    pub timeout_ms: Option<i32>,
}

/// `RpcResponseMeta` as prost decodes it.
#[derive(Clone, PartialEq, Message)]
#[allow(missing_docs)]
pub struct ReferenceResponse {
    #[prost(int32, optional, tag = "1")]
    pub error_code: Option<i32>,
    #[prost(string, optional, tag = "2")]
    pub error_text: Option<String>,
}

/// Decodes by hand and by prost, and compares wherever prost has an opinion.
///
/// prost refuses a known field under another wire type, which is an unknown field to protobuf; it does not ask for
/// required fields, does not limit user fields, and does not know that `content_type` is a closed enum. What it
/// accepts in spite of that, both have to read the same way.
///
/// # Panics
/// When they do not agree.
pub fn compare(bytes: &[u8]) {
    let Ok(reference) = ReferenceMeta::decode(bytes::Bytes::copy_from_slice(bytes)) else { return };
    match decode_meta(bytes) {
        Ok(meta) => assert_eq!(reference_of(&meta), without_content_type(reference)),
        Err(Error::ServiceNameMissing | Error::MethodNameMissing) => {
            let request = reference.request.expect("a request is there to lack its names");
            assert!(request.service_name.is_empty() || request.method_name.is_empty());
        }
        Err(Error::TooManyUserFields { .. }) => {}
        Err(error) => panic!("prost accepts what breaks a rule: {error}"),
    }
}

fn without_content_type(reference: ReferenceMeta) -> ReferenceMeta {
    ReferenceMeta { content_type: None, ..reference }
}

fn reference_of(meta: &RpcMeta<'_>) -> ReferenceMeta {
    let bytes = bytes::Bytes::copy_from_slice;
    ReferenceMeta {
        request: meta.request.map(|request| ReferenceRequest {
            service_name: request.service_name.into(),
            method_name: request.method_name.into(),
            log_id: request.log_id,
            trace_id: request.trace_id,
            span_id: request.span_id,
            parent_span_id: request.parent_span_id,
            request_id: request.request_id.map(Into::into),
            timeout_ms: request.timeout_ms,
        }),
        response: meta.response.map(|response| ReferenceResponse {
            error_code: response.error_code,
            error_text: response.error_text.map(Into::into),
        }),
        compress_type: meta.compress_type,
        correlation_id: meta.correlation_id,
        attachment_size: meta.attachment_size,
        authentication_data: meta.authentication_data.map(bytes),
        stream_settings: meta.stream_settings.map(bytes),
        user_fields: meta.user_fields.iter().map(|&(k, v)| (k.into(), v.into())).collect(),
        content_type: None,
        checksum_type: meta.checksum_type,
        checksum_value: meta.checksum_value.map(bytes),
        checksum_with_attachment: meta.checksum_with_attachment,
    }
}
