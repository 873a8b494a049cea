import CLibAV
import Glibc

/// Why a file could not be read or converted. `description` is shown to people as it is.
package struct LibAVError: Error, Hashable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// libav is not installed.
        case libraryMissing
        /// The file cannot be opened, or is no regular file.
        case unreadable
        case empty
        /// No demuxer knows it.
        case unrecognised
        /// A playlist or script that names other files or addresses.
        case refersElsewhere
        /// libav could read it, Antena does not let it.
        case formatNotAllowed
        case damaged
        case truncated
        /// Nothing in it that the task needs.
        case noMedia
        case codecUnsupported
        case outOfMemory
        case cannotWrite
        /// The muxer does not take a stream as it is; decoded and encoded it might.
        case streamRefused
        /// Pictures without presentation times whose order contradicts itself; decoded, each has its place.
        case pictureOrderUnknown
        /// A deadline passed or the task was cancelled.
        case interrupted
    }

    package var code: Code
    /// The file's name without its folders; `nil` where no file is to blame.
    package var file: String?
    package var reason: String

    package init(_ code: Code, file: String?, _ reason: String) {
        self.code = code
        self.file = file
        self.reason = reason
    }

    /// Whether one stream is to blame, and the file's others may be sound.
    var concernsOneStream: Bool { [.damaged, .codecUnsupported, .noMedia].contains(code) }

    package var description: String { file.map { "\($0): \(reason)" } ?? reason }

    /// From a negative return value.
    ///
    /// - Parameters:
    ///   - doing: Continues "failed while", as in "reading its header".
    ///   - code: What it is unless libav's own code says better.
    init(result: Int32, doing: String, file: String?, as code: Code) {
        switch result {
        // EAGAIN where nothing waits for anything: threads that could not have their stacks.
        case antena_averror(ENOMEM), antena_averror(EAGAIN):
            self.init(.outOfMemory, file: file, "ran out of memory while \(doing)")
        case antena_averror(EFBIG):
            self.init(.cannotWrite, file: file, "the output would be larger than its limit")
        case antena_averror(ENOSPC):
            self.init(.cannotWrite, file: file, "the disk is full")
        case antena_averror_exit():
            self.init(.interrupted, file: file, "was stopped while \(doing)")
        default:
            var detail = LibAVError.text(of: result)
            if let message = LibAVRuntime.lastMessage { detail += "; libav says: \(message)" }
            self.init(code, file: file, "failed while \(doing): \(detail)")
        }
    }

    private static func text(of result: Int32) -> String {
        var text = [CChar](repeating: 0, count: Int(ANTENA_MESSAGE_CAPACITY))
        guard libav.av_strerror(result, &text, text.count) == 0 else { return "error \(result)" }
        return String(terminatedCharacters: text)
    }
}

/// Asked often by everything that may take long, so that a task can be stopped from outside.
package final class Interruption: Sendable {
    private let shouldStop: @Sendable () -> Bool

    /// - Parameter shouldStop: Called from libav's threads; once true it must stay so.
    package init(_ shouldStop: @escaping @Sendable () -> Bool) { self.shouldStop = shouldStop }

    package static let never = Interruption { false }

    var isRequested: Bool { shouldStop() }

    /// Throws `interrupted` once it is asked for.
    func check(file: String) throws(LibAVError) {
        if shouldStop() { throw LibAVError(.interrupted, file: file, "took longer than it may") }
    }

    /// For libav's contexts, which ask it while they wait. Unretained: whoever owns the context holds this as long.
    var callback: AVIOInterruptCB {
        AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 0 }
                return Unmanaged<Interruption>.fromOpaque(opaque).takeUnretainedValue().isRequested ? 1 : 0
            },
            opaque: Unmanaged.passUnretained(self).toOpaque())
    }
}
