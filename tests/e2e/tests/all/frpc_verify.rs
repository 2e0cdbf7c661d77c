//! What a caller learns of a FlatBuffers message that fails verification: a number, and where it asked
//! for words, the field that is to blame.

use stubwire::frame::frpc::Appended;
use stubwire::{Event, EventKind};
use stubwire_tests_e2e::frpc::{
    ECHO, ORDERS, ask, client, echo_text, message, request_with, start, start_with,
};
use stubwire_tests_e2e::on_both_runtimes;
use stubwire_tests_e2e::raw::Raw;

/// Requests that lie, and what is said of each.
fn lies() -> Vec<(Vec<u8>, &'static [&'static str])> {
    let honest = message(7, "text");
    let text = honest.windows(4).position(|bytes| bytes == b"text").expect("it is in there");
    let changed = |at: usize, value: u8| {
        let mut lie = honest.clone();
        lie[at] = value;
        lie
    };
    vec![
        (changed(text, 0xff), &["Utf8 error", "table field `message`"]),
        // The length of the text.
        (changed(text - 1, 0x7f), &["out of bounds", "table field `message`"]),
        (changed(text + 4, 1), &["null terminator", "table field `message`"]),
        (honest[..3].to_vec(), &["out of bounds"]),
    ]
}

on_both_runtimes!(trust_d03_a_lie_is_erequest_with_the_path_of_its_field, || async {
    for order in ORDERS {
        let (serving, benchmark) = start().await;
        let mut raw = Raw::connect(serving.address).await;
        for (lie, words) in lies() {
            let plain = request_with(ECHO, 1, &lie, &[], &Appended::default(), order);
            let plain = ask(&mut raw, &plain, order).await.expect("the connection lives");
            assert_eq!((plain.id, plain.code, plain.text), (1, 1003, None));
            assert!(plain.appended.is_empty() && plain.message.is_empty());
            let told = request_with(ECHO, 2, &lie, &[], &Appended::new(), order);
            let told = ask(&mut raw, &told, order).await.expect("the connection lives");
            assert_eq!((told.id, told.code), (2, 1003));
            let text = told.text.expect("it asked for words");
            assert!(text.starts_with("Fail to verify request=benchmark_fb.Request"), "{text}");
            for word in words {
                assert!(text.contains(word), "no {word} in {text}");
            }
        }
        // None of them reached the handler, and an honest one still does.
        assert_eq!(benchmark.begun(), 0);
        let honest = ask(&mut raw, &echo_text(3, "text", order), order).await;
        assert_eq!(honest.expect("the connection lives").code, 0);
        assert_eq!(benchmark.begun(), 1);
    }
});

/// The same through a channel, which asks for words when its options say so.
#[tokio::test]
async fn trust_d03_a_client_reads_the_path_where_it_asked_for_words() {
    let (serving, _) = start().await;
    for asks in [false, true] {
        let target = format!("frpc://{}", serving.address);
        let (client, _) = client(target, |options| options.frpc_append = asks);
        // A text where the table should stand: its length leads to no vtable.
        let status = client
            .echo(|builder| flatbuffers::WIPOffset::new(builder.create_string("seventh").value()))
            .await
            .expect_err("no table");
        assert_eq!(status.code(), stubwire::Code::EREQUEST);
        assert_eq!(status.message().contains("benchmark_fb.Request"), asks, "{status}");
    }
}

/// The operator is told, whoever asked.
#[tokio::test]
async fn trust_d03_the_path_of_a_refused_field_is_told_to_the_observer() {
    let (sender, told) = std::sync::mpsc::channel();
    let observe = move |event: &Event| drop(sender.send((event.kind, event.to_string())));
    let (serving, _) = start_with(|server| server.on_event(observe)).await;
    let mut raw = Raw::connect(serving.address).await;
    let (lie, words) = &lies()[0];
    let order = ORDERS[0];
    let plain = request_with(ECHO, 1, lie, &[], &Appended::default(), order);
    assert_eq!(ask(&mut raw, &plain, order).await.expect("the connection lives").text, None);
    let (kind, text) = told.try_recv().expect("told before it was answered");
    assert_eq!(kind, EventKind::MessageRefused);
    assert!(text.contains("benchmark_fb.BenchmarkService/Echo"), "{text}");
    for word in *words {
        assert!(text.contains(word), "no {word} in {text}");
    }
}
