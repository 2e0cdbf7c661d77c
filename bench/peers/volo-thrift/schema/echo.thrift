namespace rs bench

// The fields of `bench.EchoRequest` in `examples/benchmark/schema/echo.proto`.
struct EchoRequest {
    // Thrift has no unsigned numbers.
    1: required i64 request_id,
    2: required string message,
    3: required binary payload,
}

struct EchoResponse {
    1: required i64 request_id,
    2: required string message,
    3: required binary payload,
}

service EchoService {
    EchoResponse Echo(1: EchoRequest request),
}
