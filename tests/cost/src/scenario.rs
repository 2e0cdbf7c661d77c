//! What is measured.

mod call;
mod codec;

/// Something that can be run for a number of rounds.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// Rounds of the shorter of two runs; the longer is three times as long.
    pub(crate) rounds: u64,
    /// Units in a round: what a figure is the cost of.
    pub(crate) units: u64,
    pub(crate) run: fn(u64),
}

/// Every scenario. Calls count client and server together, with statistics, limits and timeouts on.
pub(crate) const SCENARIOS: &[Scenario] = &[
    scenario("prpc_request_decode", 2000, 1, codec::prpc_request_decode),
    scenario("prpc_request_encode", 2000, 1, codec::prpc_request_encode),
    scenario("prpc_reply_decode", 2000, 1, codec::prpc_reply_decode),
    scenario("prpc_reply_encode", 2000, 1, codec::prpc_reply_encode),
    scenario("frpc_request_decode", 2000, 1, codec::frpc_request_decode),
    scenario("frpc_request_encode", 2000, 1, codec::frpc_request_encode),
    scenario("flat_verify_and_read", 2000, 1, codec::flat_verify_and_read),
    scenario("in_process_call_protobuf", 500, 1, call::in_process_protobuf),
    scenario("in_process_call_flat", 500, 1, call::in_process_flat),
    scenario("prpc_call_64_in_flight", 20, 64, call::prpc_64_in_flight),
    scenario("frpc_call_64_in_flight", 20, 64, call::frpc_64_in_flight),
    scenario("prpc_call_64_with_timeout", 20, 64, call::prpc_64_with_timeout),
    scenario("prpc_call_64_with_phases", 20, 64, call::prpc_64_with_phases),
    scenario("prpc_call_alone", 300, 1, call::prpc_alone),
    scenario("prpc_call_64_kib", 20, 16, call::prpc_64_kib),
    scenario("frpc_call_64_kib", 20, 16, call::frpc_64_kib),
];

const fn scenario(name: &'static str, rounds: u64, units: u64, run: fn(u64)) -> Scenario {
    Scenario { name, rounds, units, run }
}
