import CLibAV
import Glibc

/// The reason why a file could not be read or converted. `description` is shown to users as it is.
package struct LibAVError: Error, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Hashable, Sendable {
        /// libav is not installed.
        case libraryMissing
        /// The file cannot be opened, or is not a regular file.
        case unreadable
        /// The file has no bytes.
        case empty
        /// No demuxer recognises the content.
        case unrecognised
        /// The file is a playlist or script that names other files or addresses.
        case refersElsewhere
        /// libav could read the format, but Antena does not allow it.
        case formatNotAllowed
        /// The content is damaged.
        case damaged
        /// The file ends before its content does.
        case truncated
        /// The file has no stream that the task needs.
        case noMedia
        /// The content is encrypted, and there is no key.
        case encrypted
        /// libav has no decoder or encoder for a stream.
        case codecUnsupported
        case outOfMemory
        /// The output cannot be written.
        case cannotWrite
        /// The muxer does not accept a stream as it is; re-encoded it might.
        case streamRefused
        /// The frames have no presentation times and their order contradicts itself; decoding restores the order.
        case pictureOrderUnknown
        /// A deadline passed or the task was cancelled.
        case interrupted
    }

    /// The kind of failure.
    package var code: Code
    /// The name of the file without its folders; `nil` if no file is to blame.
    package var file: String?
    /// The human-readable reason, phrased so that it can follow the file name and a colon.
    package var reason: String

    /// Creates an error; the parameters are the properties of the same names.
    package init(_ code: Code, file: String?, _ reason: String) {
        self.code = code
        self.file = file
        self.reason = reason
    }

    /// True if only one stream is to blame, so that the file's other streams may be intact.
    package var concernsOneStream: Bool { [.damaged, .codecUnsupported, .noMedia].contains(code) }

    package var description: String { file.map { "\($0): \(reason)" } ?? reason }

    /// Creates an error from a negative return value of libav.
    ///
    /// - Parameters:
    ///   - result: libav's return value.
    ///   - doing: The text after "failed while", such as "reading its header".
    ///   - file: The file to name in the message; `nil` if none is involved.
    ///   - code: The code to use unless libav's return value has a more precise one.
    package init(result: Int32, doing: String, file: String?, as code: Code) {
        switch result {
        // EAGAIN from calls that never wait: libav could not create its threads.
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
