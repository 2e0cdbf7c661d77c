//! Services alone, over messages that plain prost-build made: registered, and called.

use stubwire::{Call, Channel, Registry, Status};
use stubwire_tests_generated::plain_prost::messages::shop::{Order, order::Line};
use stubwire_tests_generated::plain_prost::shop::{Till, TillClient, TillServer};

struct Counter;

impl Till for Counter {
    async fn place(&self, _: &mut Call, request: Order) -> Result<Line, Status> {
        request.lines.into_iter().next().ok_or_else(|| Status::invalid_request("no line"))
    }

    async fn count(&self, _: &mut Call, (): ()) -> Result<Order, Status> {
        Ok(Order::default())
    }
}

#[tokio::test]
async fn a_team_keeps_its_own_messages() {
    let registry = Registry::new();
    registry.register(TillServer::new(Counter)).expect("registered");
    let till = TillClient::new(Channel::in_process(registry));
    let line = Line { article: "bread".to_owned(), count: 2 };
    let order = Order { lines: vec![line.clone()], ..Order::default() };
    let reply = till.place(order).await.expect("answered");
    assert_eq!(*reply, line);
    let status = till.place(Order::default()).await.map(|_| ()).expect_err("refused");
    assert_eq!(status.message(), "no line");
    assert_eq!(till.count(()).await.expect("answered").lines, []);
}
