//! A record as CSV: a line a round.

use crate::cell::Pace;
use crate::record::{CellRecord, ContestantRecord, ProcessCost, RoundRecord};

const COLUMNS: [&str; 43] = [
    "run",
    "commit",
    "plan",
    "name",
    "key",
    "shape",
    "connections",
    "concurrency",
    "size",
    "payload",
    "client",
    "server",
    "pinned",
    "busy_us",
    "sleep_us",
    "pace",
    "contestant",
    "round",
    "turn",
    "elapsed_ns",
    "attempted",
    "succeeded",
    "failures",
    "calls_per_second",
    "mean_ns",
    "p50_ns",
    "p90_ns",
    "p99_ns",
    "p999_ns",
    "max_ns",
    "due_per_second",
    "lag_p50_ns",
    "fell_behind",
    "connections_planned",
    "connections_seen",
    "server_cpu_ns_per_call",
    "client_cpu_ns_per_call",
    "server_switches_per_call",
    "client_switches_per_call",
    "server_sends_per_call",
    "client_sends_per_call",
    "steal_cores",
    "others_cores",
];

/// All rounds; a contestant without any has no line.
pub fn csv(records: &[CellRecord]) -> String {
    let mut out = COLUMNS.join(",") + "\n";
    for record in records {
        for contestant in &record.contestants {
            for round in &contestant.rounds {
                let fields: Vec<_> =
                    fields(record, contestant, round).iter().map(|field| quoted(field)).collect();
                out.push_str(&fields.join(","));
                out.push('\n');
            }
        }
    }
    out
}

fn fields(
    record: &CellRecord,
    contestant: &ContestantRecord,
    round: &RoundRecord,
) -> [String; COLUMNS.len()] {
    let cell = &record.cell;
    let latency = &round.latency;
    let open_loop = round.open_loop;
    let per_call = |cost: Option<&ProcessCost>| shown(cost.and_then(|c| round.cpu_per_call(c)));
    let switches = |cost: Option<&ProcessCost>| {
        let cost = cost.filter(|_| round.succeeded > 0);
        shown(cost.map(|cost| cost.switches() as f64 / round.succeeded as f64))
    };
    let writes = &contestant.writes;
    [
        record.run.clone(),
        record.environment.commit.clone(),
        record.plan.clone(),
        cell.name.clone(),
        cell.key(),
        cell.shape.to_string(),
        cell.connections.to_string(),
        cell.concurrency.to_string(),
        cell.size.to_string(),
        cell.payload.to_string(),
        cell.client.to_string(),
        cell.server.to_string(),
        cell.pinned.to_string(),
        cell.busy_us.to_string(),
        cell.sleep_us.to_string(),
        match cell.pace {
            Pace::Closed => "closed".to_owned(),
            Pace::Rate(_) | Pace::ShareOfPeak(_) => "open".to_owned(),
        },
        contestant.name.clone(),
        round.number.to_string(),
        round.turn.to_string(),
        round.elapsed_ns.to_string(),
        round.attempted.to_string(),
        round.succeeded.to_string(),
        round.failures().to_string(),
        round.calls_per_second().to_string(),
        latency.mean.to_string(),
        latency.p50.to_string(),
        latency.p90.to_string(),
        latency.p99.to_string(),
        latency.p999.to_string(),
        latency.max.to_string(),
        shown(open_loop.map(|open_loop| open_loop.rate)),
        shown(open_loop.map(|open_loop| open_loop.lag.p50)),
        shown(open_loop.map(|open_loop| open_loop.fell_behind)),
        shown(round.connections.planned),
        shown(round.connections.seen),
        per_call(round.server.as_ref()),
        per_call(Some(&round.client)),
        switches(round.server.as_ref()),
        switches(Some(&round.client)),
        shown(writes.server.map(|writes| writes.sends)),
        shown(writes.client.map(|writes| writes.sends)),
        round.machine.steal_cores.to_string(),
        round.machine.others_cores.to_string(),
    ]
}

/// What was not measured is an empty field.
fn shown(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn quoted(field: &str) -> String {
    match field.contains([',', '"', '\n']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{contestant, record_of};

    #[test]
    fn a_round_is_a_line() {
        let contestants =
            vec![contestant("stubwire-prpc", &[100.0, 200.0]), contestant("tarpc", &[])];
        let text = csv(&[record_of("64 B, \"quoted\"", contestants)]);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[1].contains(",\"64 B, \"\"quoted\"\"\","), "{}", lines[1]);
        let commas = |line: &str| line.matches(',').count();
        assert_eq!(commas(lines[1]), commas(lines[0]) + 1, "one stands in the name");
        assert!(lines[2].contains(",stubwire-prpc,2,1,1000000000,200,200,0,200,"), "{}", lines[2]);
    }
}
