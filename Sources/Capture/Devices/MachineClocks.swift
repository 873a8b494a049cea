import Glibc

/// The clocks that Linux's devices use, in microseconds.
enum MachineClocks {
    /// The current times: since 1970, for sound servers and screens, and since the machine's start, for cameras.
    static var now: [Int64] {
        [CLOCK_REALTIME, CLOCK_MONOTONIC].map { clock in
            var time = timespec()
            clock_gettime(clock, &time)
            return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        }
    }
}
