//! The metadata of both protocols as types: brpc's own names for its fields, in the form of a layout text.

/// `RpcMeta` of baidu_std and what is in it, as brpc's `baidu_rpc_meta.proto` and `streaming_rpc_meta.proto` name them.
pub(super) const BAIDU_STD: &str = "\
message brpc.RpcMeta
1 request .brpc.RpcRequestMeta
2 response .brpc.RpcResponseMeta
3 compress_type .brpc.CompressType
4 correlation_id int64
5 attachment_size int32
6 chunk_info .brpc.ChunkInfo
7 authentication_data bytes
8 stream_settings .brpc.StreamSettings
9 user_fields [.brpc.UserField]
10 content_type .brpc.ContentType
11 checksum_type .brpc.ChecksumType
12 checksum_value bytes
13 checksum_with_attachment bool
message brpc.RpcRequestMeta
1 service_name string
2 method_name string
3 log_id int64
4 trace_id int64
5 span_id int64
6 parent_span_id int64
7 request_id string
8 timeout_ms int32
message brpc.RpcResponseMeta
1 error_code errno
2 error_text string
message brpc.ChunkInfo
1 stream_id int64
2 chunk_id int64
message brpc.StreamSettings
1 stream_id int64
2 need_feedback bool
3 writable bool
4 extra_stream_ids [int64]
message brpc.UserField
1 key string
2 value string
enum brpc.CompressType
0 NONE
1 SNAPPY
2 GZIP
3 ZLIB
4 LZ4
enum brpc.ContentType
0 PB
1 JSON
2 PROTO_JSON
3 PROTO_TEXT
enum brpc.ChecksumType
0 NONE
1 CRC32C
";

/// The root of it.
pub(super) const RPC_META: &str = "brpc.RpcMeta";

/// The fields of our own block behind the metadata of FRPC.
pub(super) const APPENDED: &str = "\
message stubwire.Appended
1 timeout_ms uint32
2 error_text string
3 user_fields [.stubwire.UserField]
4 log_id int64
message stubwire.UserField
1 key string
2 value string
";

/// The root of it.
pub(super) const APPENDED_BLOCK: &str = "stubwire.Appended";
