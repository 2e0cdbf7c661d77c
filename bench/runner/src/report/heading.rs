//! What a reader has to know before any figure: when, where, of what.

use super::escape::escape;
use crate::record::CellRecord;

pub(super) fn heading(out: &mut String, record: &CellRecord) {
    let environment = &record.environment;
    let plan = escape(&record.plan);
    out.push_str(&format!(
        "<header>\n<h1>stubwire benchmark</h1>\n<h2>Plan <code>{plan}</code></h2>\n<dl>\n"
    ));
    let cores = format!("{}, {} cores", environment.cpu, environment.cores);
    let facts = [
        ("Date", record.run.as_str()),
        ("Commit", &environment.commit),
        ("Processor", if environment.cpu.is_empty() { "" } else { &cores }),
        ("Kernel", &environment.kernel),
        ("Congestion control", &environment.congestion_control),
        ("Compiler", &environment.rustc),
    ];
    // What could not be found out is empty.
    for (name, value) in facts.into_iter().filter(|(_, value)| !value.is_empty()) {
        out.push_str(&format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escape(value)));
    }
    out.push_str("</dl>\n");
    if !environment.versions.is_empty() {
        let versions: Vec<_> = environment
            .versions
            .iter()
            .map(|(name, version)| format!("<span>{} {}</span>", escape(name), escape(version)))
            .collect();
        out.push_str(&format!("<p class=\"versions\">{}</p>\n", versions.join(" ")));
    }
    out.push_str("</header>\n");
}
