//! What decoding a message may cost and what it must hold, through generated code.

use bytes::Bytes;
use stubwire::{Call, Channel, Code, Status};
use stubwire_tests_e2e::bench::{
    POINT_SERVICE_BACK, POINT_SERVICE_COUNT, Point, PointCount, PointService, PointServiceClient,
    PointServiceServer, Points,
};
use stubwire_tests_e2e::{Serving, on_both_runtimes};

struct Counting;

impl PointService for Counting {
    async fn count(&self, _: &mut Call, request: Points) -> Result<PointCount, Status> {
        Ok(PointCount { count: request.points.len() as i64 })
    }

    async fn back(&self, _: &mut Call, request: PointCount) -> Result<PointCount, Status> {
        Ok(request)
    }
}

async fn channel() -> (Serving, Channel) {
    let serving = Serving::start().await;
    serving.registry.register(PointServiceServer::new(Counting)).unwrap();
    let channel = Channel::connect(serving.target()).await.unwrap();
    (serving, channel)
}

on_both_runtimes!(trust_d08_a_bomb_of_empty_messages_is_refused, || async {
    let (_serving, channel) = channel().await;
    let bomb = Bytes::from([0x0a, 0x00].repeat(1 << 19));
    let status = channel.raw(&POINT_SERVICE_COUNT, bomb).await.unwrap_err();
    assert_eq!(status.code(), Code::EREQUEST);
    assert!(status.message().contains("bench.Points"), "{status}");
});

on_both_runtimes!(trust_d08_honest_points_are_accepted, || async {
    let (_serving, channel) = channel().await;
    let point = Point { x: Some(1), y: Some(2), z: None };
    let points = Points { points: vec![point; 699_050] };
    let reply = PointServiceClient::new(channel).count(points).await.unwrap();
    assert_eq!(reply.count, 699_050);
});

on_both_runtimes!(trust_d10_a_missing_required_field_is_named, || async {
    let (_serving, channel) = channel().await;
    let status = channel.raw(&POINT_SERVICE_BACK, Bytes::new()).await.unwrap_err();
    assert_eq!(status.code(), Code::EREQUEST);
    assert!(status.message().contains("count"), "{status}");
});
