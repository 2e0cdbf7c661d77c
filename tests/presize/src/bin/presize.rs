//! Prints what building a reply takes, in nanoseconds: in the builder that a call hands out, and in one
//! that starts empty. `cargo run --release -p stubwire-tests-presize`

use stubwire_tests_presize::presize::{Want, WantArgs};
use stubwire_tests_presize::{Watched, client};

const ROUNDS: u32 = 301;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), stubwire::Status> {
    println!("| reply | presized, ns | unsized, ns | ratio, median (middle half) |");
    println!("|---|---|---|---|");
    let client = client(Watched::default());
    for rows in [false, true] {
        for (name, size) in [("1 KB", 1 << 10), ("64 KB", 64 << 10), ("1 MB", 1 << 20)] {
            let args = WantArgs { size, rows, rounds: ROUNDS };
            let reply = client.learn(|builder| Want::create(builder, &args)).await?;
            let times = |vector: Option<flatbuffers::Vector<'_, u64>>| -> Vec<u64> {
                vector.map(|vector| vector.iter().collect()).unwrap_or_default()
            };
            let (presized, free) = (times(reply.root().presized()), times(reply.root().unsized_()));
            // The ratio is taken round by round, so that what disturbs both is left out of it.
            let ratios = presized.iter().zip(&free).map(|(one, other)| *one as f64 / *other as f64);
            let ratios = sorted(ratios);
            let quarter = ratios.len() / 4;
            let what = if rows { "rows" } else { "one text" };
            println!(
                "| {name}, {what} | {} | {} | {:.2} ({:.2} to {:.2}) |",
                sorted(presized.into_iter())[ROUNDS as usize / 2],
                sorted(free.into_iter())[ROUNDS as usize / 2],
                ratios[ratios.len() / 2],
                ratios[quarter],
                ratios[ratios.len() - 1 - quarter],
            );
        }
    }
    Ok(())
}

fn sorted<T: PartialOrd>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.collect();
    values.sort_by(|one, other| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
    values
}
