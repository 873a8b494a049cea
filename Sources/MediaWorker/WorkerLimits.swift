/// Resource limits of one worker. The kernel enforces all except the last, which the worker and its parent both watch.
package struct WorkerLimits: Codable, Sendable, Equatable {
    /// RLIMIT_AS, in bytes. libav's libraries alone map about 300 MB.
    package var addressSpaceByteCount: Int
    /// RLIMIT_CPU, in seconds, summed over threads.
    package var cpuSeconds: Int
    /// RLIMIT_FSIZE: the size of the largest file that may be written, in bytes.
    package var fileByteCount: Int
    /// Seconds after which a worker is killed, whether it computes or waits.
    package var wallClockSeconds: Int

    package init(addressSpaceByteCount: Int, cpuSeconds: Int, fileByteCount: Int, wallClockSeconds: Int) {
        self.addressSpaceByteCount = addressSpaceByteCount
        self.cpuSeconds = cpuSeconds
        self.fileByteCount = fileByteCount
        self.wallClockSeconds = wallClockSeconds
    }

    /// Limits for probe, poster and cover, which read little of a file.
    package static let inspection = WorkerLimits(
        addressSpaceByteCount: 2 << 30,
        cpuSeconds: 60,
        fileByteCount: 64 << 20,
        wallClockSeconds: 60
    )

    /// Limits for slates: 20 s of 4K video take less on a slow machine.
    package static let slate = WorkerLimits(
        addressSpaceByteCount: 2 << 30,
        cpuSeconds: 120,
        fileByteCount: 64 << 20,
        wallClockSeconds: 180
    )

    /// Limits for conversions. A day of processor time is enough for a long film on a small machine; 4 GiB hold x264's
    /// look-ahead for 4K video.
    package static let conversion = WorkerLimits(
        addressSpaceByteCount: 4 << 30,
        cpuSeconds: 24 * 3600,
        fileByteCount: 256 << 30,
        wallClockSeconds: 24 * 3600
    )
}
