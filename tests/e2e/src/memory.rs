//! How much memory this process has, as the kernel counts it.

/// The resident size now, in bytes.
pub fn resident() -> usize {
    of("VmRSS:")
}

/// The largest resident size so far, in bytes.
pub fn peak() -> usize {
    of("VmHWM:")
}

/// Forgets the peak so far: it starts again from the resident size.
pub fn reset_peak() {
    std::fs::write("/proc/self/clear_refs", "5").expect("a process may reset its own peak");
}

/// Open descriptors.
pub fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").expect("Linux").count()
}

fn of(key: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|line| line.starts_with(key)).expect("the kernel tells it");
    let kib = line.split_whitespace().nth(1).and_then(|number| number.parse::<usize>().ok());
    kib.expect("a number of KiB") * 1024
}
