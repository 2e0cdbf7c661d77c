//! Waiting for the moment at which a call of an open loop is due.

use std::io;
use tokio::time::Instant;

/// A timer. tokio's own has steps of a millisecond, in which a hundred calls may be due.
pub(crate) enum Pace {
    /// The kernel's, exact to some 50 us.
    #[cfg(target_os = "linux")]
    Fine(fine::Timer),
    /// tokio's, for tests with a paused clock and for other systems.
    #[cfg(any(test, not(target_os = "linux")))]
    Coarse,
}

impl Pace {
    pub(crate) fn fine() -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        return Ok(Self::Fine(fine::Timer::new()?));
        #[cfg(not(target_os = "linux"))]
        return Ok(Self::Coarse);
    }

    pub(crate) async fn sleep_until(&mut self, due: Instant) -> io::Result<()> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Fine(timer) => timer.sleep(due.duration_since(Instant::now())).await,
            #[cfg(any(test, not(target_os = "linux")))]
            Self::Coarse => {
                tokio::time::sleep_until(due).await;
                Ok(())
            }
        }
    }
}

#[cfg(target_os = "linux")]
mod fine {
    //! A timer of the kernel as a descriptor that the runtime waits for.

    use rustix::time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
        timerfd_settime,
    };
    use std::io;
    use std::time::Duration;
    use tokio::io::AsyncReadExt;
    use tokio::net::unix::pipe::Receiver;

    /// A timer is read as a pipe is: eight bytes when it has expired. This is the one way to wait
    /// for a descriptor of any kind that tokio offers to safe code.
    pub(crate) struct Timer(Receiver);

    impl Timer {
        pub(super) fn new() -> io::Result<Self> {
            let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
            let timer = timerfd_create(TimerfdClockId::Monotonic, flags)?;
            Ok(Self(Receiver::from_owned_fd_unchecked(timer)?))
        }

        pub(super) async fn sleep(&mut self, length: Duration) -> io::Result<()> {
            if length.is_zero() {
                return Ok(());
            }
            let zero = Timespec { tv_sec: 0, tv_nsec: 0 };
            let value = Timespec {
                tv_sec: length.as_secs() as i64,
                tv_nsec: i64::from(length.subsec_nanos()),
            };
            let once = Itimerspec { it_interval: zero, it_value: value };
            timerfd_settime(&self.0, TimerfdTimerFlags::empty(), &once)?;
            let mut expirations = [0; 8];
            self.0.read_exact(&mut expirations).await?;
            Ok(())
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn a_timer_does_not_end_early_and_can_be_set_again() {
        let mut pace = Pace::fine().unwrap();
        for micros in [300, 0, 2_000, 50] {
            let due = Instant::now() + Duration::from_micros(micros);
            pace.sleep_until(due).await.unwrap();
            assert!(Instant::now() >= due);
        }
    }
}
