@0xb6f6de2112ddea70;

interface EchoService {
  # The fields of `bench.EchoRequest` in `examples/benchmark/schema/echo.proto`, there and back.
  echo @0 (requestId :UInt64, message :Text, payload :Data) -> (requestId :UInt64, message :Text, payload :Data);
}
