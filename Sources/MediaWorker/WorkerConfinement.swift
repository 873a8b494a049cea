import Glibc
import LibAV
import MediaCore
import Transcoding

/// The limits and confinement that a worker imposes on itself before it opens untrusted input.
enum WorkerConfinement {
    /// Limit on file descriptors. libav reads one file and writes one.
    private static let maximumDescriptorCount = 64
    /// Limit on file descriptors with a hardware device, which its driver opens repeatedly.
    private static let maximumDescriptorCountWithDevice = 1024
    /// Nice value from 0 to 19, the lowest priority: a conversion takes what live channels and viewers leave.
    private static let niceness: Int32 = 10
    /// Seconds between the signal that ends the process and the one that cannot be caught.
    private static let grace = Duration.seconds(5)

    /// Sets the limits. Returns the reason if one cannot be set.
    static func apply(_ request: WorkerRequest) -> String? {
        let descriptorCount =
            request.task.device == nil ? maximumDescriptorCount : maximumDescriptorCountWithDevice
        if let reason = set(request.limits, descriptorCount: descriptorCount) { return reason }
        var more = request.task.device?.confinement ?? FileConfinement()
        if let folder = request.task.readableFolder { more.readable.append(folder) }
        return LibAVRuntime.confine(
            readable: request.input.isEmpty ? nil : request.input, writableFolder: request.task.outputFolder, more: more
        ).map { "confinement: \($0)" }
    }

    /// Sets the limits of a worker that reads these folders, and writes no file.
    static func apply(_ limits: WorkerLimits, readableFolders: [String]) -> String? {
        set(limits, descriptorCount: maximumDescriptorCount)
            ?? LibAVRuntime.confine(
                readable: nil, writableFolder: nil, more: FileConfinement(readable: readableFolders)
            ).map { "confinement: \($0)" }
    }

    private static func set(_ limits: WorkerLimits, descriptorCount: Int) -> String? {
        let all: [(name: String, resource: Int32, soft: Int, hard: Int)] = [
            ("address space", Int32(RLIMIT_AS.rawValue), limits.addressSpaceByteCount, limits.addressSpaceByteCount),
            (
                "processor time", Int32(RLIMIT_CPU.rawValue), limits.cpuSeconds,
                limits.cpuSeconds + Int(grace.components.seconds)
            ),
            ("file size", Int32(RLIMIT_FSIZE.rawValue), limits.fileByteCount, limits.fileByteCount),
            ("open files", Int32(RLIMIT_NOFILE.rawValue), descriptorCount, descriptorCount),
            ("core file", Int32(RLIMIT_CORE.rawValue), 0, 0),
        ]
        for limit in all {
            guard limit.soft >= 0, limit.hard >= limit.soft else { return "\(limit.name): a negative limit" }
            var value = rlimit()
            let resource = __rlimit_resource_t(UInt32(limit.resource))
            guard getrlimit(resource, &value) == 0 else { return describe(limit.name) }
            // A stricter limit that is already in force stays.
            value.rlim_max = min(rlim_t(limit.hard), value.rlim_max)
            value.rlim_cur = min(rlim_t(limit.soft), value.rlim_max)
            guard setrlimit(resource, &value) == 0 else { return describe(limit.name) }
        }
        // Viewers come first. If this is refused, nothing is less safe.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        return nil
    }

    private static func describe(_ name: String) -> String { "\(name): \(String(cString: strerror(errno)))" }

    /// Ends the process when the reader of its events is gone, or when it exceeds its deadline without noticing.
    ///
    /// The server's death shows as POLLERR on the pipe. PR_SET_PDEATHSIG would be simpler, but it follows the thread
    /// that started the process, and threads of a pool come and go.
    static func watch(events: WorkerEventWriter, after duration: Duration, overdue: String) {
        let watch = Unmanaged.passRetained(Watch(events: events, after: duration, overdue: overdue))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { opaque in
                if let opaque { Unmanaged<Watch>.fromOpaque(opaque).takeRetainedValue().run() }
                return nil
            }, watch.toOpaque())
        // Without the watch, the limit on processor time and the parent's own clock remain.
        if result != 0 { watch.release() } else { pthread_detach(thread) }
    }

    private final class Watch: Sendable {
        private let events: WorkerEventWriter
        private let deadline: ContinuousClock.Instant
        private let overdue: String

        init(events: WorkerEventWriter, after duration: Duration, overdue: String) {
            self.events = events
            self.overdue = overdue
            deadline = ContinuousClock.now + duration
        }

        func run() {
            while true {
                let left = (deadline - ContinuousClock.now).components.seconds
                guard left >= 0 else { break }
                var entry = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
                let wait = Int32(clamping: min(left, 3600) * 1000 + 100)
                if poll(&entry, 1, wait) > 0, Int32(entry.revents) & (POLLERR | POLLHUP) != 0 { _exit(3) }
            }
            events.write(.failed(reason: overdue))
            _exit(1)
        }
    }
}

extension WorkerRequest.Task {
    /// The hardware device on which the task encodes; `nil` if it encodes on the processor.
    var device: HardwareDevice? {
        guard case .ladder(let work) = self, case .encode(_, let encoder, _) = work.step else { return nil }
        return (try? LadderEncoder(named: encoder))?.device
    }

    /// The folder that the task reads besides its input: a ladder's chunks, to join them.
    var readableFolder: String? {
        guard case .ladder(let work) = self, case .join = work.step else { return nil }
        return LadderFolder(path: work.folder).chunksPath
    }

    /// The folder that the task writes to; `nil` if it writes nothing.
    var outputFolder: String? {
        switch self {
        case .probe: nil
        case .ladder(let work): work.outputFolder
        case .toMovie(let output), .toTranscodedMovie(let output), .toAudioMovie(let output), .poster(let output, _),
            .cover(let output), .slate(let output, _):
            FilePathText.folder(of: output)
        case .image(let work): work.outputFolder
        }
    }
}
