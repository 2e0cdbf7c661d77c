//! The notes of a row as a list, with what concerns the page alone.

use super::escape::escape;
use crate::notes;
use crate::record::CellRecord;

pub(super) fn notes(out: &mut String, record: &CellRecord) {
    let mut notes = notes::notes(record);
    for contestant in &record.contestants {
        if let Err(why) = contestant.latency.read() {
            notes.push(format!("{}: no latency plot, {why}", contestant.name));
        }
    }
    if notes.is_empty() {
        return;
    }
    out.push_str("<ul class=\"notes\">\n");
    notes.iter().for_each(|note| out.push_str(&format!("<li>{}</li>\n", escape(note))));
    out.push_str("</ul>\n");
}
