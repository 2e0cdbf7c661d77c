//! Recorded FRPC requests, sent to this server: its replies are the recorded ones, byte for byte.

use bytes::Bytes;
use std::time::Duration;
use stubwire::{Call, Codec, Methods, Service, ServiceDescriptor};
use stubwire_tests_e2e::frpc::{
    ECHO, FAIL, ORDERS, ask, message, next_frame, request_frame, start,
};
use stubwire_tests_e2e::raw::Raw;
use stubwire_tests_e2e::services::{method, service_of};
use stubwire_tests_e2e::{guarded, on_both_runtimes};
use stubwire_tests_support::{Connection, FrpcExchange, frpc};

/// How long a connection that is to stay open is watched for what must not come.
const SILENCE: Duration = Duration::from_millis(300);

/// The service of captures 21 and 22: hashed with two dots, its method numbered by position.
struct Positions(&'static ServiceDescriptor);

impl Positions {
    fn new() -> Self {
        let test = method(Codec::FlatBuffers, "test..BenchmarkService/Test").id(0);
        let methods: Vec<&'static _> = vec![Box::leak(Box::new(test))];
        Self(service_of(Codec::FlatBuffers, "test..BenchmarkService", methods))
    }
}

impl Service for Positions {
    fn descriptor(&self) -> &'static ServiceDescriptor {
        self.0
    }

    fn register(self, methods: &mut Methods) {
        let [test] = self.0.methods() else { return };
        methods.raw(test, |mut call: Call, message: Bytes| async move {
            let attachment = call.take_attachment();
            call.attach(attachment);
            (call, Ok(message))
        });
    }
}

async fn replay(exchange: &FrpcExchange) -> Result<(), String> {
    let (serving, _) = start().await;
    if serving.registry.register(Positions::new()).is_err() {
        return Err("the service of the older build is refused".into());
    }
    let mut raw = Raw::connect(serving.address).await;
    raw.send(&exchange.request).await;
    if let Some((expected, _)) = &exchange.reply {
        let reply = next_frame(&mut raw).await.ok_or("closed without an answer")?;
        if reply != *expected {
            return Err(format!("{reply:02x?}, expected {expected:02x?}"));
        }
    }
    let connection = if exchange.ours == Connection::Closed {
        raw.read_to_end().await;
        Connection::Closed
    } else if raw.stays_silent(SILENCE).await {
        Connection::Open
    } else {
        Connection::Closed
    };
    if !raw.received.is_empty() || connection != exchange.ours {
        return Err(format!("{connection:?} with {:02x?} left over", raw.received));
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frpc_probes_are_answered_byte_for_byte() {
    guarded(async {
        let exchanges = frpc();
        assert_eq!(exchanges.len(), 17);
        let mut wrong = Vec::new();
        for exchange in exchanges {
            if let Err(why) = replay(&exchange).await {
                wrong.push(format!("{}: {why}", exchange.name));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    })
    .await;
}

on_both_runtimes!(a_failing_method_answers_with_its_number_alone, || async {
    for order in ORDERS {
        let (serving, _) = start().await;
        let mut raw = Raw::connect(serving.address).await;
        for (asked, code) in [(0, 2001), (1001, 1001), (u64::from(u32::MAX), -1), (7777, 7777)] {
            let frame = request_frame(FAIL, 5, &message(asked, "why"), order);
            let reply = ask(&mut raw, &frame, order).await.unwrap();
            assert_eq!((reply.id, reply.code), (5, code));
            assert!(reply.message.is_empty() && reply.attachment.is_empty());
            assert!(reply.appended.is_empty(), "a caller that sent no block gets none");
        }
    }
});

// Sizes that do not add up, and method numbers that cannot be: an error each, and the connection lives.
on_both_runtimes!(each_rule_of_a_request_has_its_number, || async {
    for order in ORDERS {
        let (serving, benchmark) = start().await;
        let mut raw = Raw::connect(serving.address).await;
        // Shows the order, so that the malformed ones behind it are read in it.
        let good = request_frame(ECHO, 1, &message(1, "x"), order);
        assert_eq!(ask(&mut raw, &good, order).await.unwrap().code, 0);
        let put = |at: usize, number: i32| {
            let bytes = match order {
                stubwire::frame::frpc::ByteOrder::Big => number.to_be_bytes(),
                stubwire::frame::frpc::ByteOrder::Little => number.to_le_bytes(),
            };
            let mut frame = good.clone();
            frame[at..at + 4].copy_from_slice(&bytes);
            frame
        };
        let size = message(1, "x").len() as i32;
        let cases = [
            (put(16, -1), 1002),
            (put(16, i32::MIN), 1002),
            (put(16, i32::MAX), 1002),
            (put(12, 1), 1002),
            (put(20, 0), 1003),
            (put(20, -1), 1003),
            (put(20, i32::MIN), 1003),
            (put(20, i32::MAX), 1003),
            (put(20, size - 1), 1003),
            (put(20, size + 1), 1003),
            (put(24, 1), 1003),
            (put(24, -1), 1003),
            (put(24, i32::MAX), 1003),
            // Sizes are looked at before the method is looked for.
            ([&put(16, 99)[..20], &put(20, 0)[20..]].concat(), 1003),
        ];
        for (frame, code) in cases {
            let reply = ask(&mut raw, &frame, order).await.unwrap();
            assert_eq!((reply.id, reply.code), (1, code), "{frame:02x?}");
        }
        // Any bytes, an offset beyond the end, a text that is not UTF-8: the handler sees none of them.
        let mut bad_text = message(1, "hello");
        let at = bad_text.len() - 8;
        assert_eq!(&bad_text[at..at + 5], b"hello");
        bad_text[at] = 0xff;
        for bytes in [&[0xff; 40][..], &[0, 0, 0], &[0x20, 0, 0, 0], &bad_text] {
            let reply = ask(&mut raw, &request_frame(ECHO, 9, bytes, order), order).await.unwrap();
            assert_eq!((reply.id, reply.code), (9, 1003), "{bytes:02x?}");
        }
        assert_eq!(ask(&mut raw, &good, order).await.unwrap().code, 0);
        assert_eq!(benchmark.begun(), 2);
    }
});
